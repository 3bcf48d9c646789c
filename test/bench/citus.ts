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

/** Companies that issue in turn. */
const COMPANIES = 200;
/** Until the process has compiled what issuing runs: it depends on how often, not on how long. */
const WARM_UP_INVOICES = 6_000;

/** At most: processor time of the service for an invoice, of that on one server. */
const TARGET = 1.3;

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
type Side = { measure(): Promise<Cost>; close(): Promise<void> };

/**
 * What an invoice costs the service where environments are divided among the servers of a Citus cluster, and in a database of
 * the same coordinator that is not divided: in turn, with as many requests at once.
 */
export async function costOfCitus(
  pace: Pace,
  rounds: number,
  { profile, idleTimeoutSeconds, print }: Surroundings,
): Promise<Record<'plain' | 'divided', Cost[]>> {
  if (CITUS_URL === null) throw new Error('CITUS_DATABASE_URL is not set');
  const plain = await sideOf(await plainDatabase(), pace, null);
  const divided = await sideOf(await citusDatabase({ proxied: false }), pace, profile);
  const costs: Record<'plain' | 'divided', Cost[]> = { plain: [], divided: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [name, side] of Object.entries({ plain, divided })) {
        await waitUntilIdle(idleTimeoutSeconds);
        const cost = await side.measure();
        print(`  ${name}: ${lineOf(cost)}`);
        costs[name as keyof typeof costs].push(cost);
      }
    }
    return costs;
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

/** The medians of both sides, and their ratio. */
export function citusLines({ plain, divided }: Record<'plain' | 'divided', readonly Cost[]>): string[] {
  const [one, other] = [medianOf(plain), medianOf(divided)];
  const ratio = other.ms / one.ms;
  const verdict = ratio <= TARGET ? 'reached' : 'MISSED';
  return [
    `processor time of the service for an invoice, divided ÷ plain: ${ratio.toFixed(2)} (at most ${TARGET}: ${verdict})`,
    `  plain:   ${lineOf(one)}`,
    `  divided: ${lineOf(other)}`,
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
  const watched = { serverPid: service.pid, postgresPid: process.pid };
  for (let issued = 0; issued < WARM_UP_INVOICES; )
    issued += (await runRound('http-load', { ...load, warmUpSeconds: 0 }, watched)).done;
  return {
    async measure() {
      const { cpu, inWindow, perSecond, p50Ms, p99Ms } = await runRound('http-load', load, watched);
      const each = (seconds: number | null) => (seconds! * 1_000) / inWindow;
      return { ms: each(cpu.server), othersMs: each(cpu.others), perSecond, p50Ms, p99Ms };
    },
    async close() {
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
      await database.close();
    },
  };
}
