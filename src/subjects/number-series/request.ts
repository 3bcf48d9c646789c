import { z } from 'zod';
import { seriesPrefix } from './series.ts';

/** What a series numbers: ordinary invoices, or rectificativas. */
export const SERIES_TYPES = ['standard', 'rectifying'] as const;

/** The request for a series. `yearly` is true by default. */
export const seriesRequest = z
  .strictObject({
    prefix: seriesPrefix.describe(
      'The prefix of its numbers: printable ASCII, stored without white space and in capitals.',
    ),
    type: z.enum(SERIES_TYPES).describe('What it numbers: ordinary invoices or rectificativas.'),
    yearly: z
      .boolean()
      .nullish()
      .transform((value) => value ?? true)
      .describe('True: numbers restart at 1 each year and include the year.'),
  })
  .meta({ id: 'NumberSeriesRequest', description: 'A new series.' });

export type SeriesRequest = z.output<typeof seriesRequest>;

const SERIES_ID = /^ns_[0-9a-f]{32}$/;

/** Whether a text has the form of a series' id; anything else is not worth a query. */
export function isSeriesId(text: string): boolean {
  return SERIES_ID.test(text);
}
