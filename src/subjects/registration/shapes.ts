import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';

/** A chain, as it is named wherever something is done about its sending. */
export const chainKeyRow = z.object({ environmentId: column.whole, chainId: column.whole });

export type ChainKey = Readonly<z.output<typeof chainKeyRow>>;

/** The highest number of a series and year that somebody may hold. */
export const highestNumberRow = z.object({ seriesId: z.string(), year: column.whole, number: column.whole });

export type HighestNumber = Readonly<z.output<typeof highestNumberRow>>;

/** Numbers that a series will not give, because somebody may hold them. */
export const jumpRow = z.object({
  seriesId: z.string(),
  year: column.whole,
  from: column.whole,
  to: column.whole,
});

export type Jump = Readonly<z.output<typeof jumpRow>>;
