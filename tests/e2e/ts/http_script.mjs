// What both TypeScript clients do over Streamable HTTP, and how they print what they saw.
export function answer(message) {
  const what = message.split(" ")[1].replace("?", "");
  return what === "nothing" ? { action: "decline" } : { action: "accept", content: { colour: `red-${what}` } };
}

export const thought = { role: "assistant", content: { type: "text", text: "42" }, model: "none" };

export async function play(client, transport, call) {
  const seen = [];
  await client.connect(transport);
  const onprogress = (p) => seen.push(["progress", p.progress, p.total, p.message]);
  const text = async (name, args, options) => (await call({ name, arguments: args }, options)).content[0].text;
  seen.push((await client.listTools()).tools.map((t) => t.name).sort());
  seen.push(await text("echo", { text: "漢字" }), await text("ask", { what: "nothing" }));
  seen.push(await text("think", { about: "life" }), await text("count", { n: 3 }, { onprogress }));
  seen.push(await Promise.all([...Array(10).keys()].map((n) => text("ask", { what: `paint${n}` }))));
  const gone = new AbortController();
  await text("wait", {}, { signal: gone.signal, onprogress: () => gone.abort("enough") }).catch(() => seen.push("left"));
  seen.push(await text("echo", { text: "after" }));
  await client.close();
  process.stdout.write(JSON.stringify(seen), () => process.exit(0));
}
