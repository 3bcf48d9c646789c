import { z } from 'zod';
import { day, fault, optional } from '../../ground/lib/request-fields.ts';
import { draftContent, dueInDays } from './draft-request.ts';
import { ONE_TIME_DAYS } from './due-day.ts';
import { PLACEHOLDERS, unknownPlaceholders } from './placeholders.ts';
import { FREQUENCIES } from './types.ts';

/** The request for a recurring invoice. */

/** Forty years of months. */
const MAX_PERIODS = 500;

const ONE_TIME = ['externalId', 'rectifies', ...ONE_TIME_DAYS] as const;

type Sent = Readonly<Record<string, unknown>>;

/** Each invoice has days and ids of its own, so a schedule cannot contain any. */
function requireRepeatable(invoice: Sent, check: z.RefinementCtx): void {
  for (const name of ONE_TIME) {
    if (invoice[name] === undefined) continue;
    fault(check, ['invoice', name], 'not_supported', 'is not supported of an invoice that repeats');
  }
  const [unknown] = unknownPlaceholders(invoice);
  if (unknown === undefined) return;
  const known = PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ');
  fault(check, ['invoice'], 'unknown_placeholder', `holds a placeholder that is none of ${known}`);
}

const count = z.int().min(1).max(MAX_PERIODS);

const ENDS_ON = 'The last day.';
const COUNT = 'Maximum number of invoices.';
const DUE_IN_DAYS = 'Number of days from the issue of each invoice to its due date.';

export const scheduleRequest = z
  .strictObject({
    invoice: draftContent.describe(
      'The template of each invoice: without dates and ids of its own, with placeholders such as `{{month}}` in its texts.',
    ),
    frequency: z.enum(FREQUENCIES).describe('The interval.'),
    startsOn: day.describe('The first day: today or later.'),
    endsOn: optional(day).describe(ENDS_ON),
    count: optional(count).describe(COUNT),
    dueInDays: optional(dueInDays).describe(DUE_IN_DAYS),
  })
  .superRefine(({ invoice, startsOn, endsOn }, check) => {
    requireRepeatable(invoice, check);
    if (endsOn !== undefined && endsOn < startsOn) {
      fault(check, ['endsOn'], 'too_small', 'must not be before starts_on');
    }
  })
  .meta({ id: 'InvoiceScheduleRequest', description: 'A schedule to be created.' });

/**
 * The fields of a schedule that can be changed; a field that is not sent stays unchanged, and the invoice is sent
 * whole.
 */
export const scheduleChange = z
  .strictObject({
    invoice: draftContent.optional().describe('Replaces the template from the next invoice on.'),
    endsOn: day.nullish().describe(ENDS_ON),
    count: count.nullish().describe(COUNT),
    dueInDays: dueInDays.nullish().describe(DUE_IN_DAYS),
  })
  .superRefine(({ invoice }, check) => {
    if (invoice !== undefined) requireRepeatable(invoice, check);
  })
  .meta({
    id: 'InvoiceScheduleChange',
    description: 'Changes of a schedule; omitted fields stay unchanged, null removes a field.',
  });

export type ScheduleRequest = z.input<typeof scheduleRequest>;
export type ScheduleChange = z.input<typeof scheduleChange>;
