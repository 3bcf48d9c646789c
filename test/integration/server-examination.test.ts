import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Examination } from '../../src/ground/db/examine.ts';
import { Heartbeat } from '../../src/ground/db/heartbeat.ts';
import { ServerChanged } from '../../src/ground/db/lineage.ts';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { append } from '../../src/ground/journal/append.ts';
import { madridDay, yearIn } from '../../src/ground/lib/calendar.ts';
import { examineOnce } from '../../src/startup/lineage.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { openNewInstallation } from '../../src/subjects/operations/installation.ts';
import { type NamedServer, namedServer } from '../support/database/named-server.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf } from '../support/http/protocols.ts';
import type { TestEnvironment } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';

/** What processes do on a server that took over, rule by rule; `integration/failover` tests the whole with two servers. */

const log = testLog();
const thisYear = () => yearIn('Europe/Madrid', new Date());
let first: TestService;
let second: TestService;
let server: NamedServer;
let operator: string;
const hearts: Heartbeat[] = [];

beforeAll(async () => {
  first = await testService();
  second = await testService({}, { beside: first });
  operator = (await createOperatorKey(first.db.pool, 'Ada')).key;
  server = await namedServer(first.owner);
  await examine(first);
});
afterAll(async () => {
  await second?.close();
  await first?.close();
});

/** Both processes know the server, commits wait for a standby, and nobody has written a heartbeat. */
beforeEach(async () => {
  await first.owner.query('delete from service_process');
  await server.setSynchronous(true);
  await server.promote();
  for (const process of [first, second]) await examine(process);
  await releaseChains();
});
afterEach(async () => {
  await Promise.all(hearts.splice(0).map((heart) => heart.end()));
});

const examine = ({ db }: TestService): Promise<Examination> => examineOnce({ db, log }, null);

const held = async () => (await first.owner.query('select from chain where hold is not null')).rowCount;

/** As after the agency has been asked. */
const releaseChains = () => first.owner.query('update chain set hold = null, held_at = null');

const issue = (process: TestService, { key }: Pick<TestEnvironment, 'key'> = first.company.live) =>
  process.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() });

async function issued(
  process: TestService,
  environment?: TestEnvironment,
): Promise<{ id: string; number: string }> {
  const { status, body } = await issue(process, environment);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** A process that is alive. */
async function alive({ db, databaseUrl }: TestService, issues = true): Promise<Heartbeat> {
  const heart = new Heartbeat(databaseUrl, db.lineage, { issues });
  hearts.push(heart);
  await heart.beat();
  return heart;
}

async function tailOf({ environmentId }: TestEnvironment) {
  type Row = { environmentId: number; chainId: number; position: number; fingerprint: string };
  const { rows } = await first.owner.query<Row>(
    `select environment_id as "environmentId", id as "chainId", last_position as position, last_fingerprint as fingerprint from chain
      where environment_id = $1 and closed_at is null`,
    [environmentId],
  );
  return rows[0]!;
}

/** A process has acknowledged a record that the server does not have. */
async function acknowledgeLost({ db }: TestService): Promise<void> {
  const tail = await tailOf(first.company.live);
  db.lineage.acknowledged.record({ ...tail, position: tail.position + 1, fingerprint: 'F'.repeat(64) });
}

const lost = (records: number, numbers: number, others: number): string =>
  `records of ${records} chains, numbers of ${numbers} series and ${others} of the last other changes were acknowledged and are missing`;
const LOST_ONE = lost(1, 0, 0);
const PAYMENT = { amount: 100, paid_on: madridDay(new Date()), means: 'cash' };
const ASYNCHRONOUS = 'commits did not wait for a standby';

describe('a standby that took over', () => {
  test('is issued on at once if it has everything acknowledged and commits waited for it', async () => {
    await issued(first);
    await server.promote();
    expect(await examine(first)).toMatchObject({ kind: 'promoted', doubt: null, held: 0 });
    expect(await held()).toBe(0);
    await issued(first);
  });

  test('holds live chains if commits did not wait for a standby', async () => {
    // As any process has noted.
    await first.owner.query('update database_lineage set synchronous = false');
    await server.promote();
    expect(await examine(first)).toMatchObject({ kind: 'promoted', doubt: ASYNCHRONOUS, held: 1 });
    expect(await issue(first)).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    await issued(first, first.company.test);
  });

  test('holds them if something was issued while commits did not wait, though the database has no record of it', async () => {
    await server.setSynchronous(false);
    await issued(first, first.company.test);
    await server.promote();
    expect((await server.lineage()).synchronous).toBe(true);
    expect(await examine(first)).toMatchObject({ doubt: ASYNCHRONOUS, held: 1 });
    // That was said of the server before, not of this one.
    await server.setSynchronous(true);
    await first.owner.query('update database_lineage set synchronous = true');
    await releaseChains();
    await server.promote();
    expect(await examine(first)).toMatchObject({ doubt: null, held: 0 });
  });

  test('holds them if commits did not wait at the last heartbeat, which it does not have either', async () => {
    await server.setSynchronous(false);
    await alive(first);
    await first.owner.query('update database_lineage set synchronous = true');
    await server.promote();
    expect(await examine(first)).toMatchObject({ doubt: ASYNCHRONOUS, held: 1 });
  });

  test('does not if a standby has received a heartbeat since', async () => {
    await server.setSynchronous(false);
    await issued(first, first.company.test);
    await server.setSynchronous(true);
    await alive(first);
    await server.promote();
    expect(await examine(first)).toMatchObject({ doubt: null, held: 0 });
  });

  test('holds them if it lacks a record that was acknowledged, and compares it once', async () => {
    await issued(first);
    await acknowledgeLost(first);
    await server.promote();
    expect(await examine(first)).toMatchObject({ kind: 'promoted', doubt: LOST_ONE, held: 1 });
    expect((await issue(first)).status).toBe(503);
    await releaseChains();
    await server.promote();
    expect(await examine(first)).toMatchObject({ doubt: null, held: 0 });
  });

  test('holds them if it has another record in the place of one that was acknowledged', async () => {
    await issued(first);
    const tail = await tailOf(first.company.live);
    first.db.lineage.acknowledged.clear();
    first.db.lineage.acknowledged.record({ ...tail, fingerprint: 'F'.repeat(64) });
    await server.promote();
    expect(await examine(first)).toMatchObject({ doubt: LOST_ONE, held: 1 });
  });

  test.each<[what: string, type: string, act: (id: string) => Promise<unknown>]>([
    ['a payment', 'invoice.payment_recorded', (id) => operationsOf(first, 'REST').recordPayment(id, PAYMENT)],
    ['what an operator did', 'audit_entry.added', (id) => voiding(id)],
  ])('holds them if it lacks any other change that was acknowledged: %s', async (_what, type, act) => {
    const { id } = await issued(first, first.company.test);
    await act(id);
    await server.promote();
    expect(await examine(first)).toMatchObject({ doubt: null, held: 0 });
    await first.owner.query(
      `begin; set local session_replication_role = replica; delete from journal_entry where type = '${type}'; commit`,
    );
    await server.promote();
    const doubt = expect.stringMatching(/ and [1-9]\d* of the last other changes were/);
    expect(await examine(first)).toMatchObject({ doubt, held: 1 });
  });

  test('is not compared with what was rolled back', async () => {
    const { environmentId } = first.company.test;
    const added = { environmentId, type: 'ping', subjectId: 'x', at: new Date(), content: '{}' } as const;
    const failing = inTransaction(first.db.pool, async (client) => {
      await append(client, [added]);
      throw new Error('changed its mind');
    });
    await expect(failing).rejects.toThrow('changed its mind');
    // On the same connection, and without an entry.
    await inTransaction(first.db.pool, (client) => client.query('select 1'));
    await server.promote();
    expect(await examine(first)).toMatchObject({ doubt: null, held: 0 });
  });

  test.each(['test', 'live'] as const)(
    'skips numbers that were acknowledged and are missing in %s',
    async (kind) => {
      const environment = first.company[kind];
      const { number } = await issued(first, environment);
      const last = Number(number.split('-').at(-1));
      const year = thisYear();
      const series = { environmentId: environment.environmentId, seriesId: environment.standardSeriesId };
      first.db.lineage.acknowledged.number({ ...series, year, number: last + 5 });
      await server.promote();
      expect(await examine(first)).toMatchObject({ doubt: lost(0, 1, 0), held: 1 });
      await releaseChains();
      expect((await issued(first, environment)).number).toBe(`F-${year}-${last + 6}`);
      const { rows } = await first.owner.query(
        'select from_number, to_number from counter_jump where environment_id = $1',
        [environment.environmentId],
      );
      expect(rows).toEqual([{ from_number: last + 1, to_number: last + 5 }]);
    },
  );

  test('is compared with everything that is issued or voided', async () => {
    const { acknowledged } = first.db.lineage;
    acknowledged.clear();
    const environment = first.company.test;
    const { id, number } = await issued(first, environment);
    expect(acknowledged.records()).toEqual([await tailOf(environment)]);
    const { environmentId, standardSeriesId: seriesId } = environment;
    expect(acknowledged.numbers()).toEqual([
      { environmentId, seriesId, year: thisYear(), number: Number(number.split('-').at(-1)) },
    ]);
    expect(await voiding(id)).toMatchObject({ data: { voidInvoice: { id } } });
    const after = await tailOf(environment);
    expect(acknowledged.records()).toEqual([after]);
    expect(after.position).toBeGreaterThan(1);
  });
});

const VOID = 'mutation ($id: ID!) { voidInvoice(invoiceId: $id, reason: "twice") { id } }';
const voiding = async (id: string) => (await first.graphql(VOID, { id }, { key: operator })).body;

describe('on a server that was not examined', () => {
  const refused = (body: { errors: { extensions: object }[] }) => body.errors[0]!.extensions;

  test('nothing is issued, voided or opened, and each attempt requests the examination', async () => {
    const { id } = await issued(first, first.company.test);
    const tails = () => Promise.all([tailOf(first.company.test), tailOf(first.company.live)]);
    const before = await tails();
    await server.promote();
    let changes = 0;
    first.db.lineage.onChange(() => {
      changes += 1;
    });
    expect(await issue(first)).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(changes).toBeGreaterThan(0);
    expect(refused(await voiding(id))).toMatchObject({ status: 503, code: 'service_unavailable' });
    const by = { actor: 'opk_x' as const, reason: 'a try' };
    const opening = openNewInstallation(first.services, first.company.live.environmentId, by);
    await expect(opening).rejects.toThrow(ServerChanged);
    first.db.lineage.onChange(() => {});
    expect(await tails()).toEqual(before);
    await examine(first);
    expect(await voiding(id)).toMatchObject({ data: { voidInvoice: { id } } });
  });

  test('a process that has just begun issues nothing either', async () => {
    await server.promote();
    second.db.lineage.known = null;
    expect((await issue(second)).status).toBe(503);
    await examine(second);
    await issued(second);
  });

  test('no process writes a heartbeat, nor whether commits wait', async () => {
    const heart = await alive(first);
    const beats = async () => (await first.owner.query('select beat_at from service_process')).rows;
    const before = await beats();
    await server.promote();
    await server.setSynchronous(false);
    await heart.beat();
    expect(await beats()).toEqual(before);
    expect((await server.lineage()).synchronous).toBe(true);
    expect(await examine(first)).toMatchObject({ kind: 'promoted', doubt: null });
    await heart.beat();
    expect(await beats()).not.toEqual(before);
  });
});

test('whether commits wait for a standby is recorded with each heartbeat', async () => {
  const heart = await alive(first);
  for (const synchronous of [false, true]) {
    await server.setSynchronous(synchronous);
    await heart.beat();
    expect((await server.lineage()).synchronous).toBe(synchronous);
  }
});

describe('processes that were alive on the server before', () => {
  test('are waited for until each has compared what it acknowledged', async () => {
    for (const process of [first, second]) await alive(process);
    await server.promote();
    expect(await examine(first)).toEqual({ kind: 'waiting', awaited: 1 });
    expect(await examine(first)).toEqual({ kind: 'waiting', awaited: 1 });
    expect((await issue(first)).status).toBe(503);
    expect(await examine(second)).toMatchObject({ kind: 'promoted', doubt: null, held: 0 });
    expect(await examine(first)).toMatchObject({ kind: 'unchanged', doubt: null, held: 0 });
    await issued(first);
  });

  test.each<[which: string, process: () => TestService]>([
    ['the first', () => first],
    ['the last', () => second],
  ])('may each have acknowledged an entry that is missing: %s', async (_which, process) => {
    for (const each of [first, second]) await alive(each);
    await acknowledgeLost(process());
    await server.promote();
    expect(await examine(first)).toMatchObject({ kind: 'waiting' });
    expect(await examine(second)).toMatchObject({ kind: 'promoted', doubt: LOST_ONE, held: 1 });
    expect(await held()).toBe(1);
  });

  test('may each have issued while commits did not wait', async () => {
    for (const each of [first, second]) await alive(each);
    await server.setSynchronous(false);
    await issued(first, first.company.test);
    await server.setSynchronous(true);
    await server.promote();
    expect(await examine(first)).toMatchObject({ kind: 'waiting' });
    expect(await examine(second)).toMatchObject({ doubt: ASYNCHRONOUS, held: 1 });
  });

  test('are not waited for longer than ten seconds: live chains are held then', async () => {
    for (const each of [first, second]) await alive(each);
    await server.promote();
    await examine(first);
    // The time counts from the first look.
    await first.owner.query("update database_lineage set examined_since = now() - interval '9 seconds'");
    const { since } = await server.lineage();
    expect(await examine(first)).toMatchObject({ kind: 'waiting' });
    expect((await server.lineage()).since).toEqual(since);
    await first.owner.query("update database_lineage set examined_since = now() - interval '11 seconds'");
    expect(await examine(first)).toMatchObject({
      ...{ kind: 'promoted', doubt: '1 processes could not say what they had acknowledged', held: 1 },
    });
  });

  test('and report what is missing when they return later', async () => {
    await acknowledgeLost(second);
    await server.promote();
    expect(await examine(first)).toMatchObject({ kind: 'promoted', doubt: null, held: 0 });
    await issued(first);
    expect(await examine(second)).toMatchObject({ kind: 'unchanged', doubt: LOST_ONE, held: 1 });
    expect((await issue(first)).status).toBe(503);
  });

  test('are not awaited if they had ended, had been killed before, or acknowledge nothing', async () => {
    const heart = await alive(second);
    await alive(first);
    await heart.end();
    await server.promote();
    expect(await examine(first)).toMatchObject({ kind: 'promoted', doubt: null });

    await alive(second);
    await (await alive(first)).beat();
    const { processId } = second.db.lineage;
    await first.owner.query(
      "update service_process set beat_at = beat_at - interval '11 seconds' where id = $1",
      [processId],
    );
    await server.promote();
    expect(await examine(first)).toMatchObject({ kind: 'promoted', doubt: null });

    await examine(second);
    await first.owner.query('delete from service_process');
    await alive(second, false);
    await alive(first);
    await server.promote();
    expect(await examine(first)).toMatchObject({ kind: 'promoted', doubt: null });
  });
});

test('a server that was replaced is issued on by no process that has seen its successor', async () => {
  const { identity: before } = await server.lineage();
  await server.promote();
  await examine(first);
  const known = first.db.lineage.known;
  // The one before answers again, and knows of no other.
  await server.demote();
  expect(await examine(first)).toEqual({ kind: 'left_behind', at: before, known });
  expect((await issue(first)).status).toBe(503);
  await server.promote();
});

test('a mark that cannot be kept, as on a full disk, stops nothing', async () => {
  const logged: string[] = [];
  const hearing = testLog((line) => logged.push(JSON.parse(line).msg), 'warn');
  await examineOnce({ db: first.db, log: hearing }, '/dev/null/nowhere');
  expect(logged).toEqual(['the mark of the database cannot be stored']);
});
