import { given } from '../../../ground/db/filter.ts';
import { acceptRequest } from '../../../ground/errors/issues.ts';
import { snakeKeys } from '../../../ground/lib/case.ts';
import { issuingCaller } from '../../../subjects/accounts/entry/caller.ts';
import { nextDays } from '../../../subjects/drafts/periods.ts';
import { scheduleChange, scheduleRequest } from '../../../subjects/drafts/schedule-request.ts';
import {
  changeSchedule,
  createSchedule,
  endSchedule,
  pauseSchedule,
  resumeSchedule,
  unknownSchedule,
} from '../../../subjects/drafts/schedules.ts';
import { schedule } from '../../../subjects/drafts/shapes.ts';
import { scheduleOf } from '../../../subjects/drafts/store/read-schedules.ts';
import { FREQUENCIES, SCHEDULE_STATUSES } from '../../../subjects/drafts/types.ts';
import { builder } from '../builder.ts';
import { namesOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { pageCost } from '../paging.ts';
import { NEWEST_FIRST, prismaListOf } from '../prisma-list.ts';
import { prismaRowOf, type RowKey } from '../prisma-row.ts';
import { scopeForChange, sourcesOfDrafts, waitForTurn } from './drafts.ts';
import { Node } from './node-interface.ts';
import { actingCaller, operatorActionArguments } from './operator-actions.ts';

const FrequencyEnum = builder.enumType('InvoiceFrequency', {
  description: 'How often an invoice repeats.',
  values: FREQUENCIES,
});

const ScheduleStatusEnum = builder.enumType('InvoiceScheduleStatus', {
  description: 'The status of a schedule.',
  values: SCHEDULE_STATUSES,
});

/** So many of the days to come are shown. */
const SHOWN_DAYS = 5;

const { status: oneStatus, frequency: oneFrequency, content: oneContent } = schedule.shape;

export const InvoiceSchedule = builder.prismaObject('InvoiceSchedule', {
  interfaces: [Node],
  description: 'A repeating invoice: on each scheduled day a draft is created from the template and issued.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, `sch_…`.' }),
    status: t.field({
      type: ScheduleStatusEnum,
      description: 'The status of the schedule.',
      resolve: ({ status }) => oneStatus.parse(status),
    }),
    invoice: t.field({
      type: 'JSON',
      complexity: 60,
      description: 'The invoice as it was sent, with the field names of REST.',
      resolve: ({ content }) => snakeKeys(oneContent.parse(content)),
    }),
    frequency: t.field({
      type: FrequencyEnum,
      description: 'The interval.',
      resolve: ({ frequency }) => oneFrequency.parse(frequency),
    }),
    startsOn: t.expose('startsOn', { type: 'Date', description: 'The first day.' }),
    endsOn: t.expose('endsOn', {
      type: 'Date',
      nullable: true,
      description: 'The last day; null without one.',
    }),
    count: t.exposeInt('count', {
      nullable: true,
      description: 'The maximum number of invoices; null without one.',
    }),
    dueInDays: t.exposeInt('dueInDays', {
      nullable: true,
      description: 'Number of days from the issue of each invoice to its due date; null if not stated.',
    }),
    made: t.exposeInt('made', { description: 'Number of drafts created by the schedule.' }),
    nextDates: t.field({
      type: ['Date'],
      complexity: SHOWN_DAYS,
      description: `The next days, at most ${SHOWN_DAYS}; none once it has ended.`,
      resolve: (row) => nextDays(scheduleOf(row), SHOWN_DAYS),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

/** A schedule as it is now. */
async function scheduleNow(context: Context, query: object, key: RowKey) {
  return valueOrThrow((await prismaRowOf(context, 'InvoiceSchedule', query, key)) ?? unknownSchedule());
}

builder.queryFields((t) => ({
  invoiceSchedule: t.withAuth({ scope: 'read', role: 'viewer' }).prismaField({
    type: InvoiceSchedule,
    description: 'One schedule; `invoice_schedule_not_found` if no schedule has this id.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }), ...environmentArguments },
    resolve: async (query, _root, { id, ...args }, context) =>
      scheduleNow(context, query, { environmentId: await environmentFromArguments(context, args), id }),
  }),
  invoiceSchedules: t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: InvoiceSchedule,
      description:
        'The schedules of the environment, newest first. `first` and `last` are 1 to 100, 25 by default.',
      args: {
        status: t.arg({ type: ScheduleStatusEnum, description: 'Only schedules with this status.' }),
        ...environmentArguments,
      },
      complexity: (args) => pageCost(args),
      resolve: async (_root, { status, companyId, environment, ...paging }, context, info) => {
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const where = { environmentId, ...given({ status }) };
        return prismaListOf(context, info, paging, { model: 'InvoiceSchedule', where, order: NEWEST_FIRST });
      },
    },
    ...namesOf('InvoiceSchedule'),
  ),
}));

const CreateInvoiceScheduleInput = inputType(scheduleRequest, 'CreateInvoiceScheduleInput');
const UpdateInvoiceScheduleInput = inputType(scheduleChange, 'UpdateInvoiceScheduleInput');

builder.mutationFields((t) => ({
  createInvoiceSchedule: t.withAuth({ scope: 'issue' }).prismaField({
    type: InvoiceSchedule,
    description: 'Issues an invoice repeatedly, exactly once on each scheduled day.',
    args: {
      input: t.arg({ type: CreateInvoiceScheduleInput, required: true, description: 'The schedule.' }),
    },
    resolve: async (query, _root, { input }, context) => {
      const { sent } = valueOrThrow(acceptRequest(scheduleRequest, input));
      await waitForTurn(context, sent.invoice);
      const scope = issuingCaller(context.caller);
      const by = actingCaller(context, null);
      const { id } = valueOrThrow(await createSchedule(sourcesOfDrafts(context), scope, sent, by));
      return scheduleNow(context, query, { environmentId: scope.environmentId, id });
    },
  }),
  updateInvoiceSchedule: t.withAuth({ scope: 'issue' }).prismaField({
    type: InvoiceSchedule,
    description: 'Updates a schedule for future invoices; those already created remain unchanged.',
    args: {
      id: t.arg.id({ required: true, description: 'The schedule.' }),
      input: t.arg({ type: UpdateInvoiceScheduleInput, required: true, description: 'The changes.' }),
    },
    resolve: async (query, _root, { id, input: { invoice, ...rest } }, context) => {
      const changes = { ...rest, ...(invoice == null ? {} : { invoice }) };
      const { sent } = valueOrThrow(acceptRequest(scheduleChange, changes));
      await waitForTurn(context, sent.invoice);
      const scope = issuingCaller(context.caller);
      const by = actingCaller(context, null);
      valueOrThrow(await changeSchedule(sourcesOfDrafts(context), scope, id, sent, by));
      return scheduleNow(context, query, { environmentId: scope.environmentId, id });
    },
  }),
  pauseInvoiceSchedule: t.withAuth({ scope: 'issue', role: 'operator' }).prismaField({
    type: InvoiceSchedule,
    description: 'Pauses a schedule until it is resumed.',
    args: { id: t.arg.id({ required: true, description: 'The schedule.' }), ...operatorActionArguments },
    resolve: async (query, _root, { id, ...args }, context) => {
      const by = actingCaller(context, args.reason);
      const { environmentId } = (await scopeForChange(context, args)).scope;
      valueOrThrow(await pauseSchedule(context.services.db, environmentId, id, by));
      return scheduleNow(context, query, { environmentId, id });
    },
  }),
  resumeInvoiceSchedule: t.withAuth({ scope: 'issue', role: 'operator' }).prismaField({
    type: InvoiceSchedule,
    description: 'Resumes a paused schedule from today; days that have passed meanwhile are skipped.',
    args: { id: t.arg.id({ required: true, description: 'The schedule.' }), ...operatorActionArguments },
    resolve: async (query, _root, { id, ...args }, context) => {
      const by = actingCaller(context, args.reason);
      const { scope } = await scopeForChange(context, args);
      valueOrThrow(await resumeSchedule(context.services.db, scope, id, by));
      return scheduleNow(context, query, { environmentId: scope.environmentId, id });
    },
  }),
  endInvoiceSchedule: t.withAuth({ scope: 'issue', role: 'operator' }).prismaField({
    type: InvoiceSchedule,
    description: 'Ends a schedule permanently; invoices already created remain.',
    args: { id: t.arg.id({ required: true, description: 'The schedule.' }), ...operatorActionArguments },
    resolve: async (query, _root, { id, ...args }, context) => {
      const by = actingCaller(context, args.reason);
      const { environmentId } = (await scopeForChange(context, args)).scope;
      valueOrThrow(await endSchedule(context.services.db, environmentId, id, by));
      return scheduleNow(context, query, { environmentId, id });
    },
  }),
}));
