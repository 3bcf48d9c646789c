import type pg from 'pg';
import type { SoftwareConfig } from '../config.ts';
import type { Db } from '../db/client.ts';
import type { Queryable } from '../db/queryable.ts';
import { inTransaction } from '../db/transaction.ts';
import { type Day, madridDay } from '../lib/calendar.ts';
import { clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { enqueue } from '../queue/enqueue.ts';
import {
  type HeldInvoice,
  type Installation,
  periodQueryEnvelope,
  readPeriodAnswer,
} from './aeat/period-query.ts';
import type { Issuer } from './aeat/soap.ts';
import type { AgencyLine } from './aeat/transport.ts';
import type { ChainKey } from './dispatch.ts';
import type { HighestNumber } from './pass-over.ts';

/**
 * A database that was restored may lack records that were sealed, sent and handed to customers since its backup. To go
 * on from its tails would fork the chains and give numbers twice. So every live chain is held, compared with what the
 * agency holds of it, and let go when the agency holds nothing that we lack. Invoices that were lost before they had
 * been sent nobody can know of: a backup that is current to the second is the only help against that.
 */

/**
 * Holds the live chains that take records, all of them, and has each compared with the agency by a job. Issuing is
 * refused with `service_unavailable` meanwhile. Answers how many are held now and wait to be compared.
 */
export async function holdAfterRestore(client: Queryable): Promise<number> {
  await client.query(
    `update chain set hold = 'restored', held_at = $1 from environment
      where environment.id = chain.environment_id and environment.kind = 'live'
        and chain.closed_at is null and chain.hold is null`,
    [clock.now()],
  );
  const { rows } = await client.query<ChainKey>(
    `select environment_id as "environmentId", id as "chainId" from chain
      where hold = 'restored' and closed_at is null order by id`,
  );
  await enqueue(
    client,
    rows.map((payload) => ({ task: 'compare_with_agency', payload })),
  );
  return rows.length;
}

type Services = {
  readonly db: Db;
  readonly log: Logger;
  readonly line: AgencyLine;
  readonly software: SoftwareConfig;
};

/** `unreachable`: the agency gave no usable answer, so the chain stays held and is to be compared again. */
export type Comparison = 'sound' | 'forked' | 'unreachable';

/**
 * Compares a held chain with what the agency holds of its installation since the last record that we know. Lets it go,
 * or marks it forked, with what is missing here: then it stays held until an operator opens a new installation.
 */
export async function compareWithAgency(
  services: Services,
  chain: ChainKey,
  signal?: AbortSignal,
): Promise<Comparison> {
  const facts = await factsOf(services.db.pool, chain);
  if (facts === null) return 'sound';
  const log = services.log.child({ environmentId: chain.environmentId, chainId: chain.chainId });
  const held = await askAll(services, facts, signal);
  if (typeof held === 'string') {
    log.warn({ reason: held }, 'the agency could not be asked what it holds of a restored chain');
    return 'unreachable';
  }
  const lost = await missingHere(services.db.pool, chain, held);
  if (lost.length === 0) {
    await services.db.pool.query(
      `update chain set hold = null, held_at = null
        where environment_id = $1 and id = $2 and hold = 'restored'`,
      [chain.environmentId, chain.chainId],
    );
    log.info({ compared: held.length }, 'a restored chain agrees with the agency and takes records again');
    return 'sound';
  }
  await inTransaction(services.db.pool, (client) => markForked(client, chain, lost, held));
  log.error({ lost: lost.length }, 'THE CHAIN IS FORKED: the agency holds records that this database lacks');
  return 'forked';
}

type Facts = {
  readonly issuer: Issuer;
  readonly installationNumber: string;
  /** The last moment of the chain that we know of. */
  readonly knownUntil: Date;
};

async function factsOf(pool: pg.Pool, chain: ChainKey): Promise<Facts | null> {
  const { rows } = await pool.query<Facts>(
    `select json_build_object('nif', company.nif, 'legalName', company.legal_name) as issuer,
            installation_number as "installationNumber",
            coalesce(last_generated_at, chain.created_at) as "knownUntil"
       from chain join environment on environment.id = chain.environment_id
       join company on company.id = environment.company_id
      where chain.environment_id = $1 and chain.id = $2 and hold is not null and closed_at is null`,
    [chain.environmentId, chain.chainId],
  );
  return rows[0] ?? null;
}

/** All that the agency holds of the installation since then, or why it could not be learnt. */
async function askAll(
  { line, software }: Services,
  { issuer, installationNumber, knownUntil }: Facts,
  signal: AbortSignal | undefined,
): Promise<HeldInvoice[] | string> {
  const installation: Installation = {
    producerName: software.producerName,
    producerNif: software.producerNif,
    softwareId: software.id,
    number: installationNumber,
  };
  const to = madridDay(clock.now());
  const known = madridDay(knownUntil);
  const from = known < to ? known : to;
  const held: HeldInvoice[] = [];
  for (const month of monthsBetween(from, to)) {
    let after: HeldInvoice | null = null;
    do {
      const envelope = periodQueryEnvelope(issuer, installation, { month, from, to, after });
      const exchange = await line.post(envelope, signal);
      if (exchange.kind !== 'answer') return exchange.reason;
      const answer = await readPeriodAnswer(exchange.text, installation);
      if (answer.kind === 'fault') return `fault ${answer.code ?? ''}`;
      if (answer.kind === 'unreadable') return answer.why;
      held.push(...answer.records);
      after = answer.next;
    } while (after !== null);
  }
  return held;
}

/**
 * The months under which the agency files what was issued between the two days. It goes by the day of the operation,
 * and invoices are due by the 16th of the month after it (RD 1619/2012 art. 11), so the month before belongs to them.
 */
function monthsBetween(from: Day, to: Day): string[] {
  const months: string[] = [];
  let [year = 0, month = 0] = from.split('-').map(Number);
  month -= 1;
  for (;;) {
    if (month === 0) [year, month] = [year - 1, 12];
    if (month === 13) [year, month] = [year + 1, 1];
    const name = `${year}-${String(month).padStart(2, '0')}`;
    if (name > to.slice(0, 7)) return months;
    months.push(name);
    month += 1;
  }
}

/** Of what the agency holds, the records that are not among ours, number and fingerprint taken together. */
async function missingHere(
  pool: pg.Pool,
  chain: ChainKey,
  held: readonly HeldInvoice[],
): Promise<HeldInvoice[]> {
  const { rows } = await pool.query<HeldInvoice>(
    `select held.* from jsonb_to_recordset($3::jsonb)
            as held (nif text, number text, "issueDate" text, fingerprint text)
      where not exists (
        select from invoice join registration_record record
            on record.environment_id = invoice.environment_id and record.invoice_id = invoice.id
         where invoice.environment_id = $1 and invoice.number = held.number
           and record.chain_id = $2 and record.fingerprint = held.fingerprint)`,
    [chain.environmentId, chain.chainId, JSON.stringify(held)],
  );
  return rows;
}

/** Enough for an operator to see what happened; a whole lost day would be too much for a row. */
const KEPT_RECORDS = 1_000;

async function markForked(
  client: pg.ClientBase,
  chain: ChainKey,
  lost: readonly HeldInvoice[],
  held: readonly HeldInvoice[],
): Promise<void> {
  await client.query(`update chain set hold = 'forked' where environment_id = $1 and id = $2`, [
    chain.environmentId,
    chain.chainId,
  ]);
  await client.query(
    `insert into chain_fork (environment_id, chain_id, found_at, record_count, records, highest)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (environment_id, chain_id) do update
        set found_at = excluded.found_at, record_count = excluded.record_count, records = excluded.records,
            highest = excluded.highest`,
    [
      chain.environmentId,
      chain.chainId,
      clock.now(),
      lost.length,
      JSON.stringify(lost.slice(0, KEPT_RECORDS)),
      JSON.stringify(await highestNumbers(client, chain.environmentId, held)),
    ],
  );
}

/** The highest number that the agency holds, for each series of the environment and year. */
async function highestNumbers(
  client: pg.ClientBase,
  environmentId: number,
  held: readonly HeldInvoice[],
): Promise<HighestNumber[]> {
  const { rows: series } = await client.query<{ id: string; prefix: string; yearly: boolean }>(
    'select id, prefix, yearly from number_series where environment_id = $1 and not imported',
    [environmentId],
  );
  const highest = new Map<string, HighestNumber>();
  for (const { id, prefix, yearly } of series) {
    for (const { number } of held) {
      if (!number.startsWith(`${prefix}-`)) continue;
      const rest = number.slice(prefix.length + 1);
      const [, year = '0', counter] = (yearly ? /^(\d{4})-(\d+)$/ : /^()(\d+)$/).exec(rest) ?? [];
      if (counter === undefined) continue;
      const found = { seriesId: id, year: Number(year), number: Number(counter) };
      const key = `${id}/${found.year}`;
      if ((highest.get(key)?.number ?? 0) < found.number) highest.set(key, found);
    }
  }
  return [...highest.values()];
}
