import { given } from '../../../ground/db/filter.ts';
import { type BulkChange, CHANGED_AT_ONCE } from '../../../ground/db/many-at-once.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { EVENT_TYPES } from '../../../ground/journal/entry.ts';
import { redeliver, redeliverFailed } from '../../../subjects/webhooks/deliveries.ts';
import type { Webhooks } from '../../../subjects/webhooks/endpoints.ts';
import {
  changeEndpoint,
  createEndpoint,
  ping,
  removeEndpoint,
  replay,
  rotateSecret,
  unknownEndpoint,
  type WithSecret,
} from '../../../subjects/webhooks/endpoints.ts';
import {
  endpointChange,
  endpointRequest,
  replayRequest,
  rotationRequest,
} from '../../../subjects/webhooks/request.ts';
import { ATTEMPTS_KEPT, attempts, type StoredAttempt } from '../../../subjects/webhooks/shapes.ts';
import { builder } from '../builder.ts';
import { namesOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { pageCost } from '../paging.ts';
import { refusalFor } from '../permissions.ts';
import { NEWEST_FIRST, prismaListOf } from '../prisma-list.ts';
import { prismaRowOf } from '../prisma-row.ts';
import { BulkChangeType, DRY_RUN } from './many-at-once.ts';
import { Node } from './node-interface.ts';
import { actingCaller, operatorActionArguments } from './operator-actions.ts';

/** Merchants manage their own; operators name the environment, to look and to deliver again. */
const MANAGED = { scope: 'manage', role: 'operator' } as const;
/** An endpoint receives what `read` reads. */
const MANAGED_AND_READ = { scope: ['manage', 'read'], role: 'operator' } as const;

const webhooksOf = ({ services }: Context): Webhooks => ({
  db: services.db,
  keys: services.encryptionKeys,
  allowPrivate: services.config.webhooksAllowPrivate,
});

const WebhookEndpointStatusEnum = builder.enumType('WebhookEndpointStatus', {
  description: 'Whether events are delivered to an endpoint.',
  values: {
    active: { description: 'Events are delivered.' },
    disabled: { description: 'Events are not delivered until it is enabled again.' },
  } as const,
});

const DeliveryStatusEnum = builder.enumType('WebhookDeliveryStatus', {
  description: 'The status of the delivery of an event to an endpoint.',
  values: {
    pending: { description: 'It is retried at `nextAttemptAt`.' },
    delivered: { description: 'The endpoint has answered 2xx.' },
    failed: { description: 'It was abandoned after the last attempt.' },
  } as const,
});

export const WebhookEndpoint = builder.prismaObject('WebhookEndpoint', {
  interfaces: [Node],
  description:
    'A URL to which the events of an environment are posted, signed according to Standard Webhooks.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, `whe_…`.' }),
    url: t.exposeString('url', { description: 'The URL that receives events.' }),
    eventTypes: t.exposeStringList('eventTypes', {
      complexity: EVENT_TYPES.length,
      description: 'The event types that it receives; `*` is all.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'The owner’s description; null without one.',
    }),
    status: t.expose('status', {
      type: WebhookEndpointStatusEnum,
      description: 'Whether events are delivered.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why it is disabled; null if it is not.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when all attempts have failed; null if the last one succeeded.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

const WebhookAttempt = builder.objectRef<StoredAttempt>('WebhookAttempt').implement({
  description: 'One attempt to deliver an event.',
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      description: 'The start of the attempt.',
      resolve: ({ at }) => new Date(at),
    }),
    milliseconds: t.exposeInt('milliseconds', { description: 'The duration in milliseconds.' }),
    httpStatus: t.int({
      nullable: true,
      description: 'The HTTP status of the response; null if there was none.',
      resolve: ({ status }) => status,
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why there was no response; null if there was one.',
    }),
    response: t.exposeString('answer', {
      nullable: true,
      description: 'The beginning of the response body, at most 1 KiB; null if there was no response.',
    }),
  }),
});

export const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  interfaces: [Node],
  description: 'The delivery of one event to one endpoint. Kept for 30 days.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, `whd_…`.' }),
    endpointId: t.exposeID('endpointId', { description: 'The endpoint.' }),
    eventId: t.exposeID('eventId', {
      description: 'The id of the event; also the header `webhook-id` of each attempt.',
    }),
    eventType: t.exposeString('eventType', { description: 'The type of the event, as in `Event.type`.' }),
    sequence: t.exposeInt('sequence', { description: 'The sequence of the event.' }),
    status: t.expose('status', { type: DeliveryStatusEnum, description: 'The result.' }),
    attempts: t.exposeInt('attempts', { description: 'Number of attempts.' }),
    attemptLog: t.field({
      type: [WebhookAttempt],
      complexity: { multiplier: ATTEMPTS_KEPT },
      description: 'The attempts, oldest first; the last twenty.',
      resolve: ({ attemptLog }) => attempts.parse(attemptLog),
    }),
    nextAttemptAt: t.expose('nextAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the next attempt; null if there is none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the first attempt.' }),
  }),
});

const WebhookEndpointWithSecret = builder.objectRef<WithSecret>('WebhookEndpointWithSecret').implement({
  description:
    'An endpoint with the secret that signs its deliveries. The secret is shown only in this answer.',
  fields: (t) => ({
    endpoint: t.expose('endpoint', { type: WebhookEndpoint, description: 'The endpoint.' }),
    secret: t.exposeString('secret', {
      description: 'The secret, `whsec_…`. Store it where the receiver can read it.',
    }),
  }),
});

const LATEST_EVENT_FIRST = [
  ['sequence', 'desc'],
  ['id', 'desc'],
] as const;

builder.queryFields((t) => ({
  webhookEndpoints: t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: WebhookEndpoint,
      description:
        'The webhook endpoints of the environment, newest first; at most 20. `first` and `last` are 1 to 100, 25 by default.',
      args: { ...environmentArguments },
      complexity: (args) => pageCost(args),
      resolve: async (_root, { companyId, environment, ...paging }, context, info) => {
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        return prismaListOf(context, info, paging, {
          model: 'WebhookEndpoint',
          where: { environmentId },
          order: NEWEST_FIRST,
        });
      },
    },
    ...namesOf('WebhookEndpoint'),
  ),
  webhookEndpoint: t.withAuth({ scope: 'read', role: 'viewer' }).prismaField({
    type: WebhookEndpoint,
    description: 'One endpoint; `webhook_endpoint_not_found` if no endpoint has this id.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }), ...environmentArguments },
    resolve: async (query, _root, { id, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const found = await prismaRowOf(context, 'WebhookEndpoint', query, { environmentId, id });
      return valueOrThrow(found ?? unknownEndpoint());
    },
  }),
  webhookDeliveries: t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: WebhookDelivery,
      description:
        'The deliveries of an endpoint, latest event first. `first` and `last` are 1 to 100, 25 by default.',
      args: {
        endpointId: t.arg.id({ required: true, description: 'The endpoint.' }),
        status: t.arg({ type: DeliveryStatusEnum, description: 'Only deliveries with this status.' }),
        ...environmentArguments,
      },
      complexity: (args) => pageCost(args),
      resolve: async (
        _root,
        { endpointId: id, status, companyId, environment, ...paging },
        context,
        info,
      ) => {
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const query = { select: { id: true } };
        const endpoint = await prismaRowOf(context, 'WebhookEndpoint', query, { environmentId, id });
        valueOrThrow(endpoint ?? unknownEndpoint());
        return prismaListOf(context, info, paging, {
          model: 'WebhookDelivery',
          where: { environmentId, endpointId: id, ...given({ status }) },
          order: LATEST_EVENT_FIRST,
        });
      },
    },
    ...namesOf('WebhookDelivery'),
  ),
}));

const CreateWebhookEndpointInput = inputType(endpointRequest, 'CreateWebhookEndpointInput');

const UpdateWebhookEndpointInput = inputType(endpointChange, 'UpdateWebhookEndpointInput');

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of fields
builder.mutationFields((t) => ({
  createWebhookEndpoint: t.withAuth(MANAGED_AND_READ).field({
    type: WebhookEndpointWithSecret,
    description:
      'Creates a webhook endpoint, which receives all future events of its types. The secret is shown only in this answer.',
    args: {
      input: t.arg({ type: CreateWebhookEndpointInput, required: true, description: 'The endpoint.' }),
      ...operatorActionArguments,
    },
    resolve: async (_root, { input, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      const environmentId = await environmentFromArguments(context, args);
      const request = valueOrThrow(parseRequest(endpointRequest, input));
      return valueOrThrow(await createEndpoint(webhooksOf(context), environmentId, request, by));
    },
  }),
  updateWebhookEndpoint: t.withAuth(MANAGED).field({
    type: WebhookEndpoint,
    description:
      'Updates a webhook endpoint, disables it, or enables it again. Another `url` needs the scope `read` too, as for a new endpoint.',
    args: {
      id: t.arg.id({ required: true, description: 'The endpoint.' }),
      input: t.arg({ type: UpdateWebhookEndpointInput, required: true, description: 'The changes.' }),
      ...operatorActionArguments,
    },
    resolve: async (_root, { id, input, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      const environmentId = await environmentFromArguments(context, args);
      const change = valueOrThrow(parseRequest(endpointChange, withoutNulls(input)));
      if (change.url !== undefined) valueOrThrow(refusalFor(context, MANAGED_AND_READ));
      return valueOrThrow(await changeEndpoint(webhooksOf(context), environmentId, id, change, by));
    },
  }),
  deleteWebhookEndpoint: t.withAuth(MANAGED).field({
    type: WebhookEndpoint,
    description: 'Deletes a webhook endpoint and its deliveries, and returns it.',
    args: { id: t.arg.id({ required: true, description: 'The endpoint.' }), ...operatorActionArguments },
    resolve: async (_root, { id, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      return valueOrThrow(
        await removeEndpoint(context.services.db, await environmentFromArguments(context, args), id, by),
      );
    },
  }),
  rotateWebhookSecret: t.withAuth(MANAGED).field({
    type: WebhookEndpointWithSecret,
    description:
      'Gives an endpoint a new secret, shown only in this answer. The previous one also signs for `graceHours` (default 24, at most 168).',
    args: {
      id: t.arg.id({ required: true, description: 'The endpoint.' }),
      graceHours: t.arg.int({ description: 'How long the previous secret still signs, in hours.' }),
      ...operatorActionArguments,
    },
    resolve: async (_root, { id, graceHours: hours, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      const environmentId = await environmentFromArguments(context, args);
      const { graceHours } = valueOrThrow(parseRequest(rotationRequest, { graceHours: hours }));
      return valueOrThrow(await rotateSecret(webhooksOf(context), environmentId, id, graceHours, by));
    },
  }),
  pingWebhookEndpoint: t.withAuth(MANAGED).field({
    type: WebhookEndpoint,
    description: 'Sends a `ping` event to an endpoint.',
    args: { id: t.arg.id({ required: true, description: 'The endpoint.' }), ...operatorActionArguments },
    resolve: async (_root, { id, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      return valueOrThrow(
        await ping(context.services.db, await environmentFromArguments(context, args), id, by),
      );
    },
  }),
  replayWebhookEvents: t.withAuth(MANAGED_AND_READ).field({
    type: WebhookEndpoint,
    description: 'Delivers to an endpoint again all events from a sequence or a time on that are still kept.',
    args: {
      id: t.arg.id({ required: true, description: 'The endpoint.' }),
      fromSequence: t.arg.int({ description: 'The first sequence to deliver.' }),
      from: t.arg({
        type: 'DateTime',
        description: 'The time from which to deliver. Either this or the sequence.',
      }),
      ...operatorActionArguments,
    },
    resolve: async (_root, { id, fromSequence, from, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      const environmentId = await environmentFromArguments(context, args);
      const sent = withoutNulls({ fromSequence, from: from?.toISOString() });
      const request = valueOrThrow(parseRequest(replayRequest, sent));
      return valueOrThrow(await replay(context.services.db, environmentId, id, request, by));
    },
  }),
  redeliverWebhook: t.withAuth(MANAGED).field({
    type: WebhookDelivery,
    description: 'Retries a delivery at once, even if it was delivered before.',
    args: { id: t.arg.id({ required: true, description: 'The delivery.' }), ...operatorActionArguments },
    resolve: async (_root, { id, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      return valueOrThrow(
        await redeliver(context.services.db, await environmentFromArguments(context, args), id, by),
      );
    },
  }),
  redeliverFailedWebhooks: t.withAuth(MANAGED).field({
    type: BulkChangeType,
    description: `Retries all failed deliveries of active endpoints at once: at most ${CHANGED_AT_ONCE}, those of the oldest events.`,
    args: {
      endpointId: t.arg.id({ description: 'Only those of this endpoint.' }),
      dryRun: t.arg.boolean({ description: DRY_RUN }),
      ...operatorActionArguments,
    },
    resolve: async (_root, { endpointId, dryRun, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      const which = { endpointId: endpointId ?? null, dryRun: dryRun ?? false };
      const environmentId = await environmentFromArguments(context, args);
      return valueOrThrow<BulkChange>(await redeliverFailed(context.services.db, environmentId, which, by));
    },
  }),
}));

/** A null means the same as nothing, but for the description, which it removes. */
function withoutNulls<T extends object>(values: T): Partial<T> {
  const kept: Partial<T> = { ...values };
  for (const name in kept) {
    if (kept[name] === undefined || (kept[name] === null && name !== 'description')) delete kept[name];
  }
  return kept;
}
