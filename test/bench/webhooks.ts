import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../src/ground/db/client.ts';
import type { TestCompany } from '../support/invoices/company.ts';
import { tidyUp } from './audit.ts';
import { createCompanies, type RunningService, startService, type Workspace } from './workspace.ts';

/** What was found out about delivering events: how many a second, and how long after their commit they arrive. */
export type Delivering = {
  readonly events: number;
  readonly perSecond: number;
  readonly steady: Latency;
  /** The same ten endpoints without, and beside, those that never answer; without: before and after they were there. */
  readonly alone: Latency;
  readonly besideDead: Latency;
  readonly dead: number;
};

type Latency = { readonly events: number; readonly p50Ms: number; readonly p99Ms: number };

const LIVE = 10;
const DEAD_COMPANIES = 50;
/** The most that an environment may have. */
const DEAD_EACH = 20;
/** Each invoice is two of the events that are delivered: issued, and registered. */
const INVOICES_PER_SECOND = 50;
const TYPES = ['invoice.issued', 'invoice.registered'];

const INVOICE = {
  type: 'simplified',
  line_items: [
    { description: 'Taxi', quantity: 1, unit_amount: 1_500, tax_items: [{ type: 'vat', rate: 10 }] },
  ],
};

/** Delivers events from one process, which also renders documents, to a receiver in this one. */
export async function delivering(
  workspace: Workspace,
  { seconds, quick }: { readonly seconds: number; readonly quick: boolean },
): Promise<Delivering> {
  const { url, db } = await workspace.database('webhooks');
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  const service = await startService(workspace, url, { jobs: 'inside', profile: null, env });
  const receiver = await receive();
  const place = { db, service, receiver, seconds };
  const [one, ...others] = await createCompanies(db, 1 + LIVE + DEAD_COMPANIES);
  const { events, perSecond } = await replaying(place, one!, quick ? 200 : 2_000);
  const single = await steady(place, [one!.test.key]);
  const keys = others.map(({ test }) => test.key);
  const { alone, besideDead } = await beside(place, keys.slice(0, LIVE), keys.slice(LIVE));
  await service.stop();
  receiver.close();
  return {
    ...{ events, perSecond, alone: latencyOf(alone), dead: DEAD_COMPANIES * DEAD_EACH },
    ...{ steady: latencyOf(single), besideDead: latencyOf(besideDead) },
  };
}

type Place = {
  readonly db: Db;
  readonly service: RunningService;
  readonly receiver: Awaited<ReturnType<typeof receive>>;
  readonly seconds: number;
};

async function post(
  { service }: Pick<Place, 'service'>,
  key: string,
  path: string,
  body: unknown,
): Promise<{ id: string }> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return (await response.json()) as { id: string };
}

const issue = (place: Place, key: string) => post(place, key, '/v1/invoices', INVOICE);

const listenTo = (place: Place, key: string, url: string) =>
  post(place, key, '/v1/webhook_endpoints', { url, event_types: TYPES });

/** The events of as many invoices, delivered once more from the first. */
async function replaying(
  place: Place,
  { test: { key, environmentId } }: TestCompany,
  invoices: number,
): Promise<Pick<Delivering, 'events' | 'perSecond'>> {
  const { db, receiver } = place;
  await inTurns(16, invoices, () => issue(place, key));
  await documentsMade(db, environmentId, invoices);
  await tidyUp(db.pool);
  const { id } = await listenTo(place, key, receiver.url);
  await issue(place, key);
  await receiver.until(2);
  const begun = performance.now();
  await post(place, key, `/v1/webhook_endpoints/${id}/replay`, { from_sequence: 1 });
  const events = 2 * invoices;
  await receiver.until(2 + events);
  return { events, perSecond: (1_000 * events) / (performance.now() - begun) };
}

/** The delays of events while companies issue at a steady pace, in turn. */
async function steady(place: Place, keys: readonly string[]): Promise<number[]> {
  const { receiver, seconds } = place;
  receiver.delays.length = 0;
  const issuing: Promise<unknown>[] = [];
  const invoices = INVOICES_PER_SECOND * seconds;
  for (let issued = 0; issued < invoices; issued += 1) {
    issuing.push(issue(place, keys[issued % keys.length]!));
    await pause(1_000 / INVOICES_PER_SECOND);
  }
  await Promise.all(issuing);
  await receiver.until(2 * invoices);
  return [...receiver.delays];
}

/** The delays of the live without, and beside, endpoints that never answer. */
async function beside(
  place: Place,
  live: readonly string[],
  deaf: readonly string[],
): Promise<{ alone: number[]; besideDead: number[] }> {
  const { db, receiver } = place;
  const hanging = await listen(() => undefined);
  await Promise.all(live.map((key) => listenTo(place, key, receiver.url)));
  await steady(place, live);
  const before = await steady(place, live);
  for (const key of deaf) {
    await Promise.all(Array.from({ length: DEAD_EACH }, () => listenTo(place, key, hanging.url)));
  }
  await Promise.all(deaf.map((key) => issue(place, key)));
  const besideDead = await steady(place, live);
  // A machine that grows slower meanwhile favours neither side.
  await db.pool.query(
    `update webhook_endpoint set status = 'disabled', disabled_reason = 'measured' where url = $1`,
    [hanging.url],
  );
  const after = await steady(place, live);
  hanging.close();
  return { alone: [...before, ...after], besideDead };
}

async function inTurns(atOnce: number, times: number, work: () => Promise<unknown>): Promise<void> {
  let left = times;
  const turns = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, turns));
}

async function documentsMade({ pool }: Db, environmentId: number, wanted: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ made: number }>(
      `select count(*)::int as made from journal_entry where environment_id = $1 and type = 'invoice.document_ready'`,
      [environmentId],
    );
    if (rows[0]!.made >= wanted) return;
    await pause(200);
  }
}

function latencyOf(delays: readonly number[]): Latency {
  const sorted = [...delays].sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return { events: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** A receiver that notes how long after its commit each event arrives. */
async function receive() {
  const delays: number[] = [];
  const server = await listen((body) => {
    delays.push(Date.now() - Date.parse((JSON.parse(body) as { created_at: string }).created_at));
    return 204;
  });
  return {
    ...server,
    delays,
    async until(count: number) {
      while (delays.length < count) await pause(10);
    },
  };
}

/** A server on the loopback address; without an answer it hangs. */
async function listen(answer: (body: string) => number | undefined) {
  const server = createServer(async (request, response) => {
    const status = answer(await text(request));
    if (status !== undefined) response.writeHead(status).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
