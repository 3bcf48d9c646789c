import type { NewEntry } from '../../ground/journal/append.ts';
import { canonicalJson } from '../../ground/journal/canonical.ts';
import type { ChainHold } from './store/read-hold.ts';

/** What the journal says of it. It holds all of that itself, for the chain's row shows the present alone. */
export function holdEntry(
  { environmentId, chainId, installationNumber, hold }: ChainHold,
  at: Date,
): NewEntry {
  return {
    environmentId,
    type: hold === null ? 'chain.released' : 'chain.held',
    subjectId: `chain ${chainId}`,
    at,
    content: canonicalJson({ chain_id: chainId, installation_number: installationNumber, hold }),
  };
}

/** The same of several. */
export function holdEntries(chains: readonly ChainHold[], at: Date): NewEntry[] {
  return chains.map((chain) => holdEntry(chain, at));
}
