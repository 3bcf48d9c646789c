import { invalidField, isRefusal } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { environmentNamed } from '../company.ts';
import { facts } from '../components.ts';
import type { Action, ActionField, Entries, OperatorContext } from '../page.ts';
import { stored } from '../query.ts';
import { type Endpoint, endpointOf, endpointStatus, webhookScopeOf, webhooksAddress } from '../webhooks.ts';
import type { Text } from '../words.ts';
import { isDryRun, ONLY_COUNT, outcomeOfMany } from './many-at-once.ts';

type EndpointAction = {
  readonly title: Text;
  readonly lead: Text;
  readonly submit: Text;
  readonly fields?: readonly ActionField[];
  readonly perform: Action['perform'];
};

function onEndpoint({ title, lead, submit, fields, perform }: EndpointAction): Action {
  return {
    async prepare(context) {
      const companyScope = await webhookScopeOf(context);
      if (isRefusal(companyScope)) return companyScope;
      const endpoint = await endpointOf(context, companyScope);
      if (isRefusal(endpoint)) return endpoint;
      return {
        ...{ title, lead, submit, companyScope, subject: cardOf(endpoint) },
        ...(fields === undefined ? {} : { fields }),
        back: webhooksAddress(companyScope, `/${endpoint.id}`),
      };
    },
    perform,
  };
}

const cardOf = (endpoint: Endpoint) =>
  html`<div class="card">${facts([
    ['Address', bdi(endpoint.url)],
    ['State', endpointStatus(endpoint)],
  ])}</div>`;

/** The variables of every action: the endpoint, its environment and the reason. */
const target = (context: OperatorContext, entries: Entries) => ({
  ...{ companyId: context.param('companyId'), environment: environmentNamed(context) },
  ...{ id: context.param('id'), reason: entries('reason') },
});

const UPDATE = stored(
  `mutation ConsoleUpdateWebhook($companyId: ID!, $environment: Environment!, $id: ID!,
      $input: UpdateWebhookEndpointInput!, $reason: String!) {
    updateWebhookEndpoint(companyId: $companyId, environment: $environment, id: $id, input: $input, reason: $reason) { id }
  }`,
);

export const disableWebhook = onEndpoint({
  title: 'Disable the endpoint',
  lead: 'Events are no longer delivered to it. Once it is enabled again, it receives the missed events that are still kept.',
  submit: 'Disable it',
  async perform(context, entries) {
    const done = await UPDATE(context, { ...target(context, entries), input: { status: 'disabled' } });
    return isRefusal(done) ? done : { flash: 'The endpoint is disabled.' };
  },
});

export const enableWebhook = onEndpoint({
  title: 'Enable the endpoint',
  lead: 'It receives the missed events that are still kept.',
  submit: 'Enable it',
  async perform(context, entries) {
    const done = await UPDATE(context, { ...target(context, entries), input: { status: 'active' } });
    return isRefusal(done) ? done : { flash: 'The endpoint is enabled.' };
  },
});

const PING = stored(
  `mutation ConsolePingWebhook($companyId: ID!, $environment: Environment!, $id: ID!, $reason: String!) {
    pingWebhookEndpoint(companyId: $companyId, environment: $environment, id: $id, reason: $reason) { id }
  }`,
);

export const pingWebhook = onEndpoint({
  title: 'Ping the endpoint',
  lead: 'A ping event is delivered to it like any other event.',
  submit: 'Ping it',
  async perform(context, entries) {
    const done = await PING(context, target(context, entries));
    return isRefusal(done) ? done : { flash: 'The ping is under way: see the deliveries in a moment.' };
  },
});

const REPLAY = stored(
  `mutation ConsoleReplayWebhook($companyId: ID!, $environment: Environment!, $id: ID!, $fromSequence: Int!, $reason: String!) {
    replayWebhookEvents(companyId: $companyId, environment: $environment, id: $id, fromSequence: $fromSequence, reason: $reason) { id }
  }`,
);

export const replayWebhook = onEndpoint({
  title: 'Deliver events again',
  lead: 'All events from this sequence on are delivered again, with the same ids.',
  submit: 'Deliver them again',
  fields: [{ name: 'fromSequence', label: 'From sequence', max: 10, width: 'short' }],
  async perform(context, entries) {
    const fromSequence = Number(entries('fromSequence'));
    if (!/^\d{1,9}$/.test(entries('fromSequence')) || fromSequence < 1)
      return invalidField('fromSequence', 'invalid_value', 'must be a whole number from 1 on');
    const done = await REPLAY(context, { ...target(context, entries), fromSequence });
    return isRefusal(done) ? done : { flash: 'They are delivered again.' };
  },
});

const REDELIVER = stored(
  `mutation ConsoleRedeliverWebhook($companyId: ID!, $environment: Environment!, $id: ID!, $reason: String!) {
    redeliverWebhook(companyId: $companyId, environment: $environment, id: $id, reason: $reason) { id }
  }`,
);

export const redeliverWebhook = onEndpoint({
  title: 'Deliver again',
  lead: 'The event is delivered to the endpoint again at once, with the same id, even if it was delivered before.',
  submit: 'Deliver it again',
  async perform(context, entries) {
    const done = await REDELIVER(context, { ...target(context, entries), id: context.param('deliveryId') });
    return isRefusal(done) ? done : { flash: 'It is delivered again: see its attempts in a moment.' };
  },
});

const REDELIVER_FAILED = stored(
  `mutation ConsoleRedeliverFailed($companyId: ID!, $environment: Environment!, $id: ID!, $dryRun: Boolean!, $reason: String!) {
    redeliverFailedWebhooks(companyId: $companyId, environment: $environment, endpointId: $id, dryRun: $dryRun, reason: $reason) {
      matching changed again
    }
  }`,
);

export const redeliverFailedWebhooks = onEndpoint({
  title: 'Deliver all that failed again',
  lead: 'All failed deliveries to this endpoint are retried at once, with the same ids of their events.',
  submit: 'Deliver them again',
  fields: [ONLY_COUNT],
  async perform(context, entries) {
    const dryRun = isDryRun(entries);
    const done = await REDELIVER_FAILED(context, { ...target(context, entries), dryRun });
    if (isRefusal(done)) return done;
    return { flash: outcomeOfMany(done.redeliverFailedWebhooks, dryRun, '{count} are delivered again.') };
  },
});
