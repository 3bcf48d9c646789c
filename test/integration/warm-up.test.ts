import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { openRehearsal } from '../../src/ground/db/rehearsal.ts';
import { LIMITS } from '../../src/ground/lib/limits.ts';
import type { Services } from '../../src/services.ts';
import { examineOnce } from '../../src/startup/lineage.ts';
import { uncounted } from '../../src/startup/uncounted.ts';
import { warmUp } from '../../src/startup/warm-up.ts';
import type { Renderer } from '../../src/subjects/documents/render.ts';
import { sampleOperations } from '../../src/subjects/operations/history.ts';
import { contentsOf } from '../support/database/contents.ts';
import { backUp, restore } from '../support/database/database.ts';
import { PGBOUNCER, startPgBouncer } from '../support/database/pgbouncer.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually } from '../support/processes/running-program.ts';

if (PGBOUNCER === null) console.warn('SKIPPED: there is no pgbouncer (Debian: apt-get install pgbouncer)');

let service: TestService;
const logged: string[] = [];
beforeAll(async () => {
  service = await testService({}, { logged });
  // One as it is rehearsed too: its series of metrics is there before.
  for (const body of [aSimplifiedInvoice(), aCompleteInvoice()])
    expect((await service.call('POST', '/v1/invoices', { body })).status).toBe(201);
});
afterAll(() => service.close());
beforeEach(() => logged.splice(0));

/** A busy machine may take longer than the service's own limit. */
const PATIENT_MS = 60_000;
const NOBODY = '127.0.0.1:1';
/** Where a register or a bucket would be asked, nobody answers. */
const warm = (services: Services = service.services, limitMs = PATIENT_MS) => {
  const objectStore = {
    ...{
      storesNew: true,
      endpoint: `http://${NOBODY}`,
      region: 'eu',
      bucket: 'documents',
      prefix: '',
      pathStyle: true,
    },
    credentials: { accessKeyId: 'nobody', secretAccessKey: 'nobody' },
  };
  const simulator = { ...service.simulator, url: `http://${NOBODY}`, tlsUrl: `https://${NOBODY}` };
  return warmUp({ ...services, config: { ...services.config, objectStore } }, simulator, limitMs);
};
const messages = () => logged.map((line) => (JSON.parse(line) as { msg: string }).msg);
/** Rows that Postgres has counted as inserted, as far as sessions have reported them. */
const inserted = async (table: string) => {
  const { rows } = await service.owner.query<{ count: string }>(
    'select n_tup_ins as count from pg_stat_user_tables where relname = $1',
    [table],
  );
  return Number(rows[0]?.count ?? 0);
};
const withRenderer = (render: Renderer['render']): Services => ({
  ...service.services,
  renderer: { ...service.services.renderer, render },
});

describe('warming up', () => {
  test('leaves nothing in any table, no connection in use, and nothing that this process would remember', async () => {
    const before = await contentsOf(service.owner);
    const { acknowledged, claims } = service.services.db.lineage;
    const known = JSON.stringify([acknowledged.records(), acknowledged.numbers(), acknowledged.entries()]);
    await warm();
    expect(messages()).toEqual(['warmed up']);
    expect(await contentsOf(service.owner)).toEqual(before);
    expect(JSON.stringify([acknowledged.records(), acknowledged.numbers(), acknowledged.entries()])).toBe(
      known,
    );
    expect(claims.size).toBe(0);
    const { pool } = service.services.db;
    expect(pool.idleCount).toBe(pool.totalCount);
    const { rows } = await service.owner.query(
      `select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    );
    expect(rows).toEqual([]);
  });

  test('issues, reads, lists and renders on several sessions, and counts none of it', async () => {
    const countersOf = async () =>
      (await register.metrics())
        .split('\n')
        .filter((line) => /^lacre_.*(_total|_bucket|_count|_sum)/.test(line));
    const issuedBefore = await inserted('invoice');
    let rendered = 0;
    // As at a start: nothing has been observed yet.
    await uncounted(async () => {});
    const before = await countersOf();
    await warm(
      withRenderer((...given) => {
        rendered += 1;
        return service.services.renderer.render(...given);
      }),
    );
    expect(await countersOf()).toEqual(before);
    expect(rendered).toBeGreaterThan(0);
    await eventually(
      () => inserted('invoice'),
      (count) => count - issuedBefore >= 20,
    );
    expect(service.services.db.pool.totalCount).toBeGreaterThanOrEqual(4);
  });

  test('is not seen in the plots of what was issued', async () => {
    const sampled = async () => {
      await service.owner.query('delete from operations_sample');
      await sampleOperations(service.db.pool);
      const { rows } = await service.owner.query<{ invoices: string; records: string }>(
        'select invoices, records from operations_sample',
      );
      return rows[0]!;
    };
    const { rowCount } = await service.owner.query('select from invoice');
    const isReal = ({ invoices, records }: { invoices: string; records: string }) =>
      Number(invoices) === rowCount && Number(records) === rowCount;
    const expected = await eventually(sampled, isReal);
    const before = await inserted('invoice');
    await warm();
    await eventually(
      () => inserted('invoice'),
      (count) => count - before >= 20,
    );
    expect(await eventually(sampled, isReal)).toEqual(expected);
  });

  test('locks nothing that others need', async () => {
    let reach: () => void = () => {};
    let goOn: () => void = () => {};
    const reached = new Promise<void>((done) => {
      reach = done;
    });
    const gate = new Promise<void>((done) => {
      goOn = done;
    });
    const warming = warm(
      withRenderer(async (...given) => {
        reach();
        await gate;
        return service.services.renderer.render(...given);
      }),
    );
    await reached;
    const company = await createCompany(service.db, { nif: 'A28015865' });
    for (const key of [company.live.key, company.test.key, service.company.test.key]) {
      const { status, body } = await service.call('POST', '/v1/invoices', {
        key,
        body: aSimplifiedInvoice(),
      });
      expect(status).toBe(201);
      expect((await service.call('GET', `/v1/invoices/${body.id}`, { key })).status).toBe(200);
    }
    const { rows } = await service.owner.query(
      `select 1 from pg_locks join pg_database on pg_database.oid = database where datname = current_database() and not granted`,
    );
    expect(rows).toEqual([]);
    goOn();
    await warming;
  });

  test('that fails is logged, leaves nothing, and what comes after works', async () => {
    const before = await contentsOf(service.owner);
    await warm(withRenderer(() => Promise.reject(new Error('no fonts'))));
    expect(messages()).toEqual(['not warmed up']);
    expect(await contentsOf(service.owner)).toEqual(before);
    expect((await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).status).toBe(201);
  });

  test('ends at its limit, whatever it waits for', async () => {
    const before = await contentsOf(service.owner);
    const holder = await service.owner.connect();
    await holder.query('begin; lock table company in access exclusive mode');
    const begun = performance.now();
    await warm(service.services, 1_000);
    const took = performance.now() - begun;
    await holder.query('rollback');
    holder.release();
    // The statement that waits would be cancelled later.
    expect(took).toBeLessThan(LIMITS.readingStatement.value);
    expect(await contentsOf(service.owner)).toEqual(before);
    expect((await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).status).toBe(201);
  });

  test('is skipped without a word while the database accepts no writes', async () => {
    const url = new URL(service.databaseUrl);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const log = testLog((line) => logged.push(line));
    const db = openDb(url.href, { max: 4, log });
    await warm({ ...service.services, db, log });
    await closeDb(db);
    expect(messages()).toEqual([]);
  });

  test('is given up while the database is away', async () => {
    const log = testLog((line) => logged.push(line));
    const db = openDb('postgres://nobody@127.0.0.1:1/none', { max: 4, log });
    await warm({ ...service.services, db, log });
    await closeDb(db);
    expect(messages()).toEqual(['not warmed up']);
  });
});

describe('warming up, wherever a process starts', () => {
  /** The whole of it: what fails is told with its reason. */
  const outcome = () =>
    logged
      .map((line) => JSON.parse(line) as { msg: string; reason?: string })
      .filter(({ msg }) => /warmed up/.test(msg));
  const WARM = [{ msg: 'warmed up' }];

  test('works on a restored database, whose chains are held and stay so', async () => {
    const own = await testService({}, { logged });
    const dataDir = mkdtempSync(join(tmpdir(), 'lacre-warm-up-'));
    const { key, environmentId } = own.company.live;
    const issue = async (key: string) =>
      (await own.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() })).status;
    const examine = () => examineOnce({ db: own.db, log: testLog() }, dataDir);
    expect(await issue(key)).toBe(201);
    await examine();
    const backup = await backUp(own.databaseUrl);
    expect(await issue(key)).toBe(201);
    await examine();
    await restore(own.databaseUrl, backup);
    // A process that starts knows of nothing.
    own.db.lineage.acknowledged.clear();
    expect(await examine()).toMatchObject({ kind: 'restored', held: 1 });
    const before = await contentsOf(own.owner);
    await warm(own.services);
    expect(outcome()).toMatchObject(WARM);
    expect(await contentsOf(own.owner)).toEqual(before);
    const { rows } = await own.owner.query('select hold::text from chain where environment_id = $1', [
      environmentId,
    ]);
    expect(rows).toEqual([{ hold: 'restored' }]);
    expect([await issue(key), await issue(own.company.test.key)]).toEqual([503, 201]);
    await own.close();
    rmSync(dataDir, { recursive: true });
  });

  test.skipIf(PGBOUNCER === null)('works over a pooler that has fewer sessions than it takes', async () => {
    const pooler = await startPgBouncer(service.databaseUrl, { sessions: 2 });
    const own = await testService({}, { beside: service, pooler: pooler.url, logged });
    const before = await contentsOf(service.owner);
    await warm(own.services);
    expect(outcome()).toMatchObject(WARM);
    expect(await contentsOf(service.owner)).toEqual(before);
    expect((await own.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).status).toBe(201);
    await own.close();
    await pooler.stop();
  });
});

describe('a rehearsal', () => {
  test('is refused by Postgres when something commits it', async () => {
    const client = await service.db.pool.connect();
    const rehearsal = openRehearsal(service.db);
    const committed = rehearsal.run(client, new AbortController().signal, async () => {
      await rehearsal.markInvoice();
      await client.query('commit');
    });
    const [outcome] = await Promise.allSettled([committed]);
    client.release();
    expect(outcome).toMatchObject({
      reason: { code: '23001', message: 'a rehearsal is never committed' },
    });
    expect((await service.owner.query('select from rehearsal')).rowCount).toBe(0);
  });

  test('is rolled back although what it did was committed within it', async () => {
    const client = await service.db.pool.connect();
    const rehearsal = openRehearsal(service.db);
    const rows = (pool: typeof service.owner) => pool.query(`select from account where id = 'acc_rehearsed'`);
    await rehearsal.run(client, new AbortController().signal, async () => {
      const { pool } = rehearsal.db;
      const within = await pool.connect();
      await within.query('begin');
      await within.query(
        `insert into account (id, name, subscription_active) values ('acc_rehearsed', 'x', false)`,
      );
      await within.query('commit');
      within.release();
      expect((await rows(pool)).rowCount).toBe(1);
    });
    client.release();
    expect((await rows(service.owner)).rowCount).toBe(0);
  });
});
