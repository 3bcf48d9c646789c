import type { Db } from '../../../src/ground/db/client.ts';
import {
  type AgencyAccess,
  type ClientLimits,
  openAgencyClient,
} from '../../../src/subjects/registration/aeat/transport.ts';
import type { ChainKey } from '../../../src/subjects/registration/shapes.ts';
import { submitChain } from '../../../src/subjects/registration/submit.ts';
import { createCompany, type TestEnvironment } from '../invoices/company.ts';
import { testLog } from '../processes/run-log.ts';

/** What a test of registering asks of the database and does to it. */

export type Chain = ChainKey & { readonly nif: string; readonly standardSeriesId: string };

let companies = 0;

/** The live chain of a new company with its own NIF. */
export async function newChain(db: Db, kind: 'live' | 'test' = 'live'): Promise<Chain> {
  companies += 1;
  const nif = companyNif(companies);
  const company = await createCompany(db, { nif });
  const { environmentId, chainId, standardSeriesId }: TestEnvironment = company[kind];
  return { environmentId, chainId, standardSeriesId, nif };
}

/** The n-th NIF of a limited company, with its control digit (src/subjects/tax-ids/spanish-nif.ts). */
export function companyNif(n: number): string {
  const digits = String(n).padStart(7, '0');
  let sum = 0;
  for (const [index, character] of [...digits].entries()) {
    const doubled = Number(character) * (index % 2 === 0 ? 2 : 1);
    sum += Math.floor(doubled / 10) + (doubled % 10);
  }
  return `B${digits}${(10 - (sum % 10)) % 10}`;
}

/** A worker of registration with a connection of its own to the agency. */
export function registrar(db: Db, access: AgencyAccess, limits: Partial<ClientLimits> = {}) {
  const agency = openAgencyClient(access, limits);
  const services = { db, log: testLog(), agency };
  return {
    submit: (chain: ChainKey, signal?: AbortSignal) => submitChain(services, chain, signal),
    close: () => agency.close(),
  };
}

export type StateRow = {
  readonly position: number;
  readonly status: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly receipt: string | null;
  readonly attempts: number;
  readonly late: boolean;
  readonly parked: string | null;
  readonly settled: boolean;
};

/** The chain's records, in order. */
export async function statesOf(db: Db, chain: ChainKey): Promise<StateRow[]> {
  const { rows } = await db.pool.query<StateRow>(
    `select position, status::text, error_code as code, error_message as message, receipt, attempts, late,
            parked_reason as parked, settled_at is not null as settled
       from record_state where chain_id = $1 order by position`,
    [chain.chainId],
  );
  return rows;
}

export type DispatchRow = {
  readonly wait: number;
  readonly secondsToNext: number;
  readonly failures: number;
  readonly incident: boolean;
  readonly stopped: string | null;
  readonly leased: boolean;
};

export async function dispatchOf(db: Db, chain: ChainKey): Promise<DispatchRow> {
  const { rows } = await db.pool.query<DispatchRow>(
    `select wait_seconds as wait, extract(epoch from next_send_at - now())::float as "secondsToNext",
            consecutive_failures as failures, incident_since is not null as incident,
            stopped_reason as stopped, lease_token is not null as leased
       from chain_dispatch where chain_id = $1`,
    [chain.chainId],
  );
  return rows[0]!;
}

export type SubmissionRow = {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly incident: boolean;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly answer: string | null;
};

/** The chain's envelopes, in the order in which they were sent. */
export async function submissionsOf(db: Db, chain: ChainKey): Promise<SubmissionRow[]> {
  const { rows } = await db.pool.query<SubmissionRow>(
    `select first_position as first, last_position as last, record_count as count, incident, outcome,
            fault_code as code, message, answer
       from submission where chain_id = $1 order by started_at, id`,
    [chain.chainId],
  );
  return rows;
}

/** Lets the wait be over. */
export async function skipWait(db: Db, chain: ChainKey): Promise<void> {
  await db.pool.query(
    "update chain_dispatch set next_send_at = now() - interval '1 second' where chain_id = $1",
    [chain.chainId],
  );
}
