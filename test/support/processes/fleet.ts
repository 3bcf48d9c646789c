import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProgram, runProgram } from './running-program.ts';

/** A process of the fleet. */
export type Member = { readonly program: RunningProgram };
/** An API process. `ready`: whether it was ready when the proxy last checked. */
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

/** An empty fleet, whose processes have the settings `variables`. */
export function newFleet(variables: Record<string, string>): Fleet {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-fleet-'));
  const shared = {
    LINK_SECRETS: randomBytes(24).toString('hex'),
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

/** The interval at which the proxy checks readiness: several checks fit into the time for which a process drains. */
const CHECK_MS = 100;

/** Checks readiness as a proxy does, until it is stopped; returns the processes that have answered that they are not ready. */
export function watchReadiness(serving: readonly Server[]): () => ReadonlySet<Server> {
  const unready = new Set<Server>();
  const check = async (server: Server): Promise<void> => {
    const answer = await fetch(`${server.url}/readyz`).catch(() => null);
    if (answer?.status === 503 && server.ready) unready.add(server);
    server.ready = answer?.status === 200;
  };
  const timer = setInterval(() => void Promise.all(serving.map(check)), CHECK_MS);
  return () => {
    clearInterval(timer);
    return unready;
  };
}

/** The request of an invoice. */
export type Sent = { readonly key: string; readonly idempotencyKey: string; readonly body: object };

/** The answer to a request, or why there is none. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
export type PostResult = { readonly status: number; readonly body: any } | { readonly error: string };

// Connections are reused, as by a proxy.
const agent = new Agent({ keepAlive: true });

export function closeConnections(): void {
  agent.destroy();
}

/** Sends an invoice to one process. */
export function post(url: string, { key, idempotencyKey, body }: Sent): Promise<PostResult> {
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
