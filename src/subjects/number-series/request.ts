import { z } from 'zod';
import { seriesPrefix } from './series.ts';

/** The request for a series. `yearly` is true by default. */
export const seriesRequest = z
  .strictObject({
    prefix: seriesPrefix,
    type: z.enum(['standard', 'rectifying']),
    yearly: z
      .boolean()
      .nullish()
      .transform((value) => value ?? true),
  })
  .meta({ id: 'NumberSeriesRequest' });

export type SeriesRequest = z.output<typeof seriesRequest>;

const SERIES_ID = /^ns_[0-9a-f]{32}$/;

/** Whether a text has the form of a series' id; anything else is not worth a query. */
export function isSeriesId(text: string): boolean {
  return SERIES_ID.test(text);
}
