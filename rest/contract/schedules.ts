import { z } from 'zod';
import { isScheduleId } from '../../src/subjects/drafts/draft-request.ts';
import { scheduleChange, scheduleRequest } from '../../src/subjects/drafts/schedule-request.ts';
import { FREQUENCIES, SCHEDULE_STATUSES } from '../../src/subjects/drafts/types.ts';
import * as examples from '../openapi/draft-examples.ts';
import { instant, oneOf, text } from '../schema-parts.ts';
import { draftInvoice } from './drafts.ts';
import { CORRECTING, ISSUING } from './issuing-codes.ts';
import { listed, paging } from './lists.ts';
import { operations } from './operation.ts';

const invoiceSchedule = z
  .strictObject({
    id: text.describe('An opaque id.'),
    status: oneOf(SCHEDULE_STATUSES).describe('The status of the schedule.'),
    invoice: draftInvoice.describe('The invoice as it was sent.'),
    frequency: oneOf(FREQUENCIES).describe('The interval.'),
    starts_on: z.iso.date().describe('The first day.'),
    ends_on: z.iso.date().nullable().describe('The last day.'),
    count: z.int().nullable().describe('Maximum number of invoices.'),
    due_in_days: z
      .int()
      .nullable()
      .describe('Number of days from the issue of each invoice to its due date.'),
    made: z.int().describe('Number of drafts created by the schedule.'),
    next_dates: z.array(z.iso.date()).describe('The next days, at most five.'),
    created_at: instant.describe('When it was created.'),
    updated_at: instant.describe('When it was last changed.'),
  })
  .meta({ id: 'InvoiceSchedule' });

const ids = { id: ['schedule', examples.invoiceSchedule.id] } as const;
const theSchedule = {
  status: 200,
  description: 'The schedule',
  schema: invoiceSchedule,
  example: examples.invoiceSchedule,
} as const;

export const scheduleOperations = operations('Drafts', [
  {
    id: 'listInvoiceSchedules',
    method: 'GET',
    path: '/v1/invoice_schedules',
    field: 'invoiceSchedules',
    summary: 'List schedules',
    description: 'Newest first. Needs the scope `read`.',
    query: {
      ...paging(isScheduleId, 'invoice schedule'),
      status: z.enum(SCHEDULE_STATUSES).describe('Only schedules with this status.'),
    },
    answer: listed('InvoiceSchedulePage', invoiceSchedule, examples.invoiceSchedule),
    command: {
      name: 'schedules list',
      examples: [
        ['Active schedules', 'schedules list --status active'],
        ['From the database', 'schedules list --environment $ENVIRONMENT --json'],
      ],
    },
    tool: { name: 'list_schedules', rows: 'schedules' },
  },
  {
    id: 'createInvoiceSchedule',
    method: 'POST',
    path: '/v1/invoice_schedules',
    field: 'createInvoiceSchedule',
    summary: 'Create a schedule',
    description:
      'Issues an invoice repeatedly, exactly once for each period, on its day. A schedule that begins on the 31st uses the last day of shorter months. Texts may contain `{{month}}`, `{{quarter}}`, `{{year}}`, `{{period_start}}` and `{{period_end}}`. Needs the scope `issue`.',
    body: {
      schema: scheduleRequest,
      examples: examples.scheduleRequests,
    },
    answer: {
      status: 201,
      description: 'Created',
      schema: invoiceSchedule,
      example: examples.invoiceSchedule,
    },
    codes: [...ISSUING, ...CORRECTING, 'invoice_schedule_limit_reached'],
    command: { name: 'schedules create', examples: [['Every month', 'schedules create -f schedule.json']] },
  },
  {
    id: 'retrieveInvoiceSchedule',
    method: 'GET',
    path: '/v1/invoice_schedules/{id}',
    field: 'invoiceSchedule',
    summary: 'Read a schedule',
    description: 'One schedule of the key’s environment. Needs the scope `read`.',
    ids,
    answer: theSchedule,
    codes: ['invoice_schedule_not_found'],
    command: { name: 'schedules get', examples: [['As JSON', 'schedules get $SCHEDULE --json']] },
  },
  {
    id: 'updateInvoiceSchedule',
    method: 'PATCH',
    path: '/v1/invoice_schedules/{id}',
    field: 'updateInvoiceSchedule',
    summary: 'Update a schedule',
    description:
      'Changes future invoices; those already created remain unchanged. Fields that are not sent remain unchanged, null removes a field. Needs the scope `issue`.',
    ids,
    body: {
      schema: scheduleChange,
      examples: examples.scheduleChanges,
    },
    answer: theSchedule,
    codes: [...ISSUING, ...CORRECTING, 'invoice_schedule_not_found', 'invoice_schedule_ended'],
  },
  {
    id: 'pauseInvoiceSchedule',
    method: 'POST',
    path: '/v1/invoice_schedules/{id}/pause',
    field: 'pauseInvoiceSchedule',
    summary: 'Pause a schedule',
    description: 'Pauses the schedule until it is resumed. Needs the scope `issue`.',
    ids,
    answer: theSchedule,
    codes: ['invoice_schedule_not_found', 'invoice_schedule_ended'],
    command: { name: 'schedules pause', examples: [['One', 'schedules pause $SCHEDULE']] },
  },
  {
    id: 'resumeInvoiceSchedule',
    method: 'POST',
    path: '/v1/invoice_schedules/{id}/resume',
    field: 'resumeInvoiceSchedule',
    summary: 'Resume a schedule',
    description:
      'Continues from today; days that have passed meanwhile are skipped. Needs the scope `issue`.',
    ids,
    answer: theSchedule,
    codes: ['invoice_schedule_not_found', 'invoice_schedule_ended'],
    command: { name: 'schedules resume', examples: [['One', 'schedules resume $SCHEDULE']] },
  },
  {
    id: 'endInvoiceSchedule',
    method: 'POST',
    path: '/v1/invoice_schedules/{id}/end',
    field: 'endInvoiceSchedule',
    summary: 'End a schedule',
    description: 'Ends the schedule permanently; invoices already created remain. Needs the scope `issue`.',
    ids,
    answer: theSchedule,
    codes: ['invoice_schedule_not_found', 'invoice_schedule_ended'],
    command: {
      name: 'schedules end',
      examples: [
        [
          'On the database',
          'schedules end $OPENSCHEDULE --environment $ENVIRONMENT --reason "the contract was cancelled"',
        ],
      ],
    },
  },
]);
