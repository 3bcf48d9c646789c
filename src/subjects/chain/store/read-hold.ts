import { z } from 'zod';
import { column } from '../../../ground/db/rows.ts';

/** For what a statement on `chain` returns of its hold. */
export const HOLD_COLUMNS = `chain.environment_id as "environmentId", chain.id as "chainId",
  chain.installation_number as "installationNumber", chain.hold::text`;

/** What `HOLD_COLUMNS` answer. */
export const chainHoldRow = z.object({
  environmentId: column.whole,
  chainId: column.whole,
  installationNumber: z.string(),
  hold: z.enum(['restored', 'forked']).nullable(),
});

/** A chain whose hold begins, changes or ends: why it takes no records; null when it does again, or another one does. */
export type ChainHold = z.output<typeof chainHoldRow>;
