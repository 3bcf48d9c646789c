import type { NewEntry } from '../../ground/journal/append.ts';
import { canonicalJson } from '../../ground/journal/canonical.ts';
import type { ChainHold } from './store/read-hold.ts';

/**
 * The content of a journal entry on a hold. It is complete in itself, because the chain's row contains only the
 * current state.
 */
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

/** The same for several chains. */
export function holdEntries(chains: readonly ChainHold[], at: Date): NewEntry[] {
  return chains.map((chain) => holdEntry(chain, at));
}
