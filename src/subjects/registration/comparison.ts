import type pg from 'pg';
import { inTransaction } from '../../ground/db/transaction.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { HeldInvoice } from './aeat/period-query.ts';
import type { ChainKey } from './dispatch.ts';
import type { HighestNumber } from './pass-over.ts';

/** How far a held chain has been compared with the agency. */
export type Comparison = {
  readonly until: Day;
  /** `YYYY-MM`: whose pages are being read. */
  month: string;
  /** The last record of the page before; null when the month begins. */
  after: HeldInvoice | null;
  pages: number;
  /** Records of the installation that the agency showed so far. */
  compared: number;
  /** Those of them that are not here. */
  missing: number;
  records: HeldInvoice[];
  highest: HighestNumber[];
};

/** Enough for an operator to see what happened; a whole lost day would be too much for a row. */
const KEPT_RECORDS = 1_000;

/**
 * The comparison that the present hold of the chain has come to, or a new one that begins with `month`: for an earlier
 * hold, or on an earlier day, it said nothing of what came since.
 */
export async function openComparison(
  pool: pg.Pool,
  chain: ChainKey,
  begin: { readonly month: string; readonly until: Day },
): Promise<Comparison> {
  await pool.query(
    `insert into chain_comparison as open (environment_id, chain_id, held_at, until_day, month)
     select environment_id, id, held_at, $3, $4 from chain where environment_id = $1 and id = $2 and held_at is not null
     on conflict (environment_id, chain_id) do update
        set held_at = excluded.held_at, until_day = excluded.until_day, month = excluded.month, after = null, pages = 0,
            compared = 0, missing = 0, records = '[]', highest = '[]', page_at = null, trouble = null
      where (open.held_at, open.until_day) <> (excluded.held_at, excluded.until_day)`,
    [chain.environmentId, chain.chainId, begin.until, begin.month],
  );
  const { rows } = await pool.query<Comparison>(
    `select until_day::text as until, month, after, pages, compared, missing, records, highest
       from chain_comparison where environment_id = $1 and chain_id = $2`,
    [chain.environmentId, chain.chainId],
  );
  return rows[0]!;
}

/** Compares a page and adds what it showed. The records that are not among ours are told by number and fingerprint. */
export async function comparePage(
  pool: pg.Pool,
  chain: ChainKey,
  comparison: Comparison,
  page: readonly HeldInvoice[],
): Promise<void> {
  const lost = await missingHere(pool, chain, page);
  comparison.pages += 1;
  comparison.compared += page.length;
  comparison.missing += lost.length;
  comparison.records.push(...lost.slice(0, KEPT_RECORDS - comparison.records.length));
  comparison.highest = await highestNumbers(pool, chain.environmentId, comparison.highest, page);
}

/** Keeps how far it has come; false when another process has come further meanwhile. */
export async function keepComparison(
  pool: pg.Pool,
  chain: ChainKey,
  { month, after, pages, compared, missing, records, highest }: Comparison,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update chain_comparison set month = $3, after = $4, pages = $5, compared = $6, missing = $7, records = $8,
            highest = $9, page_at = now(), trouble = null
      where environment_id = $1 and chain_id = $2 and pages = $5 - 1`,
    [
      ...[chain.environmentId, chain.chainId, month, after === null ? null : JSON.stringify(after), pages],
      ...[compared, missing, JSON.stringify(records), JSON.stringify(highest)],
    ],
  );
  return rowCount === 1;
}

/** Keeps why the agency could not be asked, for operators to see while it lasts. */
export async function keepTrouble(pool: pg.Pool, chain: ChainKey, trouble: string): Promise<void> {
  await pool.query('update chain_comparison set trouble = $3 where environment_id = $1 and chain_id = $2', [
    chain.environmentId,
    chain.chainId,
    trouble.slice(0, 300),
  ]);
}

/** Ends the comparison: lets the chain go when nothing is missing, or marks it forked. */
export async function concludeComparison(
  pool: pg.Pool,
  chain: ChainKey,
  { missing, records, highest }: Comparison,
): Promise<'sound' | 'forked'> {
  const key = [chain.environmentId, chain.chainId];
  return inTransaction(pool, async (client) => {
    await client.query('delete from chain_comparison where environment_id = $1 and chain_id = $2', key);
    if (missing === 0) {
      await client.query(
        `update chain set hold = null, held_at = null
          where environment_id = $1 and id = $2 and hold = 'restored'`,
        key,
      );
      return 'sound';
    }
    await client.query("update chain set hold = 'forked' where environment_id = $1 and id = $2", key);
    await client.query(
      `insert into chain_fork (environment_id, chain_id, found_at, record_count, records, highest)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (environment_id, chain_id) do update
          set found_at = excluded.found_at, record_count = excluded.record_count, records = excluded.records,
              highest = excluded.highest`,
      [...key, clock.now(), missing, JSON.stringify(records), JSON.stringify(highest)],
    );
    return 'forked';
  });
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

/** The highest number that the agency holds, for each series of the environment and year. */
async function highestNumbers(
  pool: pg.Pool,
  environmentId: number,
  before: readonly HighestNumber[],
  held: readonly HeldInvoice[],
): Promise<HighestNumber[]> {
  const { rows: series } = await pool.query<{ id: string; prefix: string; yearly: boolean }>(
    'select id, prefix, yearly from number_series where environment_id = $1 and not imported',
    [environmentId],
  );
  const highest = new Map(before.map((found) => [`${found.seriesId}/${found.year}`, found]));
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
