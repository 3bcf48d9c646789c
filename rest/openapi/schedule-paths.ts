import type { Code } from '../../src/ground/errors/catalogue.ts';
import * as examples from './draft-examples.ts';
import { idOf, located, operation, paging, query } from './parts.ts';
import { answered, type refusalsAt, sent, withBody } from './responses.ts';
import { enumeration, type Json } from './schemas.ts';

type Refusals = ReturnType<typeof refusalsAt>;

const scheduleId = idOf('schedule', examples.invoiceSchedule.id);
const one = { description: 'The schedule', ...answered('InvoiceSchedule', examples.invoiceSchedule) };
const lost = ['invoice_schedule_not_found', 'invoice_schedule_ended'] as const satisfies readonly Code[];

/** The operations on schedules, and on the time of a test environment. `issuing`: the refusals of checking an invoice. */
export function schedulePaths(refusing: Refusals, issuing: readonly Code[]): Json {
  return { ...ownPaths(refusing, issuing), ...acts(refusing), ...clockPaths(refusing) };
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
            query('status', enumeration('InvoiceScheduleStatus', 'sent'), 'Only those of it.'),
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
        'Has an invoice issued again and again, once on each of its days in Madrid. What begins on the 31st is on the last day of a shorter month. Texts may hold `{{month}}`, `{{quarter}}`, `{{year}}`, `{{period_start}}` and `{{period_end}}`. Needs the scope `issue`.',
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
        'Changes what comes next; what it has made stays as it is. What is not sent stays, null removes it. Needs the scope `issue`.',
        {
          parameters: [scheduleId],
          requestBody: sent('InvoiceScheduleChange', examples.scheduleChanges),
          responses: { 200: one, ...refusals(...issuing, ...lost) },
        },
      ),
    },
  };
}

function acts({ refusals }: Refusals): Json {
  const act = (id: string, summary: string, description: string): Json => ({
    post: operation(id, 'Drafts', summary, `${description} Needs the scope \`issue\`.`, {
      parameters: [scheduleId],
      responses: { 200: one, ...refusals(...withBody, ...lost) },
    }),
  });
  return {
    '/v1/invoice_schedules/{id}/pause': act(
      'pauseInvoiceSchedule',
      'Pause schedule',
      'Makes it wait until it is resumed.',
    ),
    '/v1/invoice_schedules/{id}/resume': act(
      'resumeInvoiceSchedule',
      'Resume schedule',
      'Goes on from today on: the days that have passed meanwhile are left out.',
    ),
    '/v1/invoice_schedules/{id}/end': act(
      'endInvoiceSchedule',
      'End schedule',
      'Ends it for good; what it has made stays.',
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
        'What time it is in the test environment. Needs the scope `read`.',
        { responses: { 200: clock, ...refusals('test_clock_not_available') } },
      ),
      post: operation(
        'advanceTestClock',
        'Test clock',
        'Advance test clock',
        'Has the time of the test environment go forward, to an instant or by a duration: day by day, with all that is due on each. Never back. Needs the scope `manage`.',
        {
          requestBody: sent('TestClockRequest', examples.clockRequests),
          responses: { 200: clock, ...refusals(...withBody, 'test_clock_not_available') },
        },
      ),
      delete: operation(
        'removeTestClock',
        'Test clock',
        'Remove test clock',
        'Gives the test environment the real time again. What was issued keeps its day; until the real time has passed it, what is issued bears that time. Needs the scope `manage`.',
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
