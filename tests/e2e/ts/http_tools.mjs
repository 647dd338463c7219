// What the tools of both TypeScript servers say and ask.
export const said = (text) => ({ content: [{ type: "text", text }] });

export const told = (what, { action, content }) =>
  said(`${what}: ${action} ${content ? `{'colour': '${content.colour}'}` : "None"}`);

export const form = (what) => ({
  mode: "form",
  message: `Which ${what}?`,
  requestedSchema: { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] },
});

export const question = (about) => ({
  messages: [{ role: "user", content: { type: "text", text: about } }],
  maxTokens: 10,
});

export function steps(total, meta) {
  const token = meta?.progressToken;
  if (token === undefined) return [];
  return [...Array(total).keys()].map((i) => ({
    method: "notifications/progress",
    params: { progressToken: token, progress: i + 1, total, message: `step ${i + 1}` },
  }));
}
