import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProgram, runProgram } from './running-program.ts';

/** A process of the fleet. */
export type Member = { readonly program: RunningProgram };
/** One that serves. `ready` is what the proxy knows of it. */
export type Server = Member & { readonly url: string; ready: boolean };

/** A worker that runs jobs, with its own metrics port. */
export type Worker = Member & { metricsPort(): Promise<number> };

/** API processes and workers on one database, as they would run on several machines. */
export type Fleet = {
  readonly serving: Server[];
  readonly working: Worker[];
  startApi(): Promise<Server>;
  startWorker(): Promise<Worker>;
  /** Ends all processes that still run, and removes their files. */
  remove(): Promise<void>;
};

/** `variables`: what all of its processes are set to. Nothing is started yet. */
export function newFleet(variables: Record<string, string>): Fleet {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-fleet-'));
  const shared = {
    LINK_SECRET: randomBytes(24).toString('hex'),
    CERTIFICATE_KEYS: `fleet:${randomBytes(32).toString('base64')}`,
    BASE_URL: 'http://lacre.test',
    HOST: '127.0.0.1',
    PORT: '0',
    ...variables,
  };
  const serving: Server[] = [];
  const working: Worker[] = [];
  const started: RunningProgram[] = [];
  const start = (file: string, more: Record<string, string>): RunningProgram => {
    const dataDir = join(folder, String(started.length + 1));
    const program = runProgram(file, { ...shared, ...more, DATA_DIR: dataDir });
    started.push(program);
    return program;
  };
  return {
    serving,
    working,
    async startApi() {
      const program = start('src/main.ts', { JOBS: 'outside' });
      const [, port] = await program.untilPrinted(/"port":(\d+).*"ready"/);
      const member = { program, url: `http://127.0.0.1:${port}`, ready: true };
      serving.push(member);
      return member;
    },
    async startWorker() {
      const program = start('jobs/main.ts', { METRICS_PORT: '0' });
      await program.untilPrinted(/"working"/);
      const metricsPort = async () => Number((await program.untilPrinted(/"metricsPort":(\d+)/))[1]);
      const member = { program, metricsPort };
      working.push(member);
      return member;
    },
    async remove() {
      await Promise.all(started.map((program) => program.end('SIGKILL')));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** How often the proxy asks whether a process is ready; some of it fits into the time for which one drains. */
const ASKED_EVERY_MS = 100;

/** Asks the processes as a proxy does whether they are ready, until stopped; tells which have said that they are not. */
export function watchReadiness(serving: readonly Server[]): () => ReadonlySet<Server> {
  const unready = new Set<Server>();
  const ask = async (server: Server): Promise<void> => {
    const answer = await fetch(`${server.url}/readyz`).catch(() => null);
    if (answer?.status === 503 && server.ready) unready.add(server);
    server.ready = answer?.status === 200;
  };
  const timer = setInterval(() => void Promise.all(serving.map(ask)), ASKED_EVERY_MS);
  return () => {
    clearInterval(timer);
    return unready;
  };
}

export type Sent = { readonly key: string; readonly idempotencyKey: string; readonly body: object };

/** What came of a request: an answer, or why there is none. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
export type Came = { readonly status: number; readonly body: any } | { readonly error: string };

// As a proxy does, connections are kept.
const agent = new Agent({ keepAlive: true });

export function closeConnections(): void {
  agent.destroy();
}

/** Sends an invoice to one process. */
export function post(url: string, { key, idempotencyKey, body }: Sent): Promise<Came> {
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ error: (error as { code?: string }).code ?? error.message });
    const text = JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'idempotency-key': idempotencyKey,
    };
    const sent = request(`${url}/v1/invoices`, { method: 'POST', agent, headers }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        answer += chunk;
      });
      response.on('error', fail);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(answer) }));
    });
    sent.on('error', fail);
    sent.end(text);
  });
}
