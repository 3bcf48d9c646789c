import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { serverCredentials } from '../../../src/agency-simulator/tls.ts';
import type { AgencyAccess } from '../../../src/subjects/registration/aeat/transport.ts';

/** What the server does with one request; `message` is its body. */
export type Script = (
  message: string,
  response: ServerResponse,
  request: IncomingMessage,
) => void | Promise<void>;

export type ScriptedAgency = {
  readonly access: AgencyAccess;
  /** The bodies that came, in order. */
  readonly received: string[];
  /** How many connections were made. */
  connections(): number;
  script: Script;
  stop(): Promise<void>;
};

/** Those of all servers of one test file: they take a second to make. */
let own: Promise<Certificates> | undefined;

/**
 * A server over TLS with a client certificate that answers as the test says: for what the simulator, which behaves as
 * the agency does, cannot be brought to do.
 */
export async function scriptedAgency(script: Script): Promise<ScriptedAgency> {
  own ??= certificates();
  const { server: identity, client, ca } = await own;
  const received: string[] = [];
  const sockets = new Set<Duplex>();
  let connections = 0;
  const server = createServer(
    { ...identity, ca, requestCert: true, rejectUnauthorized: true },
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const message = Buffer.concat(chunks).toString('utf8');
      received.push(message);
      await agency.script(message, response, request);
    },
  );
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agency: ScriptedAgency = {
    access: { endpointUrl: `https://127.0.0.1:${port}/soap`, ...client, ca },
    received,
    connections: () => connections,
    script,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return agency;
}

/** Answers with a document. */
export function reply(response: ServerResponse, xml: string, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'text/xml; charset=utf-8' }).end(xml);
}

export type Certificates = {
  readonly ca: Buffer;
  readonly server: { readonly key: string; readonly cert: string };
  readonly client: { readonly pfx: Buffer; readonly passphrase: string };
};

/** An authority, a server and a client that it vouches for, new each time. */
export async function certificates(): Promise<Certificates> {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-tls-'));
  try {
    const { ca, ...server } = await serverCredentials(folder);
    const pfx = readFileSync(join(folder, 'client.p12'));
    const passphrase = readFileSync(join(folder, 'client-passphrase.txt'), 'utf8');
    return { ca: Buffer.from(ca), server, client: { pfx, passphrase } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
