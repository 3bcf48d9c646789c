import type pg from 'pg';
import { inTransaction } from '../../ground/db/transaction.ts';
import { append } from '../../ground/journal/append.ts';
import { clock } from '../../ground/lib/clock.ts';
import { holdEntries } from '../chain/hold-entry.ts';
import type { AgencyInvoice } from './aeat/period-query.ts';
import type { ChainKey, HighestNumber } from './shapes.ts';
import {
  type Comparison,
  dropComparison,
  endHold,
  issuingSeries,
  markForked,
  recordsMissingLocally,
} from './store/comparison.ts';

/** Enough for an operator to see what happened; a whole lost day would be too much for a row. */
const KEPT_RECORDS = 1_000;

/** Compares a page and adds its result. Records that are missing here are identified by number and fingerprint. */
export async function comparePage(
  pool: pg.Pool,
  chain: ChainKey,
  comparison: Comparison,
  page: readonly AgencyInvoice[],
): Promise<void> {
  const lost = await recordsMissingLocally(pool, chain, page);
  comparison.pages += 1;
  comparison.compared += page.length;
  comparison.missing += lost.length;
  comparison.records.push(...lost.slice(0, KEPT_RECORDS - comparison.records.length));
  comparison.highest = await highestNumbers(pool, chain.environmentId, comparison.highest, page);
}

/** Ends the comparison: ends the hold when nothing is missing, or marks the chain forked. */
export async function concludeComparison(
  pool: pg.Pool,
  chain: ChainKey,
  comparison: Comparison,
): Promise<'sound' | 'forked'> {
  return inTransaction(pool, async (client) => {
    await dropComparison(client, chain);
    const now = clock.now();
    if (comparison.missing === 0) {
      await append(client, holdEntries(await endHold(client, chain), now));
      return 'sound';
    }
    await append(client, holdEntries(await markForked(client, chain, comparison, now), now));
    return 'forked';
  });
}

/** The highest number that the agency has, for each series of the environment and year. */
async function highestNumbers(
  pool: pg.Pool,
  environmentId: number,
  before: readonly HighestNumber[],
  records: readonly AgencyInvoice[],
): Promise<HighestNumber[]> {
  const series = await issuingSeries(pool, environmentId);
  const highest = new Map(before.map((found) => [`${found.seriesId}/${found.year}`, found]));
  for (const { id, prefix, yearly } of series) {
    for (const { number } of records) {
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
