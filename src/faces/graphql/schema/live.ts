import { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { EVENT_TYPES } from '../../../ground/journal/entry.ts';
import { exactLine } from '../../../ground/lib/text.ts';
import type { Event } from '../../../subjects/events/event.ts';
import type { InvoiceView } from '../../../subjects/invoices/view.ts';
import { decisiveRecord } from '../../../subjects/invoices/view.ts';
import { builder } from '../builder.ts';
import { chargeFound } from '../charged-rows.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { GRAPHQL_LIMITS } from '../limits.ts';
import { LiveSource } from '../live/source.ts';
import { readInvoice } from '../read-invoices.ts';
import { InvoiceKindEnum, InvoiceStatusEnum, InvoiceTypeEnum, RegistrationStatusEnum } from './enums.ts';
import {
  askedTypes,
  EventType,
  EventTypeEnum,
  ONE_LIST_OF_TYPES,
  ONLY_TYPES,
  typeFields,
  viewsInParts,
} from './events.ts';
import { Invoice } from './invoice.ts';
import { stateFilterFields } from './invoice-filter.ts';

const afterSequence = z.int().min(0).nullish();

const eventRequest = z.strictObject({ ...typeFields, afterSequence }).refine(...ONE_LIST_OF_TYPES);
const changeRequest = z.strictObject({
  afterSequence,
  filter: z.strictObject({
    invoiceIds: z.array(exactLine(60)).max(GRAPHQL_LIMITS.watchedInvoices.value).nullish(),
    eventTypes: typeFields.types,
    externalCustomerId: exactLine(255).nullish(),
    integrationId: exactLine(60).nullish(),
    ...stateFilterFields,
  }),
});

type EventTypeName = (typeof EVENT_TYPES)[number];

/** A change of an invoice; its requested fields are read when the event is sent. */
type Change = { readonly event: Event; readonly environmentId: number };

const InvoiceChange = builder.objectRef<Change>('InvoiceChange').implement({
  description: 'A change of an invoice.',
  fields: (t) => ({
    eventId: t.id({ description: 'The id of the event, `evt_…`.', resolve: ({ event }) => event.id }),
    type: t.string({
      description: 'The type of the event, as in `Event.type`; it begins with `invoice.`.',
      resolve: ({ event }) => event.type,
    }),
    eventType: t.field({
      type: EventTypeEnum,
      description: 'The type of the event.',
      resolve: ({ event }) => event.type,
    }),
    sequence: t.int({
      description: 'The sequence number in the journal, for resuming (`afterSequence`, or `Last-Event-ID`).',
      resolve: ({ event }) => event.sequence,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it happened.',
      resolve: ({ event }) => event.createdAt,
    }),
    invoice: t.field({
      type: Invoice,
      description: 'The invoice at the time of the message: after several changes, in its last state.',
      resolve: async ({ event, environmentId }, _args, context, info) => {
        const invoice = await readInvoice(context, info, environmentId, event.subjectId);
        if (invoice === null) throw new Error('a change refers to an invoice that does not exist');
        chargeFound(context, [invoice]);
        return invoice;
      },
    }),
  }),
});

const InvoiceChangeFilter = builder.inputType('InvoiceChangeFilter', {
  description: 'The filter of changes: all given conditions must hold.',
  fields: (t) => ({
    invoiceIds: t.idList({
      description: `Only these invoices, at most ${GRAPHQL_LIMITS.watchedInvoices.value}.`,
    }),
    eventTypes: t.stringList({
      description:
        'Only changes of these types, such as `invoice.registered`: those of `Event.type` that begin with `invoice.`.',
    }),
    externalCustomerId: t.string({ description: 'Only invoices of this customer. Exact.' }),
    integrationId: t.id({ description: 'Only invoices of this integration.' }),
    kind: t.field({
      type: [InvoiceKindEnum],
      description: 'Only originals, rectificativas or exchange invoices.',
    }),
    type: t.field({ type: [InvoiceTypeEnum], description: 'Only complete or simplified invoices.' }),
    registrationStatus: t.field({
      type: [RegistrationStatusEnum],
      description:
        'Only invoices whose newest registration record has one of these statuses at the time of the change.',
    }),
    status: t.field({
      type: [InvoiceStatusEnum],
      description: 'Only invoices with one of these statuses at the time of the change.',
    }),
  }),
});

type Filter = z.output<typeof changeRequest>['filter'];

const AFTER_SEQUENCE =
  'Start after this sequence, including missed events; without it, only new events are sent. The header `Last-Event-ID` has the same meaning and takes precedence.';

const SENT_AS = 'Sent as `text/event-stream`; the id of each message is its sequence.';

builder.subscriptionFields((t) => ({
  event: t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: EventType,
    description: `Each event of the environment as it happens, in the order of the journal. ${SENT_AS}`,
    args: {
      types: t.arg.stringList({ description: 'Only events of these types, as `Event.type` lists them.' }),
      eventTypes: t.arg({ type: [EventTypeEnum], description: ONLY_TYPES }),
      afterSequence: t.arg.int({ description: AFTER_SEQUENCE }),
      ...environmentArguments,
    },
    subscribe: async (_root, { companyId, environment, ...given }, context, { fieldName: field }) => {
      const environmentId = await environmentFromArguments(context, { companyId, environment });
      const request = valueOrThrow(parseRequest(eventRequest, given));
      const types = askedTypes(request);
      return new LiveSource({
        ...{ field, environmentId, types, after: request.afterSequence ?? null },
        select: async (events) => {
          const meant = events.filter(({ type }) => types.length === 0 || types.includes(type));
          return viewsInParts(context, environmentId, meant).map((root) => ({
            sequence: root.sequence,
            root,
          }));
        },
      });
    },
    resolve: (event) => event,
  }),
  invoiceChanged: t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: InvoiceChange,
    description: `Each change of an invoice of the environment as it happens, in the order of the journal. ${SENT_AS}`,
    args: {
      filter: t.arg({ type: InvoiceChangeFilter, description: 'The changes to receive; default: all.' }),
      afterSequence: t.arg.int({ description: AFTER_SEQUENCE }),
      ...environmentArguments,
    },
    subscribe: async (
      _root,
      { filter, afterSequence, companyId, environment },
      context,
      { fieldName: field },
    ) => {
      const environmentId = await environmentFromArguments(context, { companyId, environment });
      const request = valueOrThrow(parseRequest(changeRequest, { afterSequence, filter: filter ?? {} }));
      const types = typesOf(request.filter.eventTypes ?? []);
      return new LiveSource({
        ...{ field, environmentId, types, after: request.afterSequence ?? null },
        select: (events) => changes(context, environmentId, events, request.filter, types),
      });
    },
    resolve: (change) => change,
  }),
}));

const OF_INVOICES = EVENT_TYPES.filter((type) => type.startsWith('invoice.'));

function typesOf(requested: readonly EventTypeName[]): readonly EventTypeName[] {
  return requested.length === 0 ? OF_INVOICES : requested.filter((type) => OF_INVOICES.includes(type));
}

async function changes(
  { services }: Context,
  environmentId: number,
  events: readonly Event[],
  filter: Filter,
  types: readonly EventTypeName[],
) {
  const ids = filter.invoiceIds;
  const named = events.filter(
    ({ type, subjectId }) => types.includes(type) && (ids == null || ids.includes(subjectId)),
  );
  const readsInvoice = Object.entries(filter).some(
    ([name, value]) => value != null && name !== 'invoiceIds' && name !== 'eventTypes',
  );
  const meant = await Promise.all(
    named.map(async (event) => {
      if (!readsInvoice) return true;
      const view = await services.readInvoice(environmentId, event.subjectId);
      return view !== null && isMeant(view, filter);
    }),
  );
  return named
    .filter((_, index) => meant[index])
    .map((event) => ({ sequence: event.sequence, root: { event, environmentId } }));
}

function isMeant({ invoice, records, voided }: InvoiceView, filter: Filter): boolean {
  const pairs: [expected: unknown, actual: unknown][] = [
    [filter.externalCustomerId, invoice.external_customer_id],
    [filter.integrationId, invoice.integration_id],
    [filter.kind, invoice.kind],
    [filter.type, invoice.type],
    [filter.registrationStatus, decisiveRecord(records)?.status ?? null],
    [filter.status, voided ? 'voided' : 'issued'],
  ];
  return pairs.every(([expected, actual]) => expected == null || oneOrMore(expected).includes(actual));
}

const oneOrMore = (expected: unknown): readonly unknown[] =>
  Array.isArray(expected) ? expected : [expected];
