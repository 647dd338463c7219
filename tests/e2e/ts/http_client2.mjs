// A client on the TypeScript SDK 2.x: `http_client2.mjs URL MODE`; prints what it saw as JSON.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { answer, play, thought } from "./http_script.mjs";

const client = new Client(
  { name: "ts2", version: "1.0.0" },
  { capabilities: { elicitation: { form: {} }, sampling: {} }, versionNegotiation: { mode: process.argv[3] } },
);
client.setRequestHandler("elicitation/create", async (request) => answer(request.params.message));
client.setRequestHandler("sampling/createMessage", async () => thought);
await play(client, new StreamableHTTPClientTransport(new URL(process.argv[2])), (params, options) =>
  client.callTool(params, options),
);
