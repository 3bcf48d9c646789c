import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../src/ground/config/config.ts';
import type { Db } from '../../src/ground/db/client.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import type { Services } from '../../src/services.ts';
import { assemble } from '../../src/startup/assemble.ts';
import type { IssuingCaller } from '../../src/subjects/accounts/entry/caller.ts';
import { simulatedAgency } from '../../src/subjects/registration/aeat/endpoints.ts';
import {
  type AgencyAccess,
  type AgencyClient,
  openAgencyClient,
} from '../../src/subjects/registration/aeat/transport.ts';
import type { ChainKey } from '../../src/subjects/registration/shapes.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { createCompany } from '../support/invoices/company.ts';
import { testLog } from '../support/processes/run-log.ts';
import type { EnvelopeSeen, RecordSeen } from './auditor.ts';
import type { Settings } from './plan.ts';

/** A company that issues live, and its chain. */
export type Member = ChainKey & { readonly nif: string; readonly caller: IssuingCaller };

/** The service's parts in this process, one database, one simulator; time passes when it is told to. */
export type SimulationContext = {
  readonly databaseUrl: string;
  readonly services: Services;
  readonly simulator: TestSimulator;
  readonly access: AgencyAccess;
  readonly shortTimeout: AgencyClient;
  readonly agencyClient: AgencyClient;
  found(companies: number): Promise<Member[]>;
  control(settings: Settings): Promise<void>;
  /** What the agency has received since the last time that it was asked. */
  received(): Promise<{ readonly records: RecordSeen[]; readonly envelopes: EnvelopeSeen[] }>;
  /** Lets time pass for the service, the database and the agency alike. */
  pass(milliseconds: number): Promise<void>;
  /** Puts the clock of this process wrong, which neither the database nor the agency does. */
  jump(milliseconds: number): Promise<void>;
  /** Right clocks, a healthy agency, an empty queue. */
  reset(): Promise<void>;
  close(): Promise<void>;
};

/** Longer than an answer takes on a busy machine, or else only patience would be tested. */
const SHORT_TIMEOUT_MS = 120;

let companies = 0;

/**
 * Gives a database a clock that can be put forward: a `now()` that is found before Postgres' own. Holds for
 * connections that are opened later.
 */
export async function simulateClock(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(`
    create schema simulation;
    create table simulation.clock (ahead interval not null);
    insert into simulation.clock values ('0');
    grant usage on schema simulation to public;
    grant select, update on simulation.clock to public;
    create function simulation.now() returns timestamptz stable language sql
      as 'select pg_catalog.now() + ahead from simulation.clock';
    do $$ begin
      execute format('alter database %I set search_path = simulation, public, pg_catalog', current_database());
    end $$`);
  await client.end();
}

/** `db` is to be of a database whose clock has been tamed. */
export async function openSimulation(databaseUrl: string, db: Db): Promise<SimulationContext> {
  const simulator = await testSimulator();
  const dataDir = mkdtempSync(join(tmpdir(), 'lacre-simulation-'));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const { services, close } = assemble({ config, db, log: testLog(), simulator });
  const access = simulatedAgency(simulator, null);
  const shortTimeout = openAgencyClient(access, { answerMs: SHORT_TIMEOUT_MS });
  const agencyClient = openAgencyClient(access);
  const { pool } = db;
  const readJournal = journal(join(simulator.dataDir, 'received.jsonl'));
  let ahead = 0;
  let envelopes = 0;

  const control = async (settings: Settings) => {
    const response = await simulator.control(settings);
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    ...{ databaseUrl, services, simulator, access, shortTimeout, agencyClient, control },
    found: (count) => Promise.all(Array.from({ length: count }, () => foundCompany(services))),
    async received() {
      const answer = await fetch(`${simulator.url}/envelopes.json?after=${envelopes}`);
      const found = ((await answer.json()) as { envelopes: EnvelopeSeen[] }).envelopes;
      envelopes = found.at(-1)?.sequence ?? envelopes;
      return { records: readJournal(), envelopes: found };
    },
    async pass(milliseconds) {
      clock.shift(milliseconds);
      await pool.query('update simulation.clock set ahead = ahead + $1', [`${milliseconds} milliseconds`]);
    },
    async jump(milliseconds) {
      ahead -= milliseconds;
      await control({ clock_ahead_ms: ahead });
      clock.shift(milliseconds);
    },
    async reset() {
      clock.reset();
      ahead = 0;
      await pool.query("update simulation.clock set ahead = '0'");
      await control({ mode: 'ok', wait_seconds: 60, enforce_wait: false, clock_ahead_ms: 0 });
      await pool.query('delete from graphile_worker._private_jobs');
    },
    async close() {
      clock.reset();
      shortTimeout.close();
      agencyClient.close();
      await close();
      await simulator.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function foundCompany({ db, authenticator }: Pick<Services, 'db' | 'authenticator'>): Promise<Member> {
  companies += 1;
  const nif = companyNif(companies);
  const { live } = await createCompany(db, { nif });
  const caller = (await authenticator.merchant(`Bearer ${live.key}`))!;
  return { environmentId: live.environmentId, chainId: live.chainId, nif, caller };
}

/** Reads what was added to the simulator's file of received records, as it wrote it. */
function journal(file: string): () => RecordSeen[] {
  let lines = 0;
  return () => {
    const all = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const added = all.slice(lines).map((line) => JSON.parse(line) as RecordSeen);
    lines = all.length;
    return added;
  };
}
