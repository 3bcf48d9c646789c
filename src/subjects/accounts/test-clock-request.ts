import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { instant } from '../../ground/lib/request-fields.ts';

/** The values of what a test clock does. */
export const CLOCK_STATUSES = ['real_time', 'ready', 'advancing'] as const;
export type ClockStatus = (typeof CLOCK_STATUSES)[number];

function isDuration(text: string): boolean {
  try {
    return Temporal.Duration.from(text).sign === 1;
  } catch {
    return false;
  }
}

const duration = z
  .string()
  .max(50)
  .refine(isDuration, {
    error: 'must be a duration of ISO 8601, such as P1M or PT12H',
    params: { reason: 'invalid_format' },
  });

/** The target of a test clock: an instant, or a duration. */
export const clockRequest = z
  .strictObject({
    now: instant.optional().describe('The instant to advance to. Exactly one of this and `advance`.'),
    advance: duration
      .optional()
      .describe('An ISO 8601 duration such as `P1M` or `PT12H`. Exactly one of this and `now`.'),
  })
  .refine(({ now, advance }) => (now === undefined) !== (advance === undefined), {
    message: 'takes either now or advance',
    path: ['now'],
  })
  .meta({ id: 'TestClockRequest' });

export type ClockRequest = z.output<typeof clockRequest>;
