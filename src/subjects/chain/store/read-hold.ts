import { z } from 'zod';
import { column } from '../../../ground/db/rows.ts';

/** What a statement on `chain` returns of its hold. */
export const HOLD_COLUMNS = `chain.environment_id as "environmentId", chain.id as "chainId",
  chain.installation_number as "installationNumber", chain.hold`;

/** The row of `HOLD_COLUMNS`. */
export const chainHoldRow = z.object({
  environmentId: column.whole,
  chainId: column.whole,
  installationNumber: z.string(),
  hold: z.enum(['restored', 'forked']).nullable(),
});

/**
 * A chain whose hold begins, changes or ends: why it accepts no records; null when it accepts them again, or
 * another chain of the environment does.
 */
export type ChainHold = z.output<typeof chainHoldRow>;
