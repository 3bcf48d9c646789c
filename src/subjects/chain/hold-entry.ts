import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import type { NewEntry } from '../../ground/journal/append.ts';
import { canonicalJson } from '../../ground/journal/canonical.ts';

/** A chain whose hold begins, changes or ends: why it takes no records; null when it does again, or another one does. */
export const chainHoldRow = z.object({
  environmentId: column.whole,
  chainId: column.whole,
  installationNumber: z.string(),
  hold: z.enum(['restored', 'forked']).nullable(),
});

export type ChainHold = z.output<typeof chainHoldRow>;

/** For what a statement on `chain` returns. */
export const HOLD_COLUMNS = `chain.environment_id as "environmentId", chain.id as "chainId",
  chain.installation_number as "installationNumber", chain.hold::text`;

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
