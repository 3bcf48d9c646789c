import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';
import { type ChainHold, chainHoldRow, HOLD_COLUMNS } from '../../chain/store/read-hold.ts';
import type { AgencyInvoice } from '../aeat/period-query.ts';
import { type ChainKey, highestNumberRow } from '../shapes.ts';

const agencyInvoiceRow = z.object({
  nif: z.string(),
  number: z.string(),
  issueDate: z.string(),
  fingerprint: z.string(),
}) satisfies z.ZodType<AgencyInvoice>;

const comparisonRow = z.object({
  until: column.day,
  /** `YYYY-MM`: the month whose pages are being read. */
  month: z.string(),
  /** The last record of the previous page; null at the beginning of the month. */
  after: agencyInvoiceRow.nullable(),
  pages: column.whole,
  /** Records of the installation that the agency has returned so far. */
  compared: column.whole,
  /** Those of them that are missing here. */
  missing: column.whole,
  records: z.array(agencyInvoiceRow),
  highest: z.array(highestNumberRow),
});

/** The progress of comparing a held chain with the agency. */
export type Comparison = z.output<typeof comparisonRow>;

/**
 * The comparison of the chain's current hold, or a new one that begins with `month`: one of an earlier hold, or of
 * an earlier day, does not cover what came since.
 */
export async function openComparison(
  client: Queryable,
  chain: ChainKey,
  begin: { readonly month: string; readonly until: Day },
): Promise<Comparison> {
  await execute(
    client,
    `insert into chain_comparison as open (environment_id, chain_id, held_at, until_day, month)
     select $1::int, id, held_at, $3, $4 from chain where environment_id = $1 and id = $2 and held_at is not null
     on conflict (environment_id, chain_id) do update
        set held_at = excluded.held_at, until_day = excluded.until_day, month = excluded.month, after = null, pages = 0,
            compared = 0, missing = 0, records = '[]', highest = '[]', page_at = null, trouble = null
      where (open.held_at, open.until_day) <> (excluded.held_at, excluded.until_day)`,
    [chain.environmentId, chain.chainId, begin.until, begin.month],
  );
  return readOneRow(
    client,
    comparisonRow,
    `select until_day::text as until, month, after, pages, compared, missing, records, highest
       from chain_comparison where environment_id = $1 and chain_id = $2`,
    [chain.environmentId, chain.chainId],
  );
}

/** Stores the progress; false when another process has progressed further meanwhile. */
export async function saveComparison(
  client: Queryable,
  chain: ChainKey,
  { month, after, pages, compared, missing, records, highest }: Comparison,
): Promise<boolean> {
  const changed = await execute(
    client,
    `update chain_comparison set month = $3, after = $4, pages = $5, compared = $6, missing = $7, records = $8,
            highest = $9, page_at = now(), trouble = null
      where environment_id = $1 and chain_id = $2 and pages = $5 - 1`,
    [
      ...[chain.environmentId, chain.chainId, month, after === null ? null : JSON.stringify(after), pages],
      ...[compared, missing, JSON.stringify(records), JSON.stringify(highest)],
    ],
  );
  return changed === 1;
}

/** Stores why the agency could not be queried, for operators to see until it succeeds. */
export async function saveComparisonFailure(
  client: Queryable,
  chain: ChainKey,
  failure: string,
): Promise<void> {
  await execute(
    client,
    'update chain_comparison set trouble = $3 where environment_id = $1 and chain_id = $2',
    [chain.environmentId, chain.chainId, failure.slice(0, 300)],
  );
}

/** Deletes a completed comparison, in the transaction that applies its result. */
export async function dropComparison(client: Queryable, chain: ChainKey): Promise<void> {
  await execute(client, 'delete from chain_comparison where environment_id = $1 and chain_id = $2', [
    chain.environmentId,
    chain.chainId,
  ]);
}

/** Ends the hold of a chain that was held after a restore. */
export async function endHold(client: Queryable, chain: ChainKey): Promise<ChainHold[]> {
  return readRows(
    client,
    chainHoldRow,
    `update chain set hold = null, held_at = null
      where environment_id = $1 and id = $2 and hold = 'restored' returning ${HOLD_COLUMNS}`,
    [chain.environmentId, chain.chainId],
  );
}

/** Marks a chain as forked, and stores which of the agency's records are missing here. */
export async function markForked(
  client: Queryable,
  chain: ChainKey,
  { missing, records, highest }: Comparison,
  now: Date,
): Promise<ChainHold[]> {
  const key = [chain.environmentId, chain.chainId];
  const forked = await readRows(
    client,
    chainHoldRow,
    `update chain set hold = 'forked' where environment_id = $1 and id = $2 returning ${HOLD_COLUMNS}`,
    key,
  );
  await execute(
    client,
    `insert into chain_fork (environment_id, chain_id, found_at, record_count, records, highest)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (environment_id, chain_id) do update
        set found_at = excluded.found_at, record_count = excluded.record_count, records = excluded.records,
            highest = excluded.highest`,
    [...key, now, missing, JSON.stringify(records), JSON.stringify(highest)],
  );
  return forked;
}

/** Of the agency's records, those that are missing here, compared by number and fingerprint. */
export async function recordsMissingLocally(
  client: Queryable,
  chain: ChainKey,
  records: readonly AgencyInvoice[],
): Promise<AgencyInvoice[]> {
  return readRows(
    client,
    agencyInvoiceRow,
    `select held.* from jsonb_to_recordset($3::jsonb)
            as held (nif text, number text, "issueDate" text, fingerprint text)
      where not exists (
        select 1 from invoice join registration_record record
            on record.environment_id = invoice.environment_id and record.invoice_id = invoice.id
         where invoice.environment_id = $1 and invoice.number = held.number
           and record.chain_id = $2 and record.fingerprint = held.fingerprint)`,
    [chain.environmentId, chain.chainId, JSON.stringify(records)],
  );
}

const seriesRow = z.object({ id: z.string(), prefix: z.string(), yearly: z.boolean() });

/** The series in which an environment issues. */
export async function issuingSeries(client: Queryable, environmentId: number) {
  return readRows(
    client,
    seriesRow,
    'select id, prefix, yearly from number_series where environment_id = $1 and not imported',
    [environmentId],
  );
}
