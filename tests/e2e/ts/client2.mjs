// A client on the TypeScript SDK 2.x: `client2.mjs MODE COMMAND ARGS…`; prints what it saw as JSON.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { play } from "./script.mjs";

const [mode, command, ...args] = process.argv.slice(2);
const client = new Client(
  { name: "ts2", version: "1.0.0" },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
);
await play(client, new StdioClientTransport({ command, args, env: process.env }), (handler) =>
  client.setRequestHandler("elicitation/create", handler),
);
