// What both TypeScript clients do, and how they print what they saw.
const SCRIPT = [
  ["echo", { text: "plain" }],
  ["echo", { text: 'ünïcödé 漢字 🙂 \u2028 "quoted" \\ /' }],
  ["fail", { text: "on purpose" }],
  ["refuse", { text: "not today" }],
  ["ask", { what: "paint" }],
  ["ask", { what: "brush" }],
  ["count", { n: 3 }],
  ["much", { n: 300000 }],
];

export async function play(client, transport, onElicitation) {
  const seen = [];
  const answers = [
    { action: "accept", content: { colour: "red", amount: 2 } },
    { action: "decline" },
  ];
  onElicitation(async (request) => {
    seen.push(["asked", request.params.message]);
    return answers.shift();
  });
  await client.connect(transport);
  seen.push(client.getServerVersion()?.name ?? null);
  seen.push((await client.listTools()).tools.map((t) => t.name));
  for (const [name, args] of SCRIPT) {
    try {
      const result = await client.callTool({ name, arguments: args });
      seen.push([name, result.isError ?? false, result.content]);
    } catch (error) {
      seen.push([name, error.code, error.message]);
    }
  }
  await client.close();
  process.stdout.write(JSON.stringify(seen));
}
