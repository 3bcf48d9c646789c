import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey, revokeKey } from '../../src/subjects/accounts/keys.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { enqueueDueChains } from '../../src/subjects/registration/due-chains.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type SimulatedAgency, simulatedAgency } from '../support/agency/simulated.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { journalMissing } from '../support/database/journal.ts';
import { PGBOUNCER, type PgBouncer, startPgBouncer } from '../support/database/pgbouncer.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import {
  closeConnections,
  type Fleet,
  type Member,
  newFleet,
  post,
  watchReadiness,
} from '../support/processes/fleet.ts';
import { eventually } from '../support/processes/running-program.ts';

if (PGBOUNCER === null) {
  console.warn('SKIPPED: the fleet needs pgbouncer (Debian: apt-get install pgbouncer)');
}

/** Few, so that the processes meet at the same chains and counters all the time. */
const COMPANIES = 3;
const CLIENTS = 4;
/** What a client does between two invoices; without it the processes would do nothing but render documents. */
const THINKING_MS = 250;

type Company = { readonly nif: string; readonly live: TestEnvironment; readonly seriesId: string };
/** An invoice that a client has been told is issued. */
type Issued = { readonly id: string; readonly externalId: string };

let database: TestDatabase;
let pooler: PgBouncer;
let agency: SimulatedAgency;
let fleet: Fleet;
const companies: Company[] = [];
const issued: Issued[] = [];
const unexpected: unknown[] = [];
let retried = 0;

describe.skipIf(PGBOUNCER === null)('three API processes and two workers behind PgBouncer', () => {
  beforeAll(async () => {
    [database, agency] = await Promise.all([testDatabase(), simulatedAgency()]);
    await agency.control({ wait_seconds: 0 });
    pooler = await startPgBouncer(database.url);
    for (let n = 1; n <= COMPANIES; n += 1) companies.push(await newCompany(n));
    fleet = newFleet({
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: database.url,
      ...{ SIMULATOR_URL: agency.url, SIMULATOR_TLS_URL: agency.tlsUrl, SIMULATOR_TLS_DIR: agency.tlsDir },
      DRAIN_SECONDS: '2',
      LOG_LEVEL: 'info',
      VALIDATIONS_PER_MINUTE: '4',
    });
    const starting = [fleet.startApi, fleet.startApi, fleet.startApi, fleet.startWorker, fleet.startWorker];
    await Promise.all(starting.map((start) => start()));
  });
  afterAll(async () => {
    closeConnections();
    await fleet?.remove();
    await Promise.all([pooler?.stop(), agency?.stop()]);
    await database?.close();
  });

  test('concurrent issuing through all of them leaves no gap, fork or duplicate, and registers each once', async () => {
    const load = startLoad('a', 'nothing goes wrong');
    await load.until(() => issued.length >= 60);
    expect(retried).toBe(0);
    await audit();
  });

  test('answer alike, count together, and refuse a revoked key at once', async () => {
    const [{ live }] = companies as [Company];
    const owner = { environmentId: live.environmentId, environment: 'live', name: 'spare' } as const;
    const revoked = await createApiKey(database.db.pool, owner);
    const callEach = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${revoked.key}`, 'content-type': 'application/json' };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const answers = [];
      for (const { url } of fleet.serving) answers.push(await fetch(url + path, init));
      return answers;
    };
    const read = await Promise.all(
      (await callEach('GET', '/v1/invoices?limit=3')).map((each) => each.json()),
    );
    const ids = read.map(({ data }) => data.map(({ id }: { id: string }) => id));
    expect(ids[0]).toHaveLength(3);
    expect(ids).toEqual([ids[0], ids[0], ids[0]]);
    const taxId = { tax_id: '12345678Z', tax_id_type: 'es_nif' };
    const validated = [1, 2].map(() => () => callEach('POST', '/v1/tax_ids/validate', taxId));
    const statuses = (await Promise.all(validated.map((send) => send()))).flat().map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 429, 429]);
    await revokeKey(database.db.pool, revoked.id);
    expect((await callEach('GET', '/v1/invoices')).map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  test('are restarted one after the other under load, and every request gets its answer', async () => {
    const load = startLoad('b', 'processes stop');
    const before = issued.length;
    const leaving = [...fleet.serving];
    const stopWatching = watchReadiness(fleet.serving);
    await Promise.all([
      restartEach(fleet.serving, fleet.startApi),
      restartEach(fleet.working, fleet.startWorker),
    ]);
    await load.stop();
    // Each said in time that it was about to leave, and went on answering.
    const unready = stopWatching();
    expect(leaving.filter((server) => unready.has(server))).toHaveLength(3);
    expect(issued.length - before).toBeGreaterThan(30);
    await audit();
  });

  test('lose one of each by kill -9 without losing or repeating anything', async () => {
    const load = startLoad('c', 'processes die');
    const before = issued.length;
    await load.reached(() => issued.length > before + 20);
    const [api, worker] = [fleet.serving[0]!, fleet.working[0]!];
    await Promise.all([api.program.end('SIGKILL'), worker.program.end('SIGKILL')]);
    const after = issued.length;
    await load.reached(() => issued.length > after + 30);
    await load.stop();
    await audit();
  });
});

async function newCompany(n: number): Promise<Company> {
  const nif = companyNif(n);
  const { live } = await createCompany(database.db, { nif });
  const { rows } = await database.db.pool.query<{ id: string }>(
    `insert into number_series (environment_id, id, prefix, type, yearly, created_at)
     values ($1, 'ns_' || md5($2), 'WEB', 'standard', true, now()) returning id`,
    [live.environmentId, nif],
  );
  await journalMissing(database.db, live.environmentId);
  return { nif, live, seriesId: rows[0]!.id };
}

async function restartEach<M extends Member>(members: M[], start: () => Promise<M>): Promise<void> {
  for (const old of [...members]) {
    const [code] = await Promise.all([old.program.end('SIGTERM'), start()]);
    expect(code, old.program.output()).toBe(0);
    members.splice(members.indexOf(old), 1);
  }
}

type Disturbance = 'nothing goes wrong' | 'processes stop' | 'processes die';

/** Clients that issue without end, for the same few companies and series, through whichever process. */
function startLoad(name: string, disturbance: Disturbance) {
  let running = true;
  let count = 0;
  const client = async () => {
    while (running && unexpected.length === 0) {
      count += 1;
      await issueOne(`${name}-${count}`, count, disturbance);
      await pause(THINKING_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  const reached = async (enough: () => boolean) => {
    await eventually(async () => enough() || unexpected.length > 0, Boolean);
  };
  const stop = async () => {
    running = false;
    await Promise.all(clients);
    expect(unexpected).toEqual([]);
  };
  return { stop, reached, until: (enough: () => boolean) => reached(enough).then(stop) };
}

/** Issues one invoice; every third request is sent twice at once, as by a client that lost patience. */
async function issueOne(externalId: string, n: number, disturbance: Disturbance): Promise<void> {
  const company = companies[n % COMPANIES]!;
  const number_series_id = n % 2 === 0 ? company.seriesId : undefined;
  const body = (n % 5 === 0 ? aCompleteInvoice : aSimplifiedInvoice)({
    external_id: externalId,
    number_series_id,
  });
  const sent = { key: company.live.key, idempotencyKey: `key-${externalId}`, body };
  const twice = n % 3 === 0 ? [n, n + 1] : [n];
  const answers = await Promise.all(twice.map((first) => issueUntilAnswered(first, sent, disturbance)));
  const [one, other] = answers;
  if (one !== null && other !== undefined && other !== null) expect(other.id).toBe(one!.id);
  const answered = answers.find((answer) => answer !== null);
  if (answered) issued.push({ ...answered, externalId });
}

type IssuedId = { readonly id: string };

/** Sends a request to one process after the other until one has answered that the invoice is issued. */
async function issueUntilAnswered(
  first: number,
  sent: Parameters<typeof post>[1],
  disturbance: Disturbance,
): Promise<IssuedId | null> {
  let { idempotencyKey } = sent;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const ready = fleet.serving.filter((server) => server.ready);
    const targets = ready.length > 0 ? ready : fleet.serving;
    const target = targets[(first + attempt) % targets.length]!;
    const reply = await post(target.url, { ...sent, idempotencyKey });
    if ('status' in reply && reply.status === 201) return { id: reply.body.id };
    const code = 'status' in reply ? reply.body.code : reply.error;
    const holder = code === 'external_id_already_used' ? /inv_\w+/.exec(JSON.stringify(reply)) : null;
    if (holder !== null) return { id: holder[0] };
    if (!isRetryable(code, disturbance)) {
      unexpected.push(reply);
      return null;
    }
    if (code === 'idempotency_conflict') {
      await pause(20);
      // The way out of the contract when a process died with the key: the same external_id under a fresh one.
      if (disturbance === 'processes die' && attempt > 50)
        idempotencyKey = `${sent.idempotencyKey}-${attempt}`;
    } else retried += 1;
  }
  unexpected.push(`no answer for ${sent.idempotencyKey}`);
  return null;
}

/** A twin under way is waited for. A proxy asks elsewhere where nobody listens or somebody is leaving. */
function isRetryable(code: string, disturbance: Disturbance): boolean {
  if (code === 'idempotency_conflict') return true;
  if (disturbance === 'nothing goes wrong') return false;
  if (code === 'ECONNREFUSED' || code === 'service_unavailable') return true;
  return disturbance === 'processes die' && (code === 'ECONNRESET' || code === 'socket hang up');
}

/** Everything that was promised is there, once; what is there is whole, and the agency has it, once. */
async function audit(): Promise<void> {
  await registered();
  const invoices = new Map<string, string>();
  for (const { nif, live } of companies) {
    const { rows } = await database.db.pool.query<{
      id: string;
      external_id: string;
      number: string;
      series_id: string;
      series_number: number;
    }>('select id, external_id, number, series_id, series_number from invoice where environment_id = $1', [
      live.environmentId,
    ]);
    for (const row of rows) {
      expect(invoices.has(row.external_id), row.external_id).toBe(false);
      invoices.set(row.external_id, row.id);
    }
    for (const series of new Set(rows.map((row) => row.series_id))) {
      const numbers = rows.filter((row) => row.series_id === series).map((row) => row.series_number);
      expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
    }
    const verified = await verifyEnvironment(database.db.pool, live.environmentId);
    expect(verified).toMatchObject({ findings: [], complete: true, records: rows.length });
    const accepted = (await agency.received(nif)).filter(({ state }) => state !== 'Incorrecto');
    expect(accepted.map(({ number }) => number).sort()).toEqual(rows.map(({ number }) => number).sort());
  }
  for (const { externalId, id } of issued) expect(invoices.get(externalId), externalId).toBe(id);
  expect(invoices.size).toBe(issued.length);
}

/**
 * Waits until nothing waits for the agency. What a dead worker had begun is left for two minutes in which it might come
 * back: that time is made to have passed.
 */
async function registered(): Promise<void> {
  await eventually(
    async () => {
      await database.db.pool.query(
        `update chain_dispatch set lease_until = now() - interval '1 second', next_send_at = now()
          where lease_token is not null and lease_until < now() + interval '116 seconds'`,
      );
      await enqueueDueChains(database.db.pool);
      const { rows } = await database.db.pool.query(
        `select status::text, count(*)::int from record_state where status <> 'registered' group by status`,
      );
      return rows;
    },
    (rows) => rows.length === 0,
  );
}
