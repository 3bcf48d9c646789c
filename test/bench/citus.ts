import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { CITUS_URL, citusDatabase } from '../support/database/citus.ts';
import type { Pace } from './drive.ts';
import { issueRequest } from './invoice.ts';
import { runRound, waitUntilIdle } from './round.ts';
import { createCompanies, startService } from './workspace.ts';

/** No process has this number. */
const NOBODY = 0;
/** Companies that issue in turn. */
const COMPANIES = 200;
/** Until the process has compiled what issuing runs: it depends on how often, not on how long. */
const WARM_UP_INVOICES = 6_000;

/** At most: processor time of the service for an invoice, of that on one server. No load is named: it is held against each that is measured. */
const TARGET = 1.3;
/** What both can do on two cores. */
const SAME_LOAD = 100;

/** `ms` is the processor time of the service for an invoice; `othersMs` that of all else: on a quiet machine Postgres. */
type Cost = {
  readonly ms: number;
  readonly othersMs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};
type Surroundings = {
  readonly profile: string | null;
  readonly idleTimeoutSeconds: number;
  readonly print: (line: string) => void;
};
type Side = { measure(perSecond: number | undefined): Promise<Cost>; close(): Promise<void> };
type Costs = Record<'plain' | 'divided', Cost[]>;
type Loads = { readonly same: Costs; readonly mostOfDivided: Costs; readonly mostOfEach: Costs };

/**
 * What an invoice costs the service where environments are divided among the servers of a Citus cluster, and in a database of
 * the same coordinator that is not divided: in turn, with as many requests at once.
 */
export async function costOfCitus(
  pace: Pace,
  rounds: number,
  { profile, idleTimeoutSeconds, print }: Surroundings,
): Promise<Loads> {
  if (CITUS_URL === null) throw new Error('CITUS_DATABASE_URL is not set');
  const plain = await sideOf(await plainDatabase(), pace, profile && `${profile}-plain`);
  const divided = await sideOf(await citusDatabase({ proxied: false }), pace, profile);
  const none = (): Costs => ({ plain: [], divided: [] });
  const loads: Loads = { same: none(), mostOfDivided: none(), mostOfEach: none() };
  const measure = async (name: keyof Costs, perSecond?: number) => {
    await waitUntilIdle(idleTimeoutSeconds);
    const cost = await { plain, divided }[name].measure(perSecond);
    print(`  ${name}: ${lineOf(cost)}`);
    return cost;
  };
  try {
    for (let round = 0; round < rounds; round++) {
      loads.same.plain.push(await measure('plain', SAME_LOAD));
      loads.same.divided.push(await measure('divided', SAME_LOAD));
      const most = await measure('divided');
      loads.mostOfDivided.divided.push(most);
      loads.mostOfDivided.plain.push(await measure('plain', Math.round(most.perSecond)));
      loads.mostOfEach.divided.push(most);
      loads.mostOfEach.plain.push(await measure('plain'));
    }
    return loads;
  } finally {
    await plain.close();
    await divided.close();
  }
}

type Database = { readonly url: string; readonly db: Db; close(): Promise<void> };

/** On the server of the coordinator, without Citus. */
async function plainDatabase(): Promise<Database> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const log = pino({ level: 'warn' });
  const admin = openDb(CITUS_URL!, { max: 1, log });
  await admin.pool.query(`create database ${name}`);
  const url = new URL(CITUS_URL!);
  url.pathname = `/${name}`;
  const db = openDb(url.href, { max: 4, log });
  return {
    ...{ url: url.href, db },
    async close() {
      await closeDb(db);
      await admin.pool.query(`drop database ${name} with (force)`);
      await closeDb(admin);
    },
  };
}

/** The medians of both sides, and their ratio, at each load. */
export function citusLines({ same, mostOfDivided, mostOfEach }: Loads): string[] {
  const at = (load: string, { plain, divided }: Costs) => {
    const [one, other] = [medianOf(plain), medianOf(divided)];
    const ratio = other.ms / one.ms;
    const verdict = ratio <= TARGET ? 'reached' : 'MISSED';
    return [
      `${load}: ${ratio.toFixed(2)} (at most ${TARGET}: ${verdict})`,
      `  plain:   ${lineOf(one)}`,
      `  divided: ${lineOf(other)}`,
    ];
  };
  return [
    'processor time of the service for an invoice, divided ÷ plain',
    ...at(`at ${SAME_LOAD} invoices/s each`, same),
    ...at('both as many as the divided can', mostOfDivided),
    ...at('each as many as it can', mostOfEach),
  ];
}

function medianOf(costs: readonly Cost[]): Cost {
  const sorted = [...costs].sort((one, other) => one.ms - other.ms);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

function lineOf({ ms, othersMs, perSecond, p50Ms, p99Ms }: Cost): string {
  return `${ms.toFixed(3)} ms, all else ${othersMs.toFixed(2)} ms, ${perSecond.toFixed(0)} invoices/s, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`;
}

async function sideOf(database: Database, pace: Pace, profile: string | null): Promise<Side> {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-bench-'));
  const service = await startService({ directory }, database.url, { jobs: 'outside', profile });
  const companies = await createCompanies(database.db, COMPANIES);
  const load = {
    ...pace,
    port: service.port,
    requests: companies.map(({ live }) => issueRequest(live.key)),
    expectedStatus: 201,
  };
  // Of several servers, none of which is a child: their time is that of all else.
  const watched = { serverPid: service.pid, postgresPid: NOBODY };
  for (let issued = 0; issued < WARM_UP_INVOICES; )
    issued += (await runRound('http-load', { ...load, warmUpSeconds: 0 }, watched)).done;
  return {
    async measure(perSecond) {
      const {
        cpu,
        inWindow,
        perSecond: reached,
        p50Ms,
        p99Ms,
      } = await runRound(
        'http-load',
        { ...load, ...(perSecond === undefined ? {} : { perSecond }) },
        watched,
      );
      const each = (seconds: number | null) => (seconds! * 1_000) / inWindow;
      return { ms: each(cpu.server), othersMs: each(cpu.others), perSecond: reached, p50Ms, p99Ms };
    },
    async close() {
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
      await database.close();
    },
  };
}
