// A client on the TypeScript SDK 1.x: `client.mjs URL`, its packages found from the working folder; prints what it saw.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(process.cwd() + "/");
const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}.js`)));
const { Client } = await load("client/index");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp");
const { ElicitRequestSchema } = await load("types");

const client = new Client({ name: "ts1", version: "1.0.0" }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, async (request) => {
  const what = request.params.message.split(" ")[1].replace("?", "");
  return what === "nothing" ? { action: "decline" } : { action: "accept", content: { colour: `red-${what}` } };
});
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
const call = async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;
const seen = [await call("echo", { text: "漢字" }), await call("ask", { what: "nothing" })];
seen.push(await Promise.all([...Array(10).keys()].map((n) => call("ask", { what: `paint${n}` }))));
await client.close();
process.stdout.write(JSON.stringify(seen));
process.exit(0);
