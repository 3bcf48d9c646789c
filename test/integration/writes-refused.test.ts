import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { examineOnce } from '../../src/startup/lineage.ts';
import { type SmallDisk, smallDisk } from '../support/database/small-disk.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually } from '../support/processes/running-program.ts';

/** A Postgres that is not the service's own, and answers reads alone. */

let service: TestService;
const logged: string[] = [];
let jobs: { stop(): Promise<void> } | null = null;
beforeAll(async () => {
  service = await testService({}, { logged });
});
afterEach(async () => {
  await jobs?.stop();
  jobs = null;
});
afterAll(() => service.close());

const UNAVAILABLE = { status: 503, code: 'service_unavailable', retryAfter: 5 };
const REFUSED = { ...UNAVAILABLE, detail: expect.stringMatching(/accepts no writes at present/) };
const startTheJobs = async () => {
  jobs = await startJobs(service.services, () => {});
};
const timesLogged = (words: string | RegExp) => logged.filter((line) => line.match(words) !== null).length;
/** The attempts at jobs whose outcome was logged, by a line that has these words. */
const attemptsLogged = (words: RegExp) =>
  logged
    .filter((line) => words.test(line))
    .map((line) => JSON.parse(line) as { job: string; attempt: number });
const waiting = async () =>
  (await service.owner.query<{ attempts: number }>('select attempts from graphile_worker._private_jobs'))
    .rows;
const rendered = () =>
  eventually(
    async () =>
      (
        await service.owner.query(
          `select from graphile_worker.jobs where task_identifier = 'render_documents'`,
        )
      ).rowCount,
    (left) => left === 0,
  );

describe('a read-only database (SQLSTATE 25006)', () => {
  const database = () => new URL(service.databaseUrl).pathname.slice(1);
  /** It holds for connections that are made from now on. */
  const readOnly = async (
    how: 'set default_transaction_read_only = on' | 'reset default_transaction_read_only',
  ) => {
    await service.owner.query(`alter database ${database()} ${how}`);
    await service.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [database()],
    );
    await eventually(
      () => service.db.pool.query(`show default_transaction_read_only`).catch(() => null),
      (answer) => answer?.rows[0].default_transaction_read_only === (how.startsWith('set') ? 'on' : 'off'),
    );
  };

  test.each(PROTOCOLS)(
    'refuses to write over %s, is read, and takes writes when it may again',
    async (protocol) => {
      const operations = operationsOf(service, protocol);
      const { body: issued } = await operations.issue(aSimplifiedInvoice());
      await readOnly('set default_transaction_read_only = on');
      expect(await operations.issue(aSimplifiedInvoice())).toMatchObject(REFUSED);
      expect(await operations.createSeries({ prefix: 'X', type: 'standard' })).toMatchObject(REFUSED);
      expect(await operations.invoice(issued.id)).toMatchObject({ status: 200 });
      expect(await operations.invoices({})).toMatchObject({ status: 200 });
      expect((await service.call('GET', '/readyz', { key: null })).body).toEqual({
        status: 'read_only',
        reason: 'read_only',
      });
      await readOnly('reset default_transaction_read_only');
      expect(await operations.issue(aSimplifiedInvoice())).toMatchObject({ status: 201 });
    },
  );

  test('takes writes again over connections that were opened meanwhile', async () => {
    const operations = operationsOf(service, 'REST');
    await readOnly('set default_transaction_read_only = on');
    expect(await operations.issue(aSimplifiedInvoice())).toMatchObject(REFUSED);
    // Those stay as they are until each is refused a write.
    await service.owner.query(`alter database ${database()} reset default_transaction_read_only`);
    await eventually(
      () => operations.issue(aSimplifiedInvoice()),
      ({ status }) => status === 201,
    );
  });

  test('that another server has replaced is not what is spoken of any more', async () => {
    const examine = () => examineOnce({ db: service.db, log: testLog() }, null);
    await examine();
    const client = await service.db.pool.connect();
    await client.query('begin read only');
    const write = `insert into service_process (id, started_at, beat_at, issues, worker_pools) values ('x', now(), now(), false, '{}')`;
    await expect(client.query(write)).rejects.toMatchObject({ code: '25006' });
    await client.query('rollback');
    client.release();
    const state = async () => (await service.call('GET', '/readyz', { key: null })).body.status;
    expect(await state()).toBe('read_only');
    // As a standby of it that was promoted finds it.
    await service.owner.query(`update database_lineage set identity = '1/00000001/1'`);
    await examine();
    expect(await state()).toBe('ready');
  });

  test('costs a job none of its attempts', async () => {
    await operationsOf(service, 'REST').issue(aSimplifiedInvoice());
    await readOnly('set default_transaction_read_only = on');
    await startTheJobs();
    await eventually(
      async () => timesLogged('Failed to acquire job'),
      (times) => times > 0,
    );
    const left = await waiting();
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter(({ attempts }) => attempts > 0)).toEqual([]);
    await readOnly('reset default_transaction_read_only');
    await rendered();
  });
});

const disk = smallDisk(24);
afterAll(() => disk?.remove());

describe.skipIf(disk === null)('a database whose disk is full (SQLSTATE 53100)', () => {
  const { path, fill, free } = disk as SmallDisk;
  beforeAll(async () => {
    const place = join(path, 'tables');
    mkdirSync(place, { mode: 0o700 });
    const { rows } = await service.owner.query<{ file: string }>(
      `select current_setting('data_directory') as file`,
    );
    const { uid, gid } = statSync(rows[0]!.file);
    chownSync(place, uid, gid);
    await service.owner.query(`create tablespace small location '${place}'`);
    for (const table of ['invoice', 'invoice_document']) {
      await service.owner.query(`alter table ${table} set tablespace small`);
    }
  });
  afterAll(async () => {
    await jobs?.stop();
    for (const table of ['invoice', 'invoice_document']) {
      await service.owner.query(`alter table ${table} set tablespace pg_default`);
    }
    await service.owner.query('drop tablespace small');
  });

  test('refuses writes, is read, and takes them again with room; jobs wait for it', async () => {
    const operations = operationsOf(service, 'REST');
    const { body: issued } = await operations.issue(aSimplifiedInvoice());
    fill(0);
    // What fits into the pages that are there is taken.
    const refused = await eventually(
      () => operations.issue(aSimplifiedInvoice()),
      ({ status }) => status !== 201,
    );
    expect(refused).toMatchObject(REFUSED);
    expect((await service.call('GET', '/readyz', { key: null })).body).toEqual({
      status: 'read_only',
      reason: 'disk_full',
    });
    expect(await operations.invoice(issued.id)).toMatchObject({ status: 200 });
    expect(await operations.invoices({})).toMatchObject({ status: 200 });
    await startTheJobs();
    const [refusedJob] = await eventually(
      async () => attemptsLogged(/53100.*job failed/),
      (found) => found.length > 0,
    );
    free();
    // Before anything else is issued: it would add the job anew, without attempts.
    const [done] = await eventually(
      async () => attemptsLogged(/job done/).filter(({ job }) => job === refusedJob!.job),
      (found) => found.length > 0,
    );
    // The attempt that was refused is the one that succeeds.
    expect(done!.attempt).toBe(1);
    expect(await operations.issue(aSimplifiedInvoice())).toMatchObject({ status: 201 });
  });
});
