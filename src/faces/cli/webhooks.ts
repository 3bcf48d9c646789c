import type { Command } from 'commander';
import type { WebhookDelivery } from '../../../generated/prisma/client.ts';
import { CHANGED_AT_ONCE } from '../../ground/db/many-at-once.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, readReason } from '../../ground/journal/audit-log.ts';
import { locateEnvironment, locateResource } from '../../subjects/operations/store/read-location.ts';
import { redeliver, redeliverFailed } from '../../subjects/webhooks/deliveries.ts';
import { createEndpoint, ping, removeEndpoint } from '../../subjects/webhooks/endpoints.ts';
import { EVERY_TYPE, endpointRequest } from '../../subjects/webhooks/request.ts';
import { attempts, type Endpoint } from '../../subjects/webhooks/shapes.ts';
import { listDeliveries, listEndpoints } from '../../subjects/webhooks/store/read-endpoints.ts';
import { type CliRuntime, type CommandContext, commandGroup } from './command.ts';
import { commandKeys } from './command-keys.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { DRY_RUN, manyChanges, REPEAT } from './many-at-once.ts';
import { choiceOption, integerOption, operand, optionalOption, requiredOption } from './options.ts';
import { ENVIRONMENT, environmentChange, resolveEnvironment, resourceChange } from './targets.ts';

const ENDPOINT = operand('the id of the endpoint');

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of commands
export function webhooks(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(
    program,
    'webhooks',
    'endpoints to which events are posted, and their deliveries',
  );
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists the webhook endpoints of an environment, newest first',
    parameters: ENVIRONMENT,
    examples: [
      ['Those of a company’s test environment', 'webhooks list --company $COMPANY --environment test'],
    ],
    async run(context, values) {
      const environmentId = await resolveEnvironment(context, values);
      return isRefusal(environmentId) ? environmentId : listEndpoints(context.db, environmentId);
    },
  });
  changeCommand(group, runtime, {
    name: 'create',
    description: 'creates an endpoint; its secret is shown only once',
    parameters: {
      ...ENVIRONMENT,
      url: requiredOption('url', 'the URL that receives events: https, at a public address'),
      types: optionalOption('types', 'the event types, separated by commas; all by default'),
      description: optionalOption('text', 'your own description'),
    },
    examples: [
      [
        'For the registration results of invoices',
        'webhooks create --environment $ENVIRONMENT --url https://hooks.example.com/lacre --types invoice.registered,invoice.rejected --reason "new shop"',
      ],
    ],
    preview: (context, values) => environmentChange(context, values, 'create a webhook endpoint'),
    async run(context, values, by) {
      const reason = readReason(by);
      if (isRefusal(reason)) return reason;
      const { url, types, description } = values;
      const eventTypes = types?.split(',') ?? [EVERY_TYPE];
      const request = parseRequest(endpointRequest, { url, eventTypes, description });
      if (isRefusal(request)) return request;
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const { webhooksAllowPrivate: allowPrivate } = context.config;
      const keys = await commandKeys(context);
      const created = await createEndpoint(
        { db: context.db, keys, allowPrivate },
        environmentId,
        request,
        by,
      );
      return isRefusal(created) ? created : { ...shown(created.endpoint), secret: created.secret };
    },
  });
  changeCommand(group, runtime, {
    name: 'delete',
    description: 'deletes an endpoint and its deliveries',
    parameters: { endpoint: ENDPOINT },
    examples: [['A shop that has closed', 'webhooks delete $ENDPOINT --reason "shop closed"']],
    preview: (context, { endpoint: id }) => resourceChange(context, id, `delete the webhook endpoint ${id}`),
    run: (context, { endpoint: id }, by) =>
      at(context, id, by, async (environmentId) => {
        const removed = await removeEndpoint(context.db, environmentId, id, by);
        return isRefusal(removed) ? removed : { id, deleted: true };
      }),
  });
  changeCommand(group, runtime, {
    name: 'ping',
    description: 'sends a `ping` event to an endpoint',
    parameters: { endpoint: ENDPOINT },
    examples: [
      [
        'A check that it still receives events',
        'webhooks ping $ENDPOINT --reason "after a change of address"',
      ],
    ],
    preview: (context, { endpoint: id }) => resourceChange(context, id, `send a ping to ${id}`),
    run: (context, { endpoint: id }, by) =>
      at(context, id, by, async (environmentId) => {
        const pinged = await ping(context.db, environmentId, id, by);
        return isRefusal(pinged) ? pinged : shown(pinged);
      }),
  });
  queryCommand(group, runtime, {
    name: 'deliveries',
    description: 'lists the deliveries to an endpoint, latest event first',
    parameters: {
      endpoint: ENDPOINT,
      status: choiceOption(['pending', 'delivered', 'failed'], 'only deliveries with this status'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 50 }),
      after: optionalOption('whd_…', 'continue after this one'),
    },
    examples: [['Pending deliveries', 'webhooks deliveries $ENDPOINT --status pending']],
    async run(context, { endpoint: id, status = null, limit: size, after = null }) {
      const location = await locateResource(context.db.pool, id);
      if (location === null) return notFound(id);
      const found = await listDeliveries(context.db, location.environmentId, id, { status, size, after });
      return isRefusal(found) ? found : { deliveries: found.rows.map(summary), hasMore: found.hasMore };
    },
  });
  changeCommand(group, runtime, {
    name: 'redeliver',
    description: 'retries a delivery at once, even if it was delivered before',
    parameters: { delivery: operand('the id of the delivery') },
    examples: [['Once the receiver is back', 'webhooks redeliver $DELIVERY --reason "receiver is back"']],
    preview: (context, { delivery: id }) => resourceChange(context, id, `deliver ${id} again`),
    run: (context, { delivery: id }, by) =>
      at(context, id, by, async (environmentId) => {
        const again = await redeliver(context.db, environmentId, id, by);
        return isRefusal(again) ? again : summary(again);
      }),
  });
  changeCommand(group, runtime, {
    name: 'redeliver-failed',
    description: 'retries all failed deliveries of an environment’s active endpoints, or of one endpoint',
    details: `Retries all failed deliveries at once: at most ${CHANGED_AT_ONCE}, those of the oldest events. ${REPEAT}`,
    parameters: {
      ...ENVIRONMENT,
      endpoint: optionalOption('whe_…', 'only those of this endpoint'),
      ...DRY_RUN,
    },
    examples: [
      [
        'How many it would be',
        'webhooks redeliver-failed --environment $ENVIRONMENT --dry-run --reason "receiver is back"',
      ],
    ],
    async preview(context, { endpoint: endpointId = null, dryRun, ...named }) {
      const environmentId = await resolveEnvironment(context, named);
      if (isRefusal(environmentId)) return environmentId;
      const which = { endpointId, dryRun: true };
      const counted = await redeliverFailed(context.db, environmentId, which, null);
      const place = await locateEnvironment(context.db.pool, environmentId);
      return manyChanges(counted, {
        ...{ dryRun, live: place?.kind === 'live' },
        does: 'deliver all that failed again',
      });
    },
    async run(context, { endpoint: endpointId = null, dryRun, ...named }, by) {
      const reason = readReason(by);
      if (isRefusal(reason)) return reason;
      const environmentId = await resolveEnvironment(context, named);
      if (isRefusal(environmentId)) return environmentId;
      return redeliverFailed(context.db, environmentId, { endpointId, dryRun }, { ...by, reason });
    },
  });
}

/** An endpoint without what concerns workers alone, and without its environment, which was named. */
function shown({ environmentId: _environment, quick: _quick, heldUntil: _held, ...endpoint }: Endpoint) {
  return endpoint;
}

/** A delivery as one row, with its last attempt. */
function summary({ id, eventType, sequence, status, attempts: tried, attemptLog, nextAt }: WebhookDelivery) {
  const last = attempts.parse(attemptLog).at(-1);
  const answer = last?.status ?? last?.error ?? null;
  return { id, eventType, sequence, status, attempts: tried, answer, nextAt };
}

const notFound = (id: string) => invalidField('id', 'not_found', `there is no ${id}`);

async function at<T>(
  { db }: CommandContext,
  id: string,
  by: ActorAndReason,
  work: (environmentId: number) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const location = await locateResource(db.pool, id);
  return location === null ? notFound(id) : work(location.environmentId);
}
