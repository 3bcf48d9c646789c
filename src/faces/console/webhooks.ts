import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { bdi, type Html, html } from '../web/html.ts';
import { companyScopeOf, environmentNamed } from './company.ts';
import { badge } from './components.ts';
import { moment } from './format.ts';
import type { CompanyScope, OperatorContext } from './page.ts';
import { stored } from './query.ts';
import { sayWith, wordOf } from './words.ts';

/** A webhook endpoint as GraphQL gives it. */
export type Endpoint = {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly description: string | null;
  readonly status: 'active' | 'disabled';
  readonly disabledReason: string | null;
  readonly failingSince: string | null;
  readonly createdAt: string;
};

export const ENDPOINTS = stored(
  `query ConsoleWebhookEndpoints($companyId: ID!, $environment: Environment!) {
    webhookEndpoints(companyId: $companyId, environment: $environment) {
      edges { node { id url eventTypes description status disabledReason failingSince createdAt } }
    }
  }`,
);

type Endpoints = { readonly webhookEndpoints: { readonly edges: readonly { readonly node: Endpoint }[] } };

/** All of them: there are fewer than a page has. */
export const endpointsOf = ({ webhookEndpoints: { edges } }: Endpoints): Endpoint[] =>
  edges.map(({ node }) => node);

/** Where the page of webhooks stands, and with what environment. */
export type WebhookScope = CompanyScope & { readonly environment: 'test' | 'live' };

export async function webhookScopeOf(context: OperatorContext): Promise<Outcome<WebhookScope>> {
  const scope = await companyScopeOf(context);
  return isRefusal(scope) ? scope : { ...scope, environment: environmentNamed(context) };
}

/** The endpoint that the address names as `:id`. */
export async function endpointOf(
  context: OperatorContext,
  { companyId, environment }: WebhookScope,
): Promise<Outcome<Endpoint>> {
  const found = await ENDPOINTS(context, { companyId, environment });
  if (isRefusal(found)) return found;
  const endpoint = endpointsOf(found).find(({ id }) => id === context.param('id'));
  return endpoint ?? new Refusal('not_found', 'There is no webhook endpoint with this id.');
}

/** Below the root: the endpoints of an environment, or what is below them. */
export const webhooksAddress = ({ companyId, environment }: WebhookScope, below = ''): string =>
  `/companies/${companyId}/webhooks${below}?environment=${environment}`;

/** Whether it is delivered to. */
export function endpointStatus({ status, disabledReason, failingSince }: Endpoint): Html {
  if (status === 'disabled') return html`${badge('voided', 'Disabled')} ${bdi(wordOf(disabledReason ?? ''))}`;
  if (failingSince === null) return badge('registered', 'Active');
  return html`${badge('rejected', 'Failing')} ${sayWith('since {when}', { when: moment(failingSince) })}`;
}
