// A server on the TypeScript SDK 1.x: `http_server1.mjs PORT`.
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CreateMessageResultSchema, ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { sessions } from "./http_sessions.mjs";
import { form, question, said, steps, told } from "./http_tools.mjs";

function makeServer() {
  const server = new McpServer({ name: "http-server", version: "1.0.0" });
  server.registerTool("echo", { inputSchema: { text: z.string() } }, async ({ text }) => said(text));
  server.registerTool("ask", { inputSchema: { what: z.string() } }, async ({ what }, extra) => {
    const request = { method: "elicitation/create", params: form(what) };
    return told(what, await extra.sendRequest(request, ElicitResultSchema));
  });
  server.registerTool("think", { inputSchema: { about: z.string() } }, async ({ about }, extra) => {
    await extra.sendRequest({ method: "sampling/createMessage", params: question(about) }, CreateMessageResultSchema);
    return said("thought");
  });
  server.registerTool("count", { inputSchema: { n: z.number() } }, async ({ n }, extra) => {
    for (const step of steps(n, extra._meta)) await extra.sendNotification(step);
    return said("counted");
  });
  server.registerTool("wait", {}, async (extra) => {
    for (const step of steps(1, extra._meta)) await extra.sendNotification(step);
    await new Promise((resolve) => extra.signal.addEventListener("abort", resolve));
    return said("never");
  });
  return server;
}

createServer(sessions(StreamableHTTPServerTransport, makeServer)).listen(Number(process.argv[2]), "127.0.0.1");
