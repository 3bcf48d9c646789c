import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { bdi, html } from '../../web/html.ts';
import { companyScopeOf } from '../company.ts';
import { badge, table } from '../components.ts';
import { dayOf } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say, sayWith, wordOf } from '../words.ts';

type Key = {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly companyId: string | null;
  readonly environment: 'test' | 'live' | null;
  readonly scopes: readonly string[];
  readonly role: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
};

const QUERY = stored(
  'query ConsoleKeys($companyId: ID, $operators: Boolean) { keys(companyId: $companyId, operators: $operators, first: 200) { edges { node { id prefix name companyId environment scopes role createdAt expiresAt revokedAt } } } }',
);

/** The keys of operators. */
export async function operatorKeys(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await QUERY(context, { operators: true });
  if (isRefusal(found)) return found;
  const body = html`<h1>${say('Operator keys')}</h1>
<p class="lead">${say('Each key has the permissions of its role. Keys of merchants are on a tab of their company.')}</p>
<p class="actions"><a class="button" href="${context.root}/keys/new">${say('New operator key…')}</a></p>
${keyTable(
  context.root,
  found.keys.edges.map(({ node }) => node),
)}`;
  return { title: 'Operator keys', body };
}

/** The keys of a company. */
export async function companyKeys(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const found = await QUERY(context, { companyId: companyScope.companyId });
  if (isRefusal(found)) return found;
  const body = html`<h1>${say('Keys')}</h1>
<p class="actions"><a class="button" href="${context.root}/companies/${companyScope.companyId}/keys/new">${say('New key…')}</a></p>
${keyTable(
  context.root,
  found.keys.edges.map(({ node }) => node),
)}`;
  return { title: 'Keys', companyScope: companyScope, body };
}

function keyTable(root: string, keys: readonly Key[]) {
  return table(
    'Keys',
    [
      {
        head: 'Name',
        cell: ({ name, id }) => html`${bdi(name)} <span class="under"><code>${id}</code></span>`,
      },
      { head: 'Begins with', cell: ({ prefix }) => html`<code>${prefix}…</code>` },
      {
        head: 'For',
        cell: ({ environment }) =>
          environment === null
            ? say('operators')
            : html`<span class="environment ${environment}">${say(environment)}</span>`,
      },
      {
        head: 'Permissions',
        cell: ({ scopes, role }) => (role === null ? scopes.map(wordOf).join(', ') : wordOf(role)),
      },
      { head: 'Created', cell: ({ createdAt }) => dayOf(createdAt) },
      {
        head: 'State',
        cell: ({ id, expiresAt, revokedAt }) => {
          if (revokedAt !== null) return html`${badge('voided', 'Revoked')} ${dayOf(revokedAt)}`;
          if (expiresAt !== null && new Date(expiresAt) <= clock.now()) {
            return html`${badge('voided', 'Expired|key')} ${dayOf(expiresAt)}`;
          }
          const until = expiresAt === null ? '' : html`${sayWith('until {day}', { day: dayOf(expiresAt) })} `;
          return html`${badge('registered', 'In force')} ${until}<a href="${root}/keys/${id}/revoke">${say('Revoke…')}</a>`;
        },
      },
    ],
    keys,
    'No keys.',
  );
}
