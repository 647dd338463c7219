// A client on the TypeScript SDK 1.x: `http_client1.mjs URL`; prints what it saw as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { answer, play, thought } from "./http_script.mjs";

const client = new Client({ name: "ts1", version: "1.0.0" }, { capabilities: { elicitation: {}, sampling: {} } });
client.setRequestHandler(ElicitRequestSchema, async (request) => answer(request.params.message));
client.setRequestHandler(CreateMessageRequestSchema, async () => thought);
await play(client, new StreamableHTTPClientTransport(new URL(process.argv[2])), (params, options) =>
  client.callTool(params, undefined, options),
);
