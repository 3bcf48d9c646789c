import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { plainEndpoints, type SimulatorContext, tlsEndpoints } from './endpoints.ts';
import { Envelopes } from './envelopes.ts';
import { readSecret } from './guard.ts';
import { type Handler, limit, send } from './http.ts';
import { type Log, type Simulator, type SimulatorOptions, tlsFolder } from './options.ts';
import { QUERY_PAGE_SIZE } from './query.ts';
import { MAX_RECORDS } from './registration.ts';
import { initialSettings } from './settings.ts';
import { Store } from './store.ts';
import { serverCredentials } from './tls.ts';

/** A predecessor that is just ending gives its port back within this time. */
const PORT_TIMEOUT_MS = 1_500;
const PORT_RETRY_MS = 50;

/**
 * Starts the simulator in this process and resolves when both ports answer. What it received before is still known.
 * Rejects when a port is taken (unless `portFallback`) or the data directory cannot be written.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const log: Log = options.log ?? (() => {});
  const tlsDir = tlsFolder(options.dataDir);
  const { name = 'localhost', now = () => new Date() } = options;
  const secret = readSecret(options.dataDir);
  const credentials = await serverCredentials(tlsDir, name, now());
  const { schemas = null } = options;
  const store = new Store(join(options.dataDir, 'received.jsonl'));
  const context: SimulatorContext = {
    store,
    schemas,
    settings: initialSettings(options.waitSeconds),
    statistics: { envelopes: 0, records: 0, earlyEnvelopes: 0 },
    envelopes: new Envelopes(),
    queryPageSize: options.queryPageSize ?? QUERY_PAGE_SIZE,
    mostRecords: options.mostRecords ?? MAX_RECORDS,
    hanging: new Set(),
    guard: { secret, name },
    now,
    registersOnly: options.registersOnly ?? false,
  };
  const plain = createServer(router(plainEndpoints(context), log));
  const tls = createTlsServer(
    {
      ca: credentials.ca,
      cert: credentials.cert,
      key: credentials.key,
      requestCert: true,
      rejectUnauthorized: true,
    },
    router(tlsEndpoints(context), log),
  );
  const servers = [plain, tls];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map(close));
    store.close();
  };
  try {
    const host = options.host ?? '127.0.0.1';
    const port = await listen(plain, options.port, host, options, log);
    const tlsHost = options.name === undefined ? '127.0.0.1' : host;
    const tlsPort = await listen(tls, options.tlsPort, tlsHost, options, log);
    log('simulator listens', { port, tlsPort, records: store.count, schemas: schemas !== null });
    return { url: `http://${name}:${port}`, tlsUrl: `https://${name}:${tlsPort}`, tlsDir, secret, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function router(endpoints: ReadonlyMap<string, Handler>, log: Log): RequestListener {
  return (request, response) => {
    answer(endpoints, request, response).catch((error: unknown) => {
      log('request failed', { path: request.url?.split('?')[0], error: String(error) });
      send(response, 500, 'text/plain; charset=utf-8', 'The simulator failed.\n', { connection: 'close' });
    });
  };
}

async function answer(
  endpoints: ReadonlyMap<string, Handler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = request.url ?? '';
  const url = URL.canParse(target, 'http://localhost') ? new URL(target, 'http://localhost') : null;
  const handler = url === null ? undefined : endpoints.get(url.pathname);
  if (url === null || handler === undefined) {
    send(response, 404, 'text/plain; charset=utf-8', 'Not found.\n');
    return;
  }
  await handler(request, response, url);
}

async function listen(
  server: Server,
  port: number,
  host: string,
  { portFallback = false }: SimulatorOptions,
  log: Log,
): Promise<number> {
  limit(server);
  const deadline = performance.now() + PORT_TIMEOUT_MS;
  for (let candidate = port; ; ) {
    const error = await tryToListen(server, candidate, host);
    if (error === null) return (server.address() as AddressInfo).port;
    const waits = performance.now() < deadline && candidate !== 0;
    if (waits) await pause(PORT_RETRY_MS);
    else if (!portFallback || candidate === 0) throw error;
    else {
      log('port is taken, using a free one', { port });
      candidate = 0;
    }
  }
}

/** Null when the server listens, the error when the port is taken. Other errors are thrown. */
function tryToListen(server: Server, port: number, host: string): Promise<Error | null> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off('listening', listens);
      if (error.code === 'EADDRINUSE') resolve(error);
      else reject(error);
    };
    const listens = (): void => {
      server.off('error', failed);
      resolve(null);
    };
    server.once('error', failed).once('listening', listens).listen(port, host);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
