import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { database as examined } from '../../src/faces/cli/doctor/database.ts';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { poolingFault } from '../../src/ground/db/pooler.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { PGBOUNCER, type PgBouncer, startPgBouncer } from '../support/database/pgbouncer.ts';
import { subscribe } from '../support/http/event-stream.ts';
import { testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';

if (PGBOUNCER === null) console.warn('SKIPPED: there is no pgbouncer (Debian: apt-get install pgbouncer)');

describe.skipIf(PGBOUNCER === null)('a pooler before the database', () => {
  let database: TestDatabase;
  let byTransaction: PgBouncer;
  let bySession: PgBouncer;
  beforeAll(async () => {
    database = await testDatabase();
    [byTransaction, bySession] = await Promise.all([
      startPgBouncer(database.url),
      startPgBouncer(database.url, { mode: 'session' }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([byTransaction?.stop(), bySession?.stop()]);
    await database?.close();
  });

  test('is detected when it changes sessions, and the message states what is needed', async () => {
    const { url } = byTransaction;
    expect(await poolingFault(database.url, null)).toBeNull();
    expect(await poolingFault(bySession.url, null)).toBeNull();
    expect(await poolingFault(url, database.url)).toBeNull();
    expect(await poolingFault(url, null)).toMatch(/^DATABASE_URL is a pooler in transaction mode: set/);
    expect(await poolingFault(url, url)).toMatch(/^DATABASE_DIRECT_URL is a pooler/);
    const elsewhere = database.url.replace(/\/[^/]+$/, '/postgres');
    expect(await poolingFault(url, elsewhere)).toMatch(/are different databases$/);
  });

  test('is named by the doctor', async () => {
    const found = async (directUrl: string | null) => {
      const db = openDb(byTransaction.url, { max: 2, ...quiet, directUrl });
      const finding = await examined(db, byTransaction.url, directUrl);
      await closeDb(db);
      return finding;
    };
    expect(await found(database.url)).toMatchObject({
      result: 'ok',
      summary: expect.stringContaining('behind a pooler, all migrations'),
    });
    expect(await found(null)).toMatchObject({
      result: 'failure',
      summary: expect.stringContaining('set DATABASE_DIRECT_URL'),
    });
  });

  test('is noticed under load as well', async () => {
    const clients = Array.from({ length: 20 }, () =>
      openDb(byTransaction.url, { max: 1, ...quiet, directUrl: database.url }),
    );
    let busy = true;
    const load = clients.map(async ({ pool }) => {
      while (busy) await pool.query('select pg_sleep(random() * 0.005)');
    });
    for (let time = 0; time < 5; time += 1)
      expect(await poolingFault(byTransaction.url, null)).not.toBeNull();
    busy = false;
    await Promise.all(load);
    await Promise.all(clients.map(closeDb));
  });

  test('keeps the named statements of many connections apart', async () => {
    const db = openDb(byTransaction.url, { max: 20, ...quiet, directUrl: database.url });
    const named = (from: Db, text: string) =>
      from.pool.query<{ n: number }>({ name: 'same-name', text, values: [1] }).then(({ rows }) => rows[0]!.n);
    const texts = ['select $1::int + 1 as n', 'select $1::int + 2 as n', 'select $1::int + 3 as n'];
    const queries = Array.from({ length: 120 }, (_, index) => named(db, texts[index % 3]!));
    expect(await Promise.all(queries)).toEqual(Array.from({ length: 120 }, (_, index) => 2 + (index % 3)));
    // The test sees what it is there for: with the names on the wire it goes wrong.
    const naming = openDb(byTransaction.url, { max: 20, ...quiet });
    const confused = Array.from({ length: 120 }, () => named(naming, texts[0]!));
    await expect(Promise.all(confused)).rejects.toThrow(/prepared statement/);
    await Promise.all([closeDb(db), closeDb(naming)]);
  });

  test('delivers to subscribers what other processes issue', async () => {
    const direct = await testService();
    const pooler = await startPgBouncer(direct.databaseUrl);
    const [one, another] = await Promise.all([
      testService({}, { beside: direct, pooler: pooler.url }),
      testService({}, { beside: direct, pooler: pooler.url }),
    ]);
    const stream = await subscribe(one, {
      key: direct.company.test.key,
      query: 'subscription { event(types: ["invoice.issued"]) { subjectId } }',
    });
    try {
      const ids: string[] = [];
      for (const at of [another, one, another]) {
        const { status, body } = await at.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
        expect(status).toBe(201);
        ids.push(body.id);
      }
      const received = await stream.received(3);
      expect(received.map(({ data }) => data.event.subjectId)).toEqual(ids);
    } finally {
      stream.close();
      await Promise.all([one.close(), another.close()]);
      await pooler.stop();
      await direct.close();
    }
  });
});

const quiet = { log: testLog() };
