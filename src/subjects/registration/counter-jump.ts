import type { Queryable } from '../../ground/db/queryable.ts';
import { append, type NewEntry } from '../../ground/journal/append.ts';
import { sha256 } from '../../ground/journal/canonical.ts';
import { INSTALLATION } from '../../ground/journal/entry.ts';
import { COUNTER_JUMP, rowText } from '../../ground/journal/forms.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { ChainKey, HighestNumber, Jump } from './shapes.ts';
import { jumpCounters, lockOpenChains } from './store/counters.ts';

/**
 * Sets counters to numbers that are known to be used, and records the skipped ones, so that none is issued twice
 * and the gap is explained. The caller has locked the row of the environment's open chain, so no number is being
 * taken meanwhile. Series that do not exist (any more) are ignored. `jumpEntries` creates the journal's entries,
 * which are appended last in the transaction.
 */
export async function advanceCounters(
  client: Queryable,
  chain: ChainKey,
  highest: readonly HighestNumber[],
  now = clock.now(),
): Promise<Jump[]> {
  return jumpCounters(client, chain, highest, now);
}

/** The entries of the installation's journal for skipped numbers. */
export function jumpEntries(
  { environmentId, chainId }: { readonly environmentId: number; readonly chainId: number },
  jumps: readonly Jump[],
  now: Date,
): NewEntry[] {
  return jumps.map(({ seriesId, year, from, to }) => {
    const row = {
      ...{ environment_id: environmentId, series_id: seriesId, year, from_number: from, to_number: to },
      ...{ chain_id: chainId, jumped_at: now },
    };
    const subjectId = `${seriesId}/${year}/${from}`;
    const contentHash = sha256(rowText(COUNTER_JUMP, row));
    return { environmentId: INSTALLATION, type: 'counter_jump.added', subjectId, at: now, contentHash };
  });
}

/** The same for numbers of several environments, whose open chains it locks. */
export async function skipAcknowledged(
  client: Queryable,
  highest: readonly (HighestNumber & { readonly environmentId: number })[],
): Promise<void> {
  const environments = [...new Set(highest.map(({ environmentId }) => environmentId))];
  const chains = await lockOpenChains(client, environments);
  const now = clock.now();
  const entries: NewEntry[] = [];
  for (const chain of chains) {
    const numbers = highest.filter(({ environmentId }) => environmentId === chain.environmentId);
    entries.push(...jumpEntries(chain, await advanceCounters(client, chain, numbers, now), now));
  }
  await append(client, entries);
}
