// A client on the TypeScript SDK 1.x: `client1.mjs COMMAND ARGS…`; prints what it saw as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { play } from "./script.mjs";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "ts1", version: "1.0.0" }, { capabilities: { elicitation: {} } });
await play(client, new StdioClientTransport({ command, args, env: process.env }), (handler) =>
  client.setRequestHandler(ElicitRequestSchema, handler),
);
