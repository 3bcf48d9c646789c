import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

const HOST = '127.0.0.1';
const PATH = '/mcp';
/** More clients than somebody has open. A further one ends the session that was used longest ago: clients that crash end none. */
const MAX_SESSIONS = 50;

export type McpHttp = { readonly url: string; readonly token: string; close(): Promise<void> };

/**
 * Serves clients of this machine over streamable HTTP, each with a session. The caller must know the token: others
 * who work on the machine reach the port, too.
 */
export async function serveHttp(port: number, open: () => McpServer): Promise<McpHttp> {
  const token = randomBytes(24).toString('base64url');
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server: Server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(error instanceof Error ? error.message : '');
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== PATH) return refuse(response, 404);
    if (!isToken(request.headers.authorization, token)) return refuse(response, 401);
    const id = request.headers['mcp-session-id'];
    const transport = id === undefined ? await begin() : used(String(id));
    if (transport === undefined) return refuse(response, 404);
    await transport.handleRequest(request, response);
  }

  /** The session of a request; sessions stand in the order of their last use. */
  function used(id: string): StreamableHTTPServerTransport | undefined {
    const transport = sessions.get(id);
    if (transport !== undefined) sessions.delete(id) && sessions.set(id, transport);
    return transport;
  }

  async function begin(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        sessions.set(id, transport);
        const [longestUnused] = sessions;
        if (sessions.size <= MAX_SESSIONS || longestUnused === undefined) return;
        sessions.delete(longestUnused[0]);
        await longestUnused[1].close();
      },
      onsessionclosed: (id) => void sessions.delete(id),
      // A page in a browser may be given a name that leads here.
      enableDnsRebindingProtection: true,
      allowedHosts: [`${HOST}:${portOf(server)}`, `localhost:${portOf(server)}`],
    });
    // The library's own types differ in what may be undefined.
    await open().connect(transport as Transport);
    return transport;
  }

  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(port, HOST, ready);
  });
  return {
    url: `http://${HOST}:${portOf(server)}${PATH}`,
    token,
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function isToken(header: string | undefined, token: string): boolean {
  const [input, expected] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)];
  return input.length === expected.length && timingSafeEqual(input, expected);
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}
