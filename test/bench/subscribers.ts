import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds, memoryMiB } from './processes.ts';
import { createCompanies, type RunningService, startService, type Workspace } from './workspace.ts';

/** What many subscribers cost, and how soon each of them hears of a change. */
export type Subscribers = {
  readonly count: number;
  readonly changesPerSecond: number;
  /** Of resident memory: once all are connected, and after the changes. */
  readonly kibEach: { readonly connected: number; readonly after: number } | null;
  /** What the service grows by while as many changes are issued and one alone subscribes, in MiB. */
  readonly mibWithOne: number | null;
  /** From the commit to the arrival, over every change at every subscriber. */
  readonly arrival: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
  /** From the commit until the last subscriber has it, in the median. */
  readonly allMs: number;
  /** Of one processor, while changes came. */
  readonly serviceCores: number | null;
};

const COUNT = 1_000;
const CHANGES_PER_SECOND = 100;
const KIB_EACH = 60;
const WITHIN_MS = 1_000;
/** That many connect at once. */
const AT_ONCE = 50;
/** Before and after a reading of memory, so that what was read is not the garbage of a moment ago. */
const SETTLES_MS = 3_000;
const QUERY =
  'subscription { invoiceChanged(filter: { eventTypes: ["invoice.issued"] }) { type sequence invoice { id number } } }';
const INVOICE = {
  type: 'simplified',
  line_items: [
    { description: 'Taxi', quantity: 1, unit_amount: 1_500, tax_items: [{ type: 'vat', rate: 10 }] },
  ],
};
const NEXT = Buffer.from('event: next');

/** Opens a thousand subscriptions at a real service, and issues a hundred invoices a second. */
export async function subscribers(
  workspace: Workspace,
  { seconds, quick }: { readonly seconds: number; readonly quick: boolean },
): Promise<Subscribers> {
  const count = quick ? 200 : COUNT;
  const { url, db } = await workspace.database('subscribers');
  // As behind a proxy: of one address alone a process serves no more connections than there are subscribers.
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  const service = await startService(workspace, url, { jobs: 'outside', profile: null, env });
  const [company] = await createCompanies(db, 1);
  const { key, environmentId } = company!.test;
  await warmUp(service, key);
  await pause(quick ? 0 : SETTLES_MS);
  const before = memoryMiB(service.pid);

  const arrivals: number[][] = [];
  const readers: ClientRequest[] = [];
  while (readers.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - readers.length) }, () => {
      const mine: number[] = [];
      arrivals.push(mine);
      return subscribe(service, key, () => mine.push(Date.now()));
    });
    readers.push(...(await Promise.all(some)));
  }
  await pause(quick ? 0 : SETTLES_MS);
  const connected = memoryMiB(service.pid);

  const [busy, begun] = [cpuSeconds(service.pid), performance.now()];
  await issueAtPace(service, key, seconds);
  const changes = seconds * CHANGES_PER_SECOND;
  while (arrivals.some((mine) => mine.length < changes)) await pause(20);
  const [used, elapsed] = [cpuSeconds(service.pid), (performance.now() - begun) / 1_000];
  await pause(quick ? 0 : SETTLES_MS);
  const after = memoryMiB(service.pid);

  const { rows } = await db.pool.query<{ at: Date }>(
    `select created_at as at from (select position, created_at from journal_entry
       where environment_id = $1 and type = 'invoice.issued' order by position desc limit $2) as last order by position`,
    [environmentId, changes],
  );
  const delays = arrivals.flatMap((mine) => mine.map((at, index) => at - rows[index]!.at.getTime()));
  const untilAll = rows.map(({ at }, index) =>
    Math.max(...arrivals.map((mine) => mine[index]! - at.getTime())),
  );
  for (const reader of readers) reader.destroy();
  await service.stop();
  const alone = await startService(workspace, url, { jobs: 'outside', profile: null, env });
  const mibWithOne = await growthWithOne(alone, key, { seconds, settlesMs: quick ? 0 : SETTLES_MS });
  delays.sort((one, other) => one - other);
  const each = (now: typeof before) =>
    before === null || now === null ? Number.NaN : (1_024 * (now.now - before.now)) / count;
  return {
    ...{ count, changesPerSecond: CHANGES_PER_SECOND },
    kibEach: before === null ? null : { connected: each(connected), after: each(after) },
    mibWithOne,
    arrival: { p50Ms: at(delays, 0.5), p99Ms: at(delays, 0.99), maxMs: delays.at(-1)! },
    allMs: at(
      untilAll.sort((one, other) => one - other),
      0.5,
    ),
    serviceCores: busy === null || used === null ? null : (used - busy) / elapsed,
  };
}

/** What a first request and a first subscriber load stays loaded. */
async function warmUp(service: RunningService, key: string): Promise<void> {
  await issueAtPace(service, key, 1);
  const warm = await Promise.all(Array.from({ length: AT_ONCE }, () => subscribe(service, key, () => {})));
  await issueAtPace(service, key, 1);
  for (const one of warm) one.destroy();
}

/** What as many changes with one subscriber cost: the part of the growth that is the service's own. */
async function growthWithOne(
  service: RunningService,
  key: string,
  { seconds, settlesMs }: { readonly seconds: number; readonly settlesMs: number },
): Promise<number | null> {
  await warmUp(service, key);
  await pause(settlesMs);
  const before = memoryMiB(service.pid);
  let received = 0;
  const reader = await subscribe(service, key, () => {
    received += 1;
  });
  await issueAtPace(service, key, seconds);
  while (received < seconds * CHANGES_PER_SECOND) await pause(20);
  await pause(settlesMs);
  const after = memoryMiB(service.pid);
  reader.destroy();
  await service.stop();
  return before === null || after === null ? null : after.now - before.now;
}

const at = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;

/** Resolves once the subscription is open; calls `onNext` for each result. */
function subscribe({ port }: RunningService, key: string, onNext: () => void): Promise<ClientRequest> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientRequest>();
  const headers = {
    ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    accept: 'text/event-stream',
  };
  const options = {
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/graphql',
    headers,
    agent: false as const,
  };
  const reader = request(options, (response: IncomingMessage) => {
    if (response.statusCode !== 200)
      return reject(new Error(`a subscription answers ${response.statusCode}`));
    // A message may be cut between two chunks.
    let end = Buffer.alloc(0);
    response.on('data', (chunk: Buffer) => {
      const text = end.length === 0 ? chunk : Buffer.concat([end, chunk]);
      let from = 0;
      for (let found = text.indexOf(NEXT); found >= 0; found = text.indexOf(NEXT, from)) {
        onNext();
        from = found + NEXT.length;
      }
      end = Buffer.from(text.subarray(Math.max(from, text.length - NEXT.length + 1)));
    });
    response.once('data', () => resolve(reader));
    response.on('error', () => {});
  });
  reader.on('error', reject);
  reader.end(JSON.stringify({ query: QUERY }));
  return promise;
}

async function issueAtPace({ baseUrl }: RunningService, key: string, seconds: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const issuing: Promise<void>[] = [];
  const begun = performance.now();
  for (let issued = 0; issued < seconds * CHANGES_PER_SECOND; issued += 1) {
    const due = begun + (1_000 * issued) / CHANGES_PER_SECOND;
    if (due > performance.now()) await pause(due - performance.now());
    const body = JSON.stringify(INVOICE);
    issuing.push(
      fetch(`${baseUrl}/v1/invoices`, { method: 'POST', headers, body }).then(async (answer) => {
        if (!answer.ok) throw new Error(`issuing answers ${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
      }),
    );
  }
  await Promise.all(issuing);
}

export function subscriberLines(found: Subscribers | null): string[] {
  if (found === null) return [];
  const { count, changesPerSecond, kibEach, mibWithOne, arrival, allMs, serviceCores } = found;
  const result = (reached: boolean) => (reached ? 'reached' : 'MISSED');
  const memory = `${kibEach?.connected.toFixed(1) ?? '–'} KiB each once connected, ${kibEach?.after.toFixed(1) ?? '–'} after the changes`;
  return [
    '',
    `${count} subscribers to the changes of one environment, ${changesPerSecond} changes a second`,
    `  resident memory of the service: ${memory}   (wanted ${KIB_EACH} or less: ${result(Math.max(kibEach?.connected ?? 0, kibEach?.after ?? 0) <= KIB_EACH)})`,
    `  with one subscriber and as many changes it grows by ${mibWithOne?.toFixed(1) ?? '–'} MiB by itself`,
    `  from commit to arrival: p50 ${arrival.p50Ms} ms, p99 ${arrival.p99Ms} ms, longest ${arrival.maxMs} ms; at all of them in the ` +
      `median after ${allMs} ms   (wanted ${WITHIN_MS} or less for the longest: ${result(arrival.maxMs <= WITHIN_MS)})`,
    `  ${serviceCores?.toFixed(2) ?? '–'} processors of the service meanwhile`,
  ];
}
