import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { isStatementTimeout } from '../../src/ground/db/condition/failures.ts';
import { DATABASE_LIMITS } from '../../src/ground/db/limits.ts';
import { statementsAtLeast, statementsOf } from '../../src/ground/db/statement-time.ts';
import { PGBOUNCER, type PgBouncer, startPgBouncer } from '../support/database/pgbouncer.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { testLog } from '../support/processes/run-log.ts';
import { shorten } from '../support/processes/waits.ts';

if (PGBOUNCER === null) console.warn('SKIPPED: there is no pgbouncer (Debian: apt-get install pgbouncer)');

let service: TestService;
let bouncer: PgBouncer | null = null;
beforeAll(async () => {
  service = await testService();
  if (PGBOUNCER !== null) bouncer = await startPgBouncer(service.databaseUrl);
});
afterAll(async () => {
  await bouncer?.stop();
  await service.close();
});

const sleep = (whose: string) => `select pg_sleep(60)::text, '${whose}' as found`;

async function stillRunning(whose: string): Promise<number> {
  const { rows } = await service.db.pool.query(
    `select count(*)::int as count from pg_stat_activity
      where query = $1 and state = 'active' and datname = current_database()`,
    [sleep(whose)],
  );
  return rows[0].count;
}

/** Runs a statement that is too long by the way, and then another on the same connection. */
async function isEnded(
  url: string,
  directUrl: string | null,
  whose: string,
  run: (db: Db, text: string) => Promise<unknown>,
) {
  const db = openDb(url, { max: 1, log: testLog(), directUrl });
  try {
    const error = await statementsOf('searching', () => run(db, sleep(whose))).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isStatementTimeout(error)).toBe(true);
    expect(await stillRunning(whose)).toBe(0);
    const { rows } = await db.pool.query('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
  } finally {
    await closeDb(db);
  }
}

describe('a statement whose time is up is ended at the server, and the connection goes on', () => {
  const inOwnTransaction = async (db: Db, text: string) => {
    const client = await db.pool.connect();
    try {
      await client.query('begin');
      await client.query(text);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };

  test.concurrent('by the pool', () =>
    isEnded(service.databaseUrl, null, 'pool', (db, text) => db.pool.query(text)));
  test.concurrent('by Prisma', () =>
    isEnded(service.databaseUrl, null, 'prisma', (db, text) => db.prisma.$queryRawUnsafe(text)));
  test.concurrent('in a transaction', () =>
    isEnded(service.databaseUrl, null, 'transaction', inOwnTransaction));
  const withPooler = PGBOUNCER === null ? test.skip : test.concurrent;
  withPooler('behind a pooler in transaction mode', () =>
    isEnded(bouncer!.url, service.databaseUrl, 'pooler', (db, text) => db.pool.query(text)),
  );
});

test('work that may take longer still may where it begins a transaction', () => {
  const outer = statementsOf('maintenance', () =>
    statementsAtLeast('changing', () => statementsAtLeast('job', () => 1)),
  );
  expect(outer).toBe(1);
});

test('whoever waited for a connection has its own time limit, not that of whoever released the connection', async () => {
  const db = openDb(service.databaseUrl, { max: 1, log: testLog() });
  try {
    const client = await db.pool.connect();
    const waiting = statementsOf('changing', () => db.pool.query('select pg_sleep(0.3)'));
    shorten(DATABASE_LIMITS.searchingStatement.value);
    statementsOf('searching', () => client.release());
    expect((await waiting).rowCount).toBe(1);
  } finally {
    await closeDb(db);
  }
});

test('a commit is not ended: while it waits for a standby that would report success, which no standby has', async () => {
  await service.owner.query(`
    create table slow (n int);
    grant insert on slow to public;
    create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$;
    create constraint trigger slowly after insert on slow deferrable initially deferred
      for each row execute function slowly()`);
  const client = await service.db.pool.connect();
  await client.query('begin');
  await client.query('insert into slow values (1)');
  shorten(DATABASE_LIMITS.searchingStatement.value);
  await statementsOf('searching', () => client.query('commit'));
  client.release();
  expect((await service.owner.query('select n from slow')).rows).toEqual([{ n: 1 }]);
});

test.each([
  ['GET /v1/invoices', () => service.call('GET', '/v1/invoices')],
  ['a query', () => service.graphql('{ invoices { edges { cursor } } }')],
])('%s has the time of a read for each of its statements', async (_what, read) => {
  // A connection may take as long as a statement, and is not to be hurried.
  const blocker = await service.owner.connect();
  shorten(DATABASE_LIMITS.readingStatement.value);
  try {
    await blocker.query('begin; lock table invoice in access exclusive mode');
    const answered = await Promise.race([read(), pause(5_000, null)]);
    const { code } = answered?.body.errors?.[0]?.extensions ?? answered?.body ?? {};
    expect(code).toBe('service_unavailable');
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
});

test('totals of too many single invoices are refused with what to request instead, those of days with a time to retry', async () => {
  const blocker = await service.owner.connect();
  shorten(DATABASE_LIMITS.searchingStatement.value);
  const refusalOf = async (fieldArguments: string) => {
    await blocker.query('begin; lock table invoice in access exclusive mode');
    const { body } = await service.graphql(`{ invoiceTotals${fieldArguments} { count } }`);
    await blocker.query('rollback');
    return [body.errors[0].extensions.code, body.errors[0].message];
  };
  const late = ['service_unavailable', expect.stringMatching(/took too long/)];
  const bySearch = '(filter: { text: "x" })';
  try {
    expect(await refusalOf(bySearch), 'of an environment with few').toEqual(late);
    const { environmentId } = service.company.test;
    await blocker.query(
      `insert into day_total (environment_id, of_recipient, day, series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, paid,
                              due, lines, rates)
       values ($1, false, '2020-01-01', 'ns_1', 'original', 'complete', '', 0, 0, 0, 0, 0, 0, '[]', '[]')`,
      [environmentId],
    );
    const instead = ['invalid_request', expect.stringMatching(/shorter period/)];
    // On a busy machine the look at how many there are may itself be too late.
    await expect.poll(() => refusalOf(bySearch)).toEqual(instead);
    expect(await refusalOf('(groupBy: [RECIPIENT])')).toEqual(late);
    expect(await refusalOf('')).toEqual(late);
    const otherOrder = '(groupBy: [MONTH, RECIPIENT], first: 10)';
    expect(await refusalOf(otherOrder), 'of few recipients').toEqual(late);
    await blocker.query(
      `insert into day_total (environment_id, of_recipient, day, series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, paid,
                              due, lines, rates)
       select $1, true, '2020-01-01', 'ns_1', 'original', 'complete', n, 0, 0, 0, 0, 0, 0, '[]', '[]' from generate_series(1, 1001) as n`,
      [environmentId],
    );
    const recipientFirst = ['invalid_request', expect.stringMatching(/Put `RECIPIENT` first/)];
    await expect.poll(() => refusalOf(otherOrder)).toEqual(recipientFirst);
    expect(await refusalOf('(groupBy: [RECIPIENT, MONTH], first: 10)')).toEqual(late);
  } finally {
    await blocker.query('rollback; delete from day_total');
    blocker.release();
  }
});

test('a search that takes too long is refused with when to come back, and is no failure of ours', async () => {
  const blocker = await service.owner.connect();
  try {
    await blocker.query('begin; lock table invoice_line in access exclusive mode');
    await blocker.query('lock table invoice in access exclusive mode');
    const { body } = await service.graphql('{ invoices(filter: { text: "x" }) { edges { cursor } } }');
    expect(body.errors[0].extensions).toMatchObject({
      code: 'service_unavailable',
      status: 503,
      retryAfter: 5,
    });
    expect(body.errors[0].message).toMatch(/took too long/);
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
});
