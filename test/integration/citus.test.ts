import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breakConnection } from '../../src/ground/db/break-connection.ts';
import { commit } from '../../src/ground/db/commit-outcome.ts';
import { statementsIn } from '../../src/ground/db/migrate.ts';
import { Closing } from '../../src/startup/closing.ts';
import { monitorDatabase } from '../../src/startup/lineage.ts';
import { CITUS_URL, type CitusDatabase, citusDatabase } from '../support/database/citus.ts';
import { sentDuring } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { decideRecords } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { commandLine } from '../support/processes/command-line.ts';
import { testLog } from '../support/processes/run-log.ts';
import { runDayOfWork } from './query-plan-workload.ts';

/** What holds on a database that Citus divides among two workers, on a real cluster: the only place where its planner is. */

if (CITUS_URL === null)
  console.warn('SKIPPED: nothing was tried on Citus. Set CITUS_DATABASE_URL (docs/guides/scaling-out.md)');

/**
 * What is counted or looked for in all companies needs all workers, as operators' acts by an id alone do; a link to the portal is noted
 * in the audit journal, which may be on another worker than its environment.
 */
const OF_SEVERAL_WORKERS =
  /^(a customer's page|requeueing due chains|clearing up|voiding|amending|exchanging tickets for a complete invoice|reading one with its records, as an operator|what operators watch|the audit log|a chain's envelopes and records):/;

describe.skipIf(CITUS_URL === null)('on Citus', { timeout: 600_000 }, () => {
  let database: CitusDatabase;
  let service: TestService;
  /** A company on each worker, by the numbers of their groups. */
  const onWorker = new Map<number, TestCompany>();
  const closing = new Closing();
  beforeAll(async () => {
    database = await citusDatabase();
    service = await testService({}, { database });
    await monitorDatabase({ db: service.db, log: testLog() }, { dataDir: null, issues: true }, closing);
    while (onWorker.size < 2) {
      const company = await createCompany(service.db);
      const group = await workerOf(company.live.environmentId);
      if (!onWorker.has(group)) onWorker.set(group, company);
    }
  }, 600_000);
  afterAll(async () => {
    await closing.run(testLog());
    await service?.close();
    await database?.close();
  }, 600_000);

  async function workerOf(environmentId: number): Promise<number> {
    const { rows } = await superuser<{ group: number }>(
      0,
      `select groupid as group from pg_dist_placement
        where shardid = get_shard_id_for_distribution_column('chain', ${environmentId}::int)`,
    );
    return rows[0]!.group;
  }

  /** On the coordinator (0) or a worker, as a superuser. */
  async function superuser<T extends pg.QueryResultRow>(group: number, text: string) {
    const client = new pg.Client(database.superuserUrls[group]);
    await client.connect();
    try {
      return await client.query<T>(text);
    } finally {
      await client.end();
    }
  }

  const issue = ({ live }: TestCompany) =>
    service.call('POST', '/v1/invoices', { key: live.key, body: aSimplifiedInvoice() });

  test('everything that is done all day is done', async () => {
    const failed: string[] = [];
    for (const [what, work] of await runDayOfWork(service))
      await work().catch((error: Error) => failed.push(`${what}: ${error.message}`));
    expect(failed).toEqual([]);
  });

  test('while one worker is down everything of a company on the other is done', async () => {
    const { environmentId } = service.company.live;
    const other = database.workers[2 - (await workerOf(environmentId))]!;
    const work = await runDayOfWork(service, (db, id, outcome, code) =>
      decideRecords(db, id, outcome, code, environmentId),
    );
    other.cut();
    const failed: string[] = [];
    for (const [what, one] of work)
      await one().catch((error: Error) => failed.push(`${what}: ${error.message}`));
    other.resume();
    expect(failed.filter((one) => !OF_SEVERAL_WORKERS.test(one))).toEqual([]);
  });

  test('verification finds nothing', async () => {
    const verify = await commandLine(service.db)(['verify', '--json']);
    expect(verify.json()).toMatchObject({ sound: true });
  });

  test('the doctor knows the workers and their shards', async () => {
    const doctor = await commandLine(service.db, { DATABASE_URL: database.url })(['doctor', '--json']);
    expect(JSON.stringify(doctor.json())).toMatch(/:\d+ has \d+ shards, [^"]*:\d+ has \d+ shards/);
  });

  test('the doctor tells a database that was divided without all settings', async () => {
    const setting = `alter database ${database.name} set log_error_verbosity =`;
    await superuser(0, `${setting} default`);
    const doctor = await commandLine(service.db, { DATABASE_URL: database.url })(['doctor', '--json']);
    expect(JSON.stringify(doctor.json())).toContain('settings of this version: log_error_verbosity');
    await superuser(0, `${setting} terse`);
  });

  test.each([0, 1, 2])(
    'server %i logs no text of a statement that fails, which has values in it',
    async (group) => {
      const { rows } = await superuser(
        group,
        `select current_setting('log_min_error_statement') as statement, current_setting('log_error_verbosity') as verbosity`,
      );
      expect(rows).toEqual([{ statement: 'panic', verbosity: 'terse' }]);
    },
  );

  test('a listener at the coordinator hears of each invoice, whichever worker has it', async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    const heard: string[] = [];
    client.on('notification', ({ payload = '' }) => heard.push(payload.split(' ')[0]!));
    await client.query('listen lacre_journal');
    for (const company of onWorker.values()) expect((await issue(company)).status).toBe(201);
    const environments = [...onWorker.values()].map(({ live }) => String(live.environmentId));
    await expect
      .poll(() => environments.filter((id) => !heard.includes(id)), { timeout: 60_000 })
      .toEqual([]);
    await client.end();
  });

  test('an invoice is written by calls that run where its environment is, and committed in one phase', async () => {
    const [company] = [...onWorker.values()];
    const phases = () =>
      superuser<{ two: number }>(0, 'select count(*)::int as two from pg_dist_transaction');
    const before = await phases();
    const sent = await sentDuring(async () => expect((await issue(company!)).status).toBe(201));
    expect((await phases()).rows).toEqual(before.rows);
    const calls = sent
      .flatMap(({ text }) => statementsIn(text))
      .filter((text) => /\b(lock_chains|take_numbers)\(/.test(text));
    expect(calls).toHaveLength(2);
    const environment = { environment_id: company!.live.environmentId };
    const nothing = ['tails', 'invoices', 'lines', 'tax_items', 'records', 'states', 'answers', 'entries'];
    const group = { ...environment, ...Object.fromEntries(nothing.map((name) => [name, []])) };
    calls.push(`select write_divided_invoices(E'${JSON.stringify([group])}')`);
    for (const call of calls) expect(await remoteCommandsOf(call)).toHaveLength(1);
  });

  /** What the coordinator asks of workers for a statement, without what begins and ends transactions. */
  async function remoteCommandsOf(statement: string): Promise<string[]> {
    const client = new pg.Client(database.url);
    await client.connect();
    const commands: string[] = [];
    client.on('notice', ({ message = '' }) => {
      if (/^issuing (?!BEGIN|ROLLBACK|.*assign_distributed)/i.test(message)) commands.push(message);
    });
    await client.query(
      "begin; set local citus.log_remote_commands = on; set local client_min_messages = 'notice'",
    );
    await client.query(statement);
    await client.query('rollback');
    await client.end();
    return commands;
  }

  test('companies of one worker share transactions, and never with one of the other', async () => {
    const companies = [...onWorker.values()];
    while (companies.length < 8) companies.push(await createCompany(service.db));
    const groups = async () => {
      const sent = await sentDuring(async () => {
        const answers = await Promise.all([...companies, ...companies, ...companies].map(issue));
        for (const { status } of answers) expect(status).toBe(201);
      });
      return sent
        .map(({ text }) => [...text.matchAll(/lock_chains\((\d+)/g)].map(([, id]) => Number(id)))
        .filter((environments) => environments.length > 0);
    };
    let shared: number[][] = [];
    for (let round = 0; round < 20 && shared.length === 0; round++)
      shared = (await groups()).filter((environments) => environments.length > 1);
    expect(shared).not.toEqual([]);
    for (const environments of shared)
      expect(new Set(await Promise.all(environments.map(workerOf))).size).toBe(1);
  });

  test('who waits for a chain that somebody has locked on its worker is refused in time', async () => {
    const company = onWorker.get(1)!;
    const other = new pg.Client(database.superuserUrls[0]);
    await other.connect();
    await other.query('begin');
    await other.query(`select 1 from chain where environment_id = ${company.live.environmentId} for update`);
    const begun = performance.now();
    const refused = await issue(company);
    const waitedMs = performance.now() - begun;
    await other.query('rollback');
    await other.end();
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    // The limit for locks is 5 s, that of a statement 10.
    expect(waitedMs).toBeLessThan(9_000);
    expect((await issue(company)).status).toBe(201);
  });

  describe('a commit whose connection was lost', () => {
    async function lostCommit(record: { readonly chainId: number; readonly id: string }): Promise<void> {
      const client = await service.db.pool.connect();
      await client.query('begin');
      await breakConnection(client);
      const { environmentId } = onWorker.get(1)!.live;
      try {
        const transaction = { id: '1', identity: 'of another server', divided: true };
        await commit(service.db.pool, client, { ...transaction, record: { environmentId, ...record } });
      } finally {
        client.release(true);
      }
    }

    test('is decided by the record on its shard', async () => {
      const company = onWorker.get(1)!;
      expect((await issue(company)).status).toBe(201);
      const { rows } = await database.owner.query<{ chainId: number; id: string }>(
        `select chain_id as "chainId", id from registration_record where environment_id = $1 limit 1`,
        [company.live.environmentId],
      );
      await lostCommit(rows[0]!);
      await expect(lostCommit({ chainId: rows[0]!.chainId, id: 'rec_none' })).rejects.toThrow();
    });

    test('is not decided while its transaction still has the chain', async () => {
      const { environmentId } = onWorker.get(1)!.live;
      const { rows } = await database.owner.query<{ chainId: number }>(
        'select id as "chainId" from chain where environment_id = $1 and closed_at is null',
        [environmentId],
      );
      const other = await database.owner.connect();
      await other.query('begin');
      await other.query('select 1 from chain where environment_id = $1 for update', [environmentId]);
      await expect(lostCommit({ chainId: rows[0]!.chainId, id: 'rec_none' })).rejects.toThrow(/unknown/);
      await other.query('rollback');
      other.release();
    });
  });

  test('sealed rows stay sealed on every shard, for the runtime role and for the owner', async () => {
    for (const group of [1, 2]) {
      const { rows } = await superuser<{ shard: string }>(
        group,
        `select format('%s_%s', s.logicalrelid, s.shardid) as shard from pg_dist_shard s join pg_dist_placement p using (shardid)
          where p.groupid = ${group} and s.logicalrelid in ('invoice'::regclass, 'registration_record'::regclass, 'journal_entry'::regclass)`,
      );
      expect(rows.length).toBeGreaterThan(2);
      for (const { shard } of rows)
        for (const role of [`${database.name}_runtime`, `${database.name}_owner`]) {
          const tampering = `set role ${role}; set citus.enable_manual_changes_to_shards = on; `;
          const refused = /sealed|permission denied|cannot truncate/;
          await expect(superuser(group, `${tampering} truncate ${shard}`)).rejects.toThrow(refused);
          const { rowCount } = await superuser(group, `select 1 from ${shard} limit 1`);
          if (rowCount === 1)
            await expect(superuser(group, `${tampering} delete from ${shard}`)).rejects.toThrow(refused);
        }
      const { rows: owned } = await superuser<{ name: string }>(
        group,
        `select relname as name from pg_class where relowner = '${database.name}_runtime'::regrole`,
      );
      expect(owned).toEqual([]);
    }
  });

  test('a worker that is another server is examined before anything is issued there, and its chains alone are held', async () => {
    const { lineage } = service.db;
    // As if a standby of the first worker had taken over since, of which nothing says that it has every commit.
    const earlier = (text: string) => text.replace(/ 1:(\d+)\/(\d+)\//, ' 1:$1/00000000/');
    await database.owner.query('update database_lineage set identity = $1', [earlier(lineage.known!)]);
    lineage.known = earlier(lineage.known!);
    expect((await issue(onWorker.get(1)!)).status).toBe(503);
    expect((await issue(onWorker.get(2)!)).status).toBe(201);
    const holds = async () => {
      const { rows } = await database.owner.query<{ group: number; hold: string | null }>(
        `select (select groupid from pg_dist_placement where shardid = get_shard_id_for_distribution_column('chain', id.number)) as group, held.hold::text
           from unnest($1::int[]) as id (number) left join (select environment_id, hold from chain) held on held.environment_id = id.number`,
        [[...onWorker.values()].map(({ live }) => live.environmentId)],
      );
      return new Map(rows.map(({ group, hold }) => [group, hold]));
    };
    await expect.poll(holds, { timeout: 60_000 }).toEqual(
      new Map([
        [1, 'restored'],
        [2, null],
      ]),
    );
    expect(lineage.known).not.toBe(earlier(lineage.known!));
    await database.owner.query("update chain set hold = null, held_at = null where hold = 'restored'");
    expect((await issue(onWorker.get(1)!)).status).toBe(201);
  });
});
