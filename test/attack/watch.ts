import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

/**
 * What a neighbour of the attacker does: reads an invoice, issues one, takes the PDF of what it issued, and is delivered its
 * event.
 */
export const OPERATIONS = ['read', 'issue', 'PDF', 'delivery'] as const;
export type WatchedOperation = (typeof OPERATIONS)[number];

export type Latencies = { readonly count: number; readonly p50Ms: number; readonly p99Ms: number };

/** What was seen in a stretch of time. */
export type Seen = {
  readonly health: { readonly requests: number; readonly longestMs: number; readonly failed: number };
  readonly neighbour: Readonly<Record<WatchedOperation, Latencies>>;
  /** How late this process, which has next to nothing to do, was itself: the machine was that short of processors. */
  readonly lateMs: number;
  /** What the neighbour got instead of an answer, or other than it should. */
  readonly faults: Readonly<Record<string, number>>;
};

export type Watch = {
  /** What was seen since the last time, also what has been asked and not yet answered. */
  take(): Seen;
  stop(): Promise<void>;
};

const HEALTH_EVERY_MS = 100;
const TICK_MS = 20;
/** The neighbour is no load: each operation again after so long. */
const PAUSE_MS: Record<'read' | 'issue', number> = { read: 15, issue: 60 };
const TIMEOUT_MS = 60_000;

type Answer = { readonly status: number; readonly body: string };

type RequestOptions = {
  readonly port: number;
  readonly path: string;
  readonly agent: Agent | false;
  readonly key?: string;
  readonly body?: string;
  readonly method?: 'DELETE';
};

function send({ port, path, agent, key, body, method: requestedMethod }: RequestOptions): Promise<Answer> {
  return new Promise((answered, failed) => {
    const headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    };
    const method = requestedMethod ?? (body === undefined ? 'GET' : 'POST');
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', failed);
      response.once('end', () =>
        answered({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('latin1') }),
      );
    });
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('no answer')));
    sent.once('error', failed);
    sent.end(body);
  });
}

/**
 * Observes a service from another address than the attacker’s: requests /healthz ten times a second, each time on a new
 * connection as probes do, and does what a neighbour does, one operation of each kind at a time.
 */
export function watchService(port: number, account: { key: string; invoiceId: string }): Watch {
  const probe = new HealthProbe(port);
  const neighbour = new Neighbour(port, account);
  const ticker = new Ticker();
  return {
    take: () => ({ health: probe.take(), lateMs: ticker.take(), ...neighbour.take() }),
    async stop() {
      probe.stop();
      ticker.stop();
      await neighbour.stop();
    },
  };
}

class HealthProbe {
  readonly #port: number;
  readonly #timer: NodeJS.Timeout;
  readonly #underWay = new Set<number>();
  #health = { requests: 0, longestMs: 0, failed: 0 };

  constructor(port: number) {
    this.#port = port;
    this.#timer = setInterval(() => void this.#probe(), HEALTH_EVERY_MS);
  }

  take(): Seen['health'] {
    const now = performance.now();
    const waiting = [...this.#underWay].map((begun) => now - begun);
    const seen = { ...this.#health, longestMs: Math.max(this.#health.longestMs, ...waiting) };
    this.#health = { requests: 0, longestMs: 0, failed: 0 };
    return seen;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #probe(): Promise<void> {
    const begun = performance.now();
    this.#underWay.add(begun);
    const ok = await send({ port: this.#port, path: '/healthz', agent: false }).then(
      ({ status }) => status === 200,
      () => false,
    );
    this.#underWay.delete(begun);
    const health = this.#health;
    health.requests += 1;
    if (!ok) health.failed += 1;
    health.longestMs = Math.max(health.longestMs, performance.now() - begun);
  }
}

/** Notices how late this process itself is. */
class Ticker {
  readonly #timer: NodeJS.Timeout;
  #ticked = performance.now();
  #lateMs = 0;

  constructor() {
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#lateMs = Math.max(this.#lateMs, now - this.#ticked - TICK_MS);
      this.#ticked = now;
    }, TICK_MS);
  }

  take(): number {
    const seen = this.#lateMs;
    this.#lateMs = 0;
    return seen;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

class Neighbour {
  readonly #port: number;
  readonly #account: { readonly key: string; readonly invoiceId: string };
  readonly #agent = new Agent({ keepAlive: true });
  readonly #receiver = new Receiver();
  readonly #lanes: Promise<unknown>;
  /** When its invoices were answered, until their events have come. */
  readonly #awaited = new Map<string, number>();
  /** Of invoices whose event has come before their answer: it is not waited for any more. */
  readonly #early = new Set<string>();
  #latencies = noLatencies();
  #faults: Record<string, number> = {};
  #stopped = false;

  constructor(port: number, account: { key: string; invoiceId: string }) {
    this.#port = port;
    this.#account = account;
    this.#receiver.answer = (response, { body: event }) => {
      response.writeHead(204).end();
      this.#arrived((JSON.parse(event) as { data: { object: { id: string } } }).data.object.id);
    };
    this.#lanes = Promise.all([this.#reading(), this.#issuing()]);
  }

  take(): Pick<Seen, 'neighbour' | 'faults'> {
    const { read, issue, PDF, delivery } = this.#latencies;
    const delivered = withWaiting(delivery, this.#awaited, performance.now());
    const faults = this.#faults;
    this.#latencies = noLatencies();
    this.#faults = {};
    return {
      neighbour: {
        ...{ read: summary(read), issue: summary(issue), PDF: summary(PDF) },
        delivery: summary(delivered),
      },
      faults,
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#lanes;
    this.#agent.destroy();
  }

  #send(options: Omit<RequestOptions, 'port' | 'agent'>): Promise<Answer> {
    return send({ port: this.#port, agent: this.#agent, ...options });
  }

  async #timed(
    operation: WatchedOperation,
    expected: number,
    options: Omit<RequestOptions, 'port' | 'agent'>,
  ) {
    const begun = performance.now();
    const outcome = await this.#send(options).catch((error: NodeJS.ErrnoException) => error);
    const status = outcome instanceof Error ? (outcome.code ?? outcome.message) : outcome.status;
    if (status === expected) this.#latencies[operation].push(performance.now() - begun);
    else {
      const what = `${operation}: ${status}`;
      this.#faults[what] = (this.#faults[what] ?? 0) + 1;
    }
    return outcome instanceof Error || status !== expected ? null : outcome.body;
  }

  #arrived(id: string): void {
    const answered = this.#awaited.get(id);
    if (answered === undefined) this.#early.add(id);
    else this.#latencies.delivery.push(performance.now() - answered);
    this.#awaited.delete(id);
  }

  async #reading(): Promise<void> {
    const { key, invoiceId } = this.#account;
    while (!this.#stopped) {
      await this.#timed('read', 200, { path: `/v1/invoices/${invoiceId}`, key });
      await pause(PAUSE_MS.read);
    }
  }

  async #issuing(): Promise<void> {
    const { key } = this.#account;
    const url = await this.#receiver.open();
    const endpoint = JSON.stringify({ url, event_types: ['invoice.issued'] });
    const opened = await this.#send({ key, path: '/v1/webhook_endpoints', body: endpoint });
    const body = JSON.stringify(aSimplifiedInvoice());
    while (!this.#stopped) {
      const issued = await this.#timed('issue', 201, { path: '/v1/invoices', key, body });
      if (issued !== null) {
        const { id, pdf_url } = JSON.parse(issued) as { id: string; pdf_url: string };
        if (!this.#early.delete(id)) this.#awaited.set(id, performance.now());
        const { pathname, search } = new URL(pdf_url);
        await this.#timed('PDF', 200, { path: pathname + search });
      }
      await pause(PAUSE_MS.issue);
    }
    const { id } = JSON.parse(opened.body) as { id: string };
    await this.#send({ key, path: `/v1/webhook_endpoints/${id}`, method: 'DELETE' });
    this.#receiver.close();
  }
}

const noLatencies = (): Record<WatchedOperation, number[]> => ({
  read: [],
  issue: [],
  PDF: [],
  delivery: [],
});

/** What has not come counts with the time that it has been waited for. */
const withWaiting = (completed: number[], awaited: ReadonlyMap<string, number>, now: number): number[] => [
  ...completed,
  ...[...awaited.values()].map((since) => now - since),
];

function summary(values: number[]): Latencies {
  const sorted = values.sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}
