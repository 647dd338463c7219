// A server on the TypeScript SDK 2.x, for both eras of the protocol: `http_server2.mjs PORT`.
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from "@modelcontextprotocol/node";
import { createMcpHandler, inputRequired, isLegacyRequest, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { sessions } from "./http_sessions.mjs";
import { form, question, said, steps, told } from "./http_tools.mjs";

function makeServer(modern) {
  const server = new McpServer({ name: "http-server", version: "1.0.0" });
  const text = (name) => ({ inputSchema: z.object({ [name]: z.string() }) });
  server.registerTool("echo", text("text"), async ({ text }) => said(text));
  server.registerTool("ask", text("what"), async ({ what }, ctx) => {
    if (!modern) return told(what, await ctx.mcpReq.elicitInput(form(what)));
    const choice = ctx.mcpReq.inputResponses?.choice;
    if (choice) return told(what, choice);
    return inputRequired({ inputRequests: { choice: inputRequired.elicit(form(what)) }, requestState: what });
  });
  server.registerTool("think", text("about"), async ({ about }, ctx) => {
    if (!modern) await ctx.mcpReq.requestSampling(question(about));
    else if (!ctx.mcpReq.inputResponses?.thought) {
      const thought = inputRequired.createMessage(question(about));
      return inputRequired({ inputRequests: { thought }, requestState: about });
    }
    return said("thought");
  });
  server.registerTool("count", { inputSchema: z.object({ n: z.number() }) }, async ({ n }, ctx) => {
    for (const step of steps(n, ctx.mcpReq._meta)) await ctx.mcpReq.notify(step);
    return said("counted");
  });
  server.registerTool("wait", { inputSchema: z.object({}) }, async (_, ctx) => {
    for (const step of steps(1, ctx.mcpReq._meta)) await ctx.mcpReq.notify(step);
    await new Promise((resolve) => ctx.mcpReq.signal.addEventListener("abort", resolve));
    return said("never");
  });
  return server;
}

const legacy = sessions(NodeStreamableHTTPServerTransport, () => makeServer(false));
const modern = toNodeHandler(createMcpHandler(() => makeServer(true), { legacy: "reject" }));
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = chunks.length ? JSON.parse(Buffer.concat(chunks)) : undefined;
  if (await isLegacyRequest(await toWebRequest(request, body), body)) await legacy(request, response, body);
  else await modern(request, response, body);
}).listen(Number(process.argv[2]), "127.0.0.1");
