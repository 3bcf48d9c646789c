import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTALLATION } from '../../src/ground/journal/entry.ts';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { adoptAll, journalAll } from '../../src/subjects/journal/adopt.ts';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { commandLine } from '../support/processes/command-line.ts';
import { testLog } from '../support/processes/run-log.ts';
import { endPrograms, eventually, runProgram } from '../support/processes/running-program.ts';

let service: TestService;
let environmentId: number;
beforeAll(async () => {
  service = await testService();
  environmentId = service.company.test.environmentId;
  const { key } = service.company.test;
  for (let count = 0; count < 4; count += 1) {
    const { body } = await service.call('POST', '/v1/invoices', { key, body: aCompleteInvoice() });
    if (count === 1) await (await operatorOf(service)).voidInvoice(body.id);
    if (count > 1) continue;
    const { pathname, search } = new URL(body.pdf_url);
    await fetch(`${service.url}${pathname}${search}`);
  }
});
afterAll(() => {
  endPrograms();
  return service.close();
});

/** As a database is that was used before there was a journal. */
async function forget(): Promise<void> {
  await service.owner.query(`
    set session_replication_role = replica;
    delete from journal_entry;
    update journal_head set position = 0, hash = null, last_at = null, adopted_at = null;
    set session_replication_role = origin`);
}

const entriesOf = async (journal: number) => {
  const { rows } = await service.db.pool.query<{ entry: string }>(
    `select type || ' ' || subject_id || ' ' || coalesce(record_id, '') as entry from journal_entry
      where environment_id = $1 order by position`,
    [journal],
  );
  return rows.map(({ entry }) => entry);
};

const db = () => service.db;
const services = () => ({ db: service.db, log: service.services.log });

test('existing data is adopted once, also when restarted and by two at once', async () => {
  const before = { environment: await entriesOf(environmentId), installation: await entriesOf(INSTALLATION) };
  await forget();
  await Promise.all([journalAll(db(), environmentId), journalAll(db(), environmentId)]);
  await journalAll(db(), environmentId, AbortSignal.abort());
  await adoptAll(services());
  expect((await entriesOf(environmentId)).sort()).toEqual(before.environment.sort());
  expect((await entriesOf(INSTALLATION)).sort()).toEqual(before.installation.sort());
  for (const journal of [environmentId, INSTALLATION]) {
    expect(await verifyJournalOnly(db().pool, journal)).toMatchObject({ findingCount: 0 });
  }
  const { rows } = await service.db.pool.query('select from journal_head where adopted_at is null');
  expect(rows).toEqual([]);
});

test('until then a verification is not complete, and the command line does not take it for sound', async () => {
  const lacre = commandLine(service.db);
  const verified = async () => {
    const { exit, stdout } = await lacre(['verify', '--environment', String(environmentId)]);
    return { exit, complete: (await verifyEnvironment(service.db.pool, environmentId))!.complete, stdout };
  };
  expect(await verified()).toMatchObject({ exit: 0, complete: true });
  await forget();
  expect(await verified()).toEqual({
    ...{
      exit: 6,
      complete: false,
      stdout: expect.stringMatching(/0 entries, NOT COMPLETE: data older than/),
    },
  });
  await adoptAll(services());
  expect(await verified()).toMatchObject({ exit: 0, complete: true });
});

test('what is issued meanwhile is reported once too', async () => {
  await forget();
  const { key } = service.company.test;
  const issuing = Promise.all(
    Array.from({ length: 20 }, () => service.call('POST', '/v1/invoices', { key, body: aCompleteInvoice() })),
  );
  await adoptAll(services());
  await issuing;
  const adopted = await entriesOf(environmentId);
  expect(new Set(adopted).size).toBe(adopted.length);
  expect(await verifyJournalOnly(db().pool, environmentId)).toMatchObject({ findingCount: 0 });
});

test('as long as a process of the previous version runs, the others journal what it issues', async () => {
  await forget();
  await service.db.pool.query(
    `insert into service_process (id, started_at, beat_at, issues, worker_pools) values ('old', now(), now(), true, '{}')`,
  );
  await adoptAll(services());
  const open = async () =>
    (await service.db.pool.query('select from journal_head where adopted_at is null')).rowCount;
  expect(await open()).toBeGreaterThan(0);
  await service.db.pool.query(
    `update service_process set beat_at = now() - interval '1 minute' where id = 'old'`,
  );
  await adoptAll(services());
  expect(await open()).toBe(0);
});

/** Has whoever appends an entry of that type stand still in the middle of its transaction. */
async function heldAt(type: string): Promise<{ reached(): Promise<unknown>; release(): Promise<void> }> {
  const client = await service.owner.connect();
  await client.query(`
    select pg_advisory_lock(7, 0);
    create function stand_still() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(7, 1);
        while not pg_try_advisory_xact_lock_shared(7, 0) loop perform pg_sleep(0.02); end loop;
        return new;
      end $$;
    create trigger stand_still before insert on journal_entry for each row when (new.type = '${type}')
      execute function stand_still()`);
  const standing = `select from pg_locks where locktype = 'advisory' and classid = 7 and objid = 1 and granted
     and database = (select oid from pg_database where datname = current_database())`;
  return {
    reached: () =>
      eventually(
        () => client.query(standing),
        ({ rowCount }) => rowCount === 1,
      ),
    async release() {
      await client.query('select pg_advisory_unlock(7, 0)');
      await client.query('drop function stand_still cascade');
      client.release();
    },
  };
}

test('killed with kill -9 in the middle, it continues where it was, and is verified at the end', async () => {
  // Documents are made meanwhile.
  const entries = async () =>
    (await entriesOf(environmentId)).filter((entry) => !entry.startsWith('invoice.document_ready'));
  const before = (await entries()).sort();
  await forget();
  const hold = await heldAt('invoice.voided');
  await enqueue(service.db.pool, [{ task: 'adopt_journals', payload: {} }]);
  const worker = runProgram('jobs/main.ts', {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.services.config.dataDir,
    SIMULATOR_URL: service.simulator.url,
    SIMULATOR_TLS_URL: service.simulator.tlsUrl,
    SIMULATOR_TLS_DIR: service.simulator.tlsDir,
  });
  await hold.reached();
  await worker.end('SIGKILL');
  await hold.release();
  const earlier = await entries();
  expect(earlier.length).toBeGreaterThan(0);
  expect(earlier.length).toBeLessThan(before.length);
  const logged: string[] = [];
  await adoptAll({ db: db(), log: testLog((line) => logged.push(line), 'info') });
  const after = await entries();
  expect(after.slice(0, earlier.length)).toEqual(earlier);
  expect(after.sort()).toEqual(before);
  const verified = logged
    .map((line) => JSON.parse(line))
    .filter(({ environmentId: id }) => id === environmentId);
  expect(verified).toMatchObject([{ findingCount: 0 }]);
});
