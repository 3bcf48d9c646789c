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
export function watchService(port: number, neighbour: { key: string; invoiceId: string }): Watch {
  const agent = new Agent({ keepAlive: true });
  const { key } = neighbour;
  let stopped = false;
  let latencies = noLatencies();
  let faults: Record<string, number> = {};
  let health = { requests: 0, longestMs: 0, failed: 0 };
  const underWay = new Set<number>();
  let lateMs = 0;
  let ticked = performance.now();

  const probe = async () => {
    const begun = performance.now();
    underWay.add(begun);
    const ok = await send({ port, path: '/healthz', agent: false }).then(
      ({ status }) => status === 200,
      () => false,
    );
    underWay.delete(begun);
    health.requests += 1;
    if (!ok) health.failed += 1;
    health.longestMs = Math.max(health.longestMs, performance.now() - begun);
  };

  const timed = async (
    operation: WatchedOperation,
    expected: number,
    options: Omit<RequestOptions, 'port' | 'agent'>,
  ) => {
    const begun = performance.now();
    const outcome = await send({ port, agent, ...options }).catch((error: NodeJS.ErrnoException) => error);
    const status = outcome instanceof Error ? (outcome.code ?? outcome.message) : outcome.status;
    if (status === expected) latencies[operation].push(performance.now() - begun);
    else {
      const what = `${operation}: ${status}`;
      faults[what] = (faults[what] ?? 0) + 1;
    }
    return outcome instanceof Error || status !== expected ? null : outcome.body;
  };

  const reading = async () => {
    while (!stopped) {
      await timed('read', 200, { path: `/v1/invoices/${neighbour.invoiceId}`, key });
      await pause(PAUSE_MS.read);
    }
  };
  const body = JSON.stringify(aSimplifiedInvoice());
  /** When its invoices were answered, until their events have come. */
  const awaited = new Map<string, number>();
  /** Of invoices whose event has come before their answer: it is not waited for any more. */
  const early = new Set<string>();
  const receiver = new Receiver();
  receiver.answer = (response, { body: event }) => {
    response.writeHead(204).end();
    const { id } = (JSON.parse(event) as { data: { object: { id: string } } }).data.object;
    const answered = awaited.get(id);
    if (answered === undefined) early.add(id);
    else latencies.delivery.push(performance.now() - answered);
    awaited.delete(id);
  };
  const issuing = async () => {
    const url = await receiver.open();
    const endpoint = JSON.stringify({ url, event_types: ['invoice.issued'] });
    const opened = await send({ port, agent, key, path: '/v1/webhook_endpoints', body: endpoint });
    while (!stopped) {
      const issued = await timed('issue', 201, { path: '/v1/invoices', key, body });
      if (issued !== null) {
        const { id, pdf_url } = JSON.parse(issued) as { id: string; pdf_url: string };
        if (!early.delete(id)) awaited.set(id, performance.now());
        const { pathname, search } = new URL(pdf_url);
        await timed('PDF', 200, { path: pathname + search });
      }
      await pause(PAUSE_MS.issue);
    }
    const { id } = JSON.parse(opened.body) as { id: string };
    await send({ port, agent, key, path: `/v1/webhook_endpoints/${id}`, method: 'DELETE' });
    receiver.close();
  };
  const timer = setInterval(() => void probe(), HEALTH_EVERY_MS);
  const ticking = setInterval(() => {
    const now = performance.now();
    lateMs = Math.max(lateMs, now - ticked - TICK_MS);
    ticked = now;
  }, TICK_MS);
  const lanes = Promise.all([reading(), issuing()]);

  return {
    take() {
      const now = performance.now();
      const waiting = [...underWay].map((begun) => now - begun);
      const seen: Seen = {
        health: { ...health, longestMs: Math.max(health.longestMs, ...waiting) },
        neighbour: {
          read: summary(latencies.read),
          issue: summary(latencies.issue),
          PDF: summary(latencies.PDF),
          delivery: summary(withWaiting(latencies.delivery, awaited, now)),
        },
        lateMs,
        faults,
      };
      lateMs = 0;
      latencies = noLatencies();
      faults = {};
      health = { requests: 0, longestMs: 0, failed: 0 };
      return seen;
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      clearInterval(ticking);
      await lanes;
      agent.destroy();
    },
  };
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
