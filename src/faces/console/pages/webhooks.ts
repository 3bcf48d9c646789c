import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { environmentSwitch } from '../company.ts';
import { badge, facts, pager, section, shortId, table } from '../components.ts';
import { dayOf, moment, until } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import {
  ENDPOINTS,
  type Endpoint,
  endpointOf,
  endpointStatus,
  endpointsOf,
  type WebhookScope,
  webhookScopeOf,
  webhooksAddress,
} from '../webhooks.ts';
import { say, type Text } from '../words.ts';

/** The webhook endpoints of a company's environment. */
export async function webhooks(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await webhookScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const { companyId, environment } = companyScope;
  const found = await ENDPOINTS(context, { companyId, environment });
  if (isRefusal(found)) return found;
  const body = html`<h1>${say('Webhooks')}</h1>
${environmentSwitch(`${context.root}/companies/${companyId}/webhooks`, environment)}
<p class="lead">${say('The URLs that receive the merchant’s events. Endpoints are created with the merchant’s key, or on the command line.')}</p>
${table(
  'Webhook endpoints',
  [
    {
      head: 'Address',
      cell: ({ id, url }) =>
        html`<a href="${context.root}${webhooksAddress(companyScope, `/${id}`)}">${bdi(url)}</a> <span class="under">${shortId(id)}</span>`,
    },
    { head: 'Description', cell: ({ description }) => bdi(description ?? '–') },
    { head: 'Event types', cell: ({ eventTypes }) => eventTypesText(eventTypes) },
    { head: 'State', cell: endpointStatus },
    { head: 'Since', cell: ({ createdAt }) => dayOf(createdAt) },
  ],
  endpointsOf(found),
  'There is none.',
)}`;
  return { title: 'Webhooks', companyScope, body };
}

const eventTypesText = (types: readonly string[]): string =>
  types[0] === '*' ? say('everything') : types.join(', ');

const DELIVERIES = stored(
  `query ConsoleWebhookDeliveries($companyId: ID!, $environment: Environment!, $endpointId: ID!,
      $status: WebhookDeliveryStatus, $after: String) {
    webhookDeliveries(companyId: $companyId, environment: $environment, endpointId: $endpointId, status: $status,
      first: 25, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node { id eventId eventType sequence status attempts nextAttemptAt
        attemptLog { at milliseconds httpStatus error response } } }
    }
  }`,
);

const STATES = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;
const BADGES = { pending: 'pending', delivered: 'registered', failed: 'rejected' } as const;
const FILTERS = [
  ['', 'All'],
  ['pending', STATES.pending],
  ['failed', STATES.failed],
  ['delivered', STATES.delivered],
] as const;

/** One endpoint, and what became of the events at it. */
export async function webhook(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await webhookScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const endpoint = await endpointOf(context, companyScope);
  if (isRefusal(endpoint)) return endpoint;
  const { companyId, environment } = companyScope;
  const status = FILTERS.find(([value]) => value !== '' && value === context.query('status'))?.[0] || null;
  const after = context.query('after') || null;
  const found = await DELIVERIES(context, { companyId, environment, endpointId: endpoint.id, status, after });
  if (isRefusal(found)) return found;
  const { edges, pageInfo } = found.webhookDeliveries;
  const pageAddress = context.root + webhooksAddress(companyScope, `/${endpoint.id}`);
  const filtered = status === null ? pageAddress : `${pageAddress}&status=${status}`;
  const filters = FILTERS.map(
    ([value, name]) =>
      html`<a href="${value === '' ? pageAddress : `${pageAddress}&status=${value}`}"${value === (status ?? '') && html` aria-current="page"`}>${say(name)}</a>`,
  );
  const body = html`<h1>${say('Webhook endpoint')}</h1>
${endpointCard(context.root, companyScope, endpoint)}
${section(
  'Deliveries',
  html`<nav class="switch" aria-label="${say('State')}">${filters}</nav>
${deliveryTable(
  context.root,
  companyScope,
  endpoint,
  edges.map(({ node }) => node),
)}
${pager('Deliveries', {
  first: after === null ? null : filtered,
  next: pageInfo.hasNextPage ? `${filtered}&after=${pageInfo.endCursor}` : null,
})}`,
  'deliveries',
)}`;
  return { title: 'Webhook endpoint', companyScope, body };
}

function endpointCard(root: string, scope: WebhookScope, endpoint: Endpoint) {
  const action = (name: string, label: Text) =>
    html`<a class="button small" href="${root}${webhooksAddress(scope, `/${endpoint.id}/${name}`)}">${say(label)}</a> `;
  return html`<div class="card">${facts([
    ['Address', bdi(endpoint.url)],
    ['Id', html`<code>${endpoint.id}</code>`],
    ['Description', endpoint.description !== null && bdi(endpoint.description)],
    ['Event types', eventTypesText(endpoint.eventTypes)],
    ['State', endpointStatus(endpoint)],
    ['Created', moment(endpoint.createdAt)],
  ])}<p class="ways">${
    endpoint.status === 'active'
      ? html`${action('ping', 'Ping…')}${action('replay', 'Deliver again from…')}${action('redeliver-failed', 'Deliver all failed again…')}${action('disable', 'Disable…')}`
      : action('enable', 'Enable…')
  }</p></div>`;
}

type Delivery = {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly sequence: number;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly attemptLog: readonly Attempt[];
};
type Attempt = {
  readonly at: string;
  readonly milliseconds: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly response: string | null;
};

function deliveryTable(
  root: string,
  scope: WebhookScope,
  endpoint: Endpoint,
  deliveries: readonly Delivery[],
) {
  return table(
    'Deliveries',
    [
      {
        head: 'Event',
        cell: ({ eventType, sequence, eventId }) =>
          html`${eventType} <span class="under">${sequence} · ${shortId(eventId)}</span>`,
      },
      {
        head: 'State',
        cell: ({ status, nextAttemptAt }) =>
          html`${badge(BADGES[status], STATES[status])}${
            nextAttemptAt !== null &&
            html` <span class="under">${say('again {when}', { when: until(nextAttemptAt) })}</span>`
          }`,
      },
      {
        head: 'Attempts',
        cell: ({ attempts, attemptLog }) =>
          html`${attempts}${attemptLog.length > 0 && html` ${attemptList(attemptLog)}`}`,
      },
      {
        head: 'Action',
        kind: 'acts',
        cell: ({ id }) =>
          endpoint.status === 'active' &&
          html`<a class="button small" href="${root}${webhooksAddress(scope, `/${endpoint.id}/deliveries/${id}/redeliver`)}">${say('Deliver again…')}</a>`,
      },
    ],
    deliveries,
    'There is none.',
  );
}

/** The last attempt, and behind it all of them with what was answered. */
function attemptList(attempts: readonly Attempt[]) {
  const newest = attempts.toReversed();
  return html`<details class="attempts"><summary>${outcomeOf(newest[0]!)}, ${moment(newest[0]!.at)}</summary>
<ol>${newest.map(
    (attempt) =>
      html`<li>${moment(attempt.at)}: ${say('{outcome} after {milliseconds} ms', { outcome: outcomeOf(attempt), milliseconds: attempt.milliseconds })}${
        attempt.response !== null && attempt.response !== '' && html`<pre>${attempt.response}</pre>`
      }</li>`,
  )}</ol></details>`;
}

const outcomeOf = ({ httpStatus, error }: Attempt): string =>
  httpStatus === null ? (error ?? say('no answer')) : say('answered {status}', { status: httpStatus });
