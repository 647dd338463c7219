// Streamable HTTP with sessions on node:http: one transport a session, found by its id.
import { randomUUID } from "node:crypto";

export function sessions(Transport, makeServer) {
  const open = new Map();
  return async (request, response, body) => {
    let transport = open.get(request.headers["mcp-session-id"]);
    if (!transport) {
      transport = new Transport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => open.set(id, transport),
      });
      await makeServer().connect(transport);
    }
    await transport.handleRequest(request, response, body);
  };
}
