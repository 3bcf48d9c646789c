import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';

/** The key of a chain for everything about its sending. */
export const chainKeyRow = z.object({ environmentId: column.whole, chainId: column.whole });

export type ChainKey = Readonly<z.output<typeof chainKeyRow>>;

/** The highest number of a series and year that a recipient may have. */
export const highestNumberRow = z.object({ seriesId: z.string(), year: column.whole, number: column.whole });

export type HighestNumber = Readonly<z.output<typeof highestNumberRow>>;

/** Numbers that a series skips, because a recipient may have them. */
export const jumpRow = z.object({
  seriesId: z.string(),
  year: column.whole,
  from: column.whole,
  to: column.whole,
});

export type Jump = Readonly<z.output<typeof jumpRow>>;
