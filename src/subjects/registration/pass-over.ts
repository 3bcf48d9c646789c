import type { Queryable } from '../../ground/db/queryable.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { ChainKey, HighestNumber, Jump } from './shapes.ts';
import { jumpCounters, lockOpenChains } from './store/counters.ts';

/**
 * Sets counters to numbers that are known to have been given, and notes which are passed over for it, so that none is
 * given twice and nobody takes the gap for a loss of today's. The caller holds the row of the environment's open chain,
 * so no number is being taken meanwhile. Series that do not exist (any more) are left out.
 */
export async function passOver(
  client: Queryable,
  chain: ChainKey,
  highest: readonly HighestNumber[],
): Promise<Jump[]> {
  return jumpCounters(client, chain, highest, clock.now());
}

/** The same for numbers of several environments, whose open chains it locks. */
export async function passOverGiven(
  client: Queryable,
  given: readonly (HighestNumber & { readonly environmentId: number })[],
): Promise<void> {
  const environments = [...new Set(given.map(({ environmentId }) => environmentId))];
  const chains = await lockOpenChains(client, environments);
  for (const chain of chains) {
    const numbers = given.filter(({ environmentId }) => environmentId === chain.environmentId);
    await passOver(client, chain, numbers);
  }
}
