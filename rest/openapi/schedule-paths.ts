import type { Code } from '../../src/ground/errors/catalogue.ts';
import * as examples from './draft-examples.ts';
import { idOf, located, operation, paging, query } from './parts.ts';
import { answered, type refusalsAt, sent, withBody } from './responses.ts';
import { enumeration, type Json } from './schemas.ts';

type Refusals = ReturnType<typeof refusalsAt>;

const scheduleId = idOf('schedule', examples.invoiceSchedule.id);
const one = { description: 'The schedule', ...answered('InvoiceSchedule', examples.invoiceSchedule) };
const lost = ['invoice_schedule_not_found', 'invoice_schedule_ended'] as const satisfies readonly Code[];

/** The operations on schedules, and on the time of a test environment. `issuing`: the refusals of validating an invoice. */
export function schedulePaths(refusing: Refusals, issuing: readonly Code[]): Json {
  return { ...ownPaths(refusing, issuing), ...statusPaths(refusing), ...clockPaths(refusing) };
}

function ownPaths({ refusals }: Refusals, issuing: readonly Code[]): Json {
  return {
    '/v1/invoice_schedules': {
      get: operation(
        'listInvoiceSchedules',
        'Drafts',
        'List schedules',
        'Newest first. Needs the scope `read`.',
        {
          parameters: [
            ...paging,
            query('status', enumeration('InvoiceScheduleStatus', 'sent'), 'Only schedules with this status.'),
          ],
          responses: {
            200: { description: 'A page', ...answered('InvoiceSchedulePage', examples.invoiceSchedulePage) },
            ...refusals(),
          },
        },
      ),
      post: operation(
        'createInvoiceSchedule',
        'Drafts',
        'Create schedule',
        'Issues an invoice repeatedly, exactly once for each period, on days in Madrid. A schedule that begins on the 31st uses the last day of shorter months. Texts may contain `{{month}}`, `{{quarter}}`, `{{year}}`, `{{period_start}}` and `{{period_end}}`. Needs the scope `issue`.',
        {
          requestBody: sent('InvoiceScheduleRequest', examples.scheduleRequests),
          responses: {
            201: {
              description: 'Created',
              headers: located,
              ...answered('InvoiceSchedule', examples.invoiceSchedule),
            },
            ...refusals(...issuing, 'invoice_schedule_limit_reached'),
          },
        },
      ),
    },
    '/v1/invoice_schedules/{id}': {
      get: operation(
        'retrieveInvoiceSchedule',
        'Drafts',
        'Retrieve schedule',
        'One schedule of the key’s environment. Needs the scope `read`.',
        {
          parameters: [scheduleId],
          responses: { 200: one, ...refusals('invoice_schedule_not_found') },
        },
      ),
      patch: operation(
        'updateInvoiceSchedule',
        'Drafts',
        'Update schedule',
        'Changes future invoices; those already created remain unchanged. Fields that are not sent remain unchanged, null removes a field. Needs the scope `issue`.',
        {
          parameters: [scheduleId],
          requestBody: sent('InvoiceScheduleChange', examples.scheduleChanges),
          responses: { 200: one, ...refusals(...issuing, ...lost) },
        },
      ),
    },
  };
}

function statusPaths({ refusals }: Refusals): Json {
  const statusPath = (id: string, summary: string, description: string): Json => ({
    post: operation(id, 'Drafts', summary, `${description} Needs the scope \`issue\`.`, {
      parameters: [scheduleId],
      responses: { 200: one, ...refusals(...withBody, ...lost) },
    }),
  });
  return {
    '/v1/invoice_schedules/{id}/pause': statusPath(
      'pauseInvoiceSchedule',
      'Pause schedule',
      'Pauses the schedule until it is resumed.',
    ),
    '/v1/invoice_schedules/{id}/resume': statusPath(
      'resumeInvoiceSchedule',
      'Resume schedule',
      'Continues from today; days that have passed meanwhile are skipped.',
    ),
    '/v1/invoice_schedules/{id}/end': statusPath(
      'endInvoiceSchedule',
      'End schedule',
      'Ends the schedule permanently; invoices already created remain.',
    ),
  };
}

function clockPaths({ refusals }: Refusals): Json {
  const clock = { description: 'The time', ...answered('TestClock', examples.testClock) };
  return {
    '/v1/test_clock': {
      get: operation(
        'retrieveTestClock',
        'Test clock',
        'Retrieve test clock',
        'The current time of the test environment. Needs the scope `read`.',
        { responses: { 200: clock, ...refusals('test_clock_not_available') } },
      ),
      post: operation(
        'advanceTestClock',
        'Test clock',
        'Advance test clock',
        'Advances the time of the test environment, to an instant or by a duration, day by day with everything that is due on each day. It never goes back. Needs the scope `manage`.',
        {
          requestBody: sent('TestClockRequest', examples.clockRequests),
          responses: { 200: clock, ...refusals(...withBody, 'test_clock_not_available') },
        },
      ),
      delete: operation(
        'removeTestClock',
        'Test clock',
        'Remove test clock',
        'Returns the test environment to the real time. Issued invoices keep their dates; until the real time has passed the last of them, new invoices carry that time. Needs the scope `manage`.',
        {
          responses: {
            204: { description: 'Removed' },
            ...refusals(...withBody, 'test_clock_not_available'),
          },
        },
      ),
    },
  };
}
