import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GraphQLResolveInfo } from 'graphql';
import { z } from 'zod';
import { besideOthers } from '../../../ground/db/listed.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { EVENT_TYPES, type EventType as EventTypeName } from '../../../ground/journal/entry.ts';
import { exactLine } from '../../../ground/lib/text.ts';
import type { Event, EventData } from '../../../subjects/events/event.ts';
import { countLinesOf, firstToSend, type LinesOf } from '../../../subjects/events/lines.ts';
import { type EventListFilter, findEvent, listEvents } from '../../../subjects/events/read.ts';
import { builder } from '../builder.ts';
import { connectionOf, sharedBy } from '../connections.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { chargeEvents, readInShortPages } from '../event-pages.ts';
import { EVENT_TYPE_VALUES } from '../event-type-values.ts';
import { FROM_STANDBY } from '../from-standby.ts';
import { loadersOf } from '../loaders.ts';
import { nodeLoadersOf } from '../node-loaders.ts';
import { type ConnectionArguments, pageCost } from '../paging.ts';
import { EnvironmentEnum } from './enums.ts';
import { Invoice } from './invoice.ts';
import { Node } from './node-interface.ts';

builder.scalarType('JSON', {
  description: 'Any JSON value, as REST returns it.',
  serialize: (value) => value,
});

const EventOrderEnum = builder.enumType('EventOrder', {
  description: 'The order of events.',
  values: {
    asc: { description: 'Oldest first.' },
    desc: { description: 'Newest first.' },
  } as const,
});

/** The payloads of the events of one answer are built together, when the first one is requested. */
type EventView = Event & { readonly payloads: () => Promise<Payloads> };
type Payloads = { readonly environment: 'test' | 'live'; readonly data: ReadonlyMap<number, EventData> };

export const EventTypeEnum = builder.enumType('EventType', {
  description: 'A type of events. More values may be added.',
  values: EVENT_TYPE_VALUES,
});

const someTypes = z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length).nullish();

/** The types that a caller asks for, by one of two names. */
export const typeFields = { types: someTypes, eventTypes: someTypes };

type AskedTypes = z.output<z.ZodObject<typeof typeFields>>;

/** A rule for requests with both fields. */
export const ONE_LIST_OF_TYPES: [(asked: AskedTypes) => boolean, { path: string[]; message: string }] = [
  ({ types, eventTypes }) => types == null || eventTypes == null,
  { path: ['eventTypes'], message: 'must not be given together with types' },
];

/** The types in either list; none stands for all. */
export const askedTypes = ({ types, eventTypes }: AskedTypes): readonly EventTypeName[] =>
  eventTypes ?? types ?? [];

/** An event's data is an invoice with its lines, in REST's names: it costs what one costs. */
const DATA_COST = 60;

export const EventType = builder.objectRef<EventView>('Event').implement({
  interfaces: [Node],
  description:
    'A change, read from the journal of an environment. Its id does not say of which one: with an operator’s key `node` does not find it, but `event` does.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, `evt_…`; the same in webhooks.' }),
    type: t.exposeString('type', {
      description: `One of \`${EVENT_TYPES.join('`, `')}\`; there may be more. The same text as in REST and webhooks.`,
    }),
    eventType: t.expose('type', { type: EventTypeEnum, description: 'The type.' }),
    sequence: t.exposeInt('sequence', { description: 'The sequence number in the journal, without gaps.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    subjectId: t.exposeID('subjectId', { description: 'The id of the changed object.' }),
    environment: t.field({
      type: EnvironmentEnum,
      description: 'The environment in which it happened.',
      resolve: async ({ payloads }) => (await payloads()).environment,
    }),
    data: t.field({
      type: 'JSON',
      complexity: DATA_COST,
      description:
        '`object` as REST showed it at that time, and in `previous` the earlier values of its changed fields.',
      resolve: async ({ payloads, sequence }) => (await payloads()).data.get(sequence),
    }),
  }),
});

/** `charge` is awaited before their payloads are built. */
function viewsOf(
  context: Context,
  environmentId: number,
  events: readonly Event[],
  charge: () => Promise<void> = async () => {},
): EventView[] {
  const build = async (): Promise<Payloads> => {
    await charge();
    return valueOrThrow<Payloads>(await context.services.eventObjects(environmentId, events));
  };
  let building: Promise<Payloads> | null = null;
  const payloads = (): Promise<Payloads> => {
    building ??= build();
    return building;
  };
  return events.map((event) => ({ ...event, payloads }));
}

/**
 * As `viewsOf`, for readers that take one event after the other: payloads are built for no more invoice lines at a time
 * than a page may have, and released when the next part is built.
 */
export function viewsInParts(context: Context, environmentId: number, events: readonly Event[]): EventView[] {
  let parted: Promise<(readonly Event[])[]> | null = null;
  let prepared: { readonly part: readonly Event[]; readonly payloads: EventView['payloads'] } | null = null;
  return events.map((event) => ({
    ...event,
    async payloads() {
      parted ??= partsOf(context, environmentId, events);
      const part = (await parted).find((some) => some.includes(event))!;
      if (prepared?.part !== part)
        prepared = { part, payloads: viewsOf(context, environmentId, part)[0]!.payloads };
      return prepared.payloads();
    },
  }));
}

async function partsOf(
  { services }: Context,
  environmentId: number,
  events: readonly Event[],
): Promise<(readonly Event[])[]> {
  let counting: Promise<LinesOf> | null = null;
  const count = () => {
    counting ??= countLinesOf(services.db.pool, environmentId, events);
    return counting;
  };
  const parts: (readonly Event[])[] = [];
  for (let rest = events; rest.length > 0; rest = rest.slice(parts.at(-1)!.length))
    parts.push(await firstToSend(rest, count));
  return parts;
}

const EventConnection = builder.connectionObject({ type: EventType, name: 'EventConnection' });

const reading = ({ services }: Context) => ({
  db: services.db,
  keptDays: services.config.eventsKeptDays,
});

/** One event with its content, read together with others; null when none of the id is kept. */
export async function findOneEvent(
  context: Context,
  environmentId: number,
  id: string,
): Promise<EventView | null> {
  const event = await nodeLoadersOf(context).event(environmentId, id);
  return event === null ? null : viewsOf(context, environmentId, [event])[0]!;
}

export const ONLY_TYPES = 'Only events of these types; not together with `types`.';

/** What a list of events takes. */
const eventListRequest = z
  .strictObject({
    ...typeFields,
    invoiceId: exactLine(60).nullish(),
    afterSequence: z.int().min(0).nullish(),
  })
  .refine(...ONE_LIST_OF_TYPES);

builder.queryFields((t) => ({
  event: t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: EventType,
    description: 'One event; `event_not_found` if no event with this id is kept.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }), ...environmentArguments },
    resolve: async (_root, { id, ...args }, context, info) => {
      const environmentId = await environmentFromArguments(context, args);
      const events = [valueOrThrow(await findEvent(reading(context), environmentId, id))];
      const charge = () => chargeEvents(context, info, environmentId, events);
      return viewsOf(context, environmentId, events, charge)[0]!;
    },
  }),
  events: t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: EventType,
      description:
        'Changes in the environment: newest first, but after a sequence in the order of occurrence. Kept for 90 days unless the installation is configured otherwise. `first` and `last` are 1 to 100, 25 by default.',
      args: {
        types: t.arg.stringList({ description: 'Only events of these types, as `Event.type` lists them.' }),
        eventTypes: t.arg({ type: [EventTypeEnum], description: ONLY_TYPES }),
        invoiceId: t.arg.id({ description: 'Only events of this invoice, its payments and its e-mails.' }),
        afterSequence: t.arg.int({
          description:
            'Only events with a higher sequence: continue from the last one that you have processed.',
        }),
        createdFrom: t.arg({ type: 'DateTime', description: 'Only events at or after this time.' }),
        createdTo: t.arg({ type: 'DateTime', description: 'Only events before this time.' }),
        order: t.arg({ type: EventOrderEnum, description: 'The order.' }),
        ...environmentArguments,
      },
      complexity: (args) => pageCost(args),
      extensions: FROM_STANDBY,
      resolve: async (
        _root,
        { companyId, environment, createdFrom, createdTo, order, ...given },
        context,
        info,
      ) => {
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const { types, eventTypes, invoiceId, afterSequence, ...paging } = given;
        const request = valueOrThrow(
          parseRequest(eventListRequest, { types, eventTypes, invoiceId, afterSequence }),
        );
        return eventPage(context, info, environmentId, paging, {
          types: askedTypes(request),
          subjectId: request.invoiceId ?? null,
          afterSequence: request.afterSequence ?? null,
          createdFrom: createdFrom ?? null,
          createdTo: createdTo ?? null,
          order: order ?? null,
        });
      },
    },
    sharedBy(EventConnection),
  ),
}));

/** A page of an environment's events as a connection; what their payloads cost is charged before they are built. */
async function eventPage(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number,
  paging: ConnectionArguments,
  filter: EventListFilter,
) {
  const list = listEvents(reading(context), environmentId, filter);
  // A query from outside is refused with its cost instead, as one for invoices is.
  const pages = context.bounded ? list : readInShortPages(context, environmentId, list);
  const { types, ...others } = filter;
  const { edges, pageInfo } = await connectionOf(context, paging, pages, {
    idOf: ({ id }) => id,
    filter: { ...others, types: types.length === 0 ? null : types },
  });
  const nodes = edges.map(({ node }) => node);
  const charge = () => chargeEvents(context, info, environmentId, nodes);
  const views = viewsOf(context, environmentId, nodes, charge);
  return { edges: edges.map(({ cursor }, index) => ({ cursor, node: views[index]! })), pageInfo };
}

const OF_ALL_TYPES = {
  types: [],
  ...{ afterSequence: null, createdFrom: null, createdTo: null, order: null },
} as const;

/** Events whose payloads are wanted in this turn of an answer, and these when they are built. */
type Gathered = { readonly events: Event[]; readonly built: Promise<Payloads> };
const gathered = new WeakMap<Context, Map<number, Gathered>>();

/** The payloads of events of several lists, which are built together with those that others ask for in the same turn. */
function buildTogether(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number,
  events: readonly Event[],
): Promise<Payloads> {
  const own = gathered.get(context) ?? new Map<number, Gathered>();
  gathered.set(context, own);
  let current = own.get(environmentId);
  if (current === undefined) {
    const some: Event[] = [];
    const build = async (): Promise<Payloads> => {
      await nextTurn();
      own.delete(environmentId);
      await chargeEvents(context, info, environmentId, some);
      return valueOrThrow<Payloads>(await context.services.eventObjects(environmentId, some));
    };
    current = { events: some, built: build() };
    own.set(environmentId, current);
  }
  current.events.push(...events);
  return current.built;
}

builder.objectField(Invoice, 'events', (t) =>
  t.connection(
    {
      type: EventType,
      description:
        'What happened to it, newest first: registrations, corrections, payments, e-mails. Kept as long as `Query.events`. `first` and `last` are 1 to 100, 25 by default.',
      complexity: (args) => pageCost(args),
      resolve: async ({ invoice: { environment_id: environmentId, id } }, args, context, info) => {
        const loaders = loadersOf(context);
        const all = listEvents(reading(context), environmentId, { ...OF_ALL_TYPES, subjectId: id });
        const list = besideOthers(all, {
          first: (rows, backwards) => loaders.events(environmentId, id, rows, backwards),
          count: () => loaders.eventCount(environmentId, id),
        });
        const { edges, pageInfo } = await connectionOf(context, args, list, { idOf: (event) => event.id });
        const events = edges.map(({ node }) => node);
        let building: Promise<Payloads> | null = null;
        const payloads = (): Promise<Payloads> => {
          building ??= buildTogether(context, info, environmentId, events);
          return building;
        };
        return {
          edges: edges.map(({ cursor, node }) => ({ cursor, node: { ...node, payloads } })),
          pageInfo,
        };
      },
    },
    sharedBy(EventConnection),
  ),
);
