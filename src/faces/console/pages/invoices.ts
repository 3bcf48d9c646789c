import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { selectField, textField } from '../../web/fields.ts';
import { bdi, type Html, html } from '../../web/html.ts';
import { companyScopeOf, environmentChoices, environmentNamed } from '../company.ts';
import { pager, table } from '../components.ts';
import { dayOf, money } from '../format.ts';
import { invoiceBadges, invoiceName } from '../invoice.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say } from '../words.ts';

type Listed = {
  readonly id: string;
  readonly number: string;
  readonly type: 'complete' | 'simplified';
  readonly kind: string;
  readonly qualifiedSimplified: boolean | null;
  readonly status: 'issued' | 'voided';
  readonly total: number;
  readonly issuedOn: string;
  readonly recipientName: string | null;
  readonly verifactu: { readonly status: string } | null;
};

const QUERY = stored(`query ConsoleInvoices($companyId: ID!, $environment: Environment!, $after: String,
    $filter: InvoiceFilter!) {
  invoices(first: 50, companyId: $companyId, environment: $environment, after: $after, filter: $filter) {
    edges { node {
      id number type kind qualifiedSimplified status total issuedOn recipientName verifactu { status }
    } }
    pageInfo { hasNextPage endCursor }
  }
}`);

const STATES = [
  ['', 'All'],
  ['pending', 'Pending'],
  ['registered', 'Registered'],
  ['registered_with_errors', 'Registered with errors'],
  ['rejected', 'Rejected'],
  ['skipped', 'Skipped'],
  ['voided', 'Voided'],
] as const;

/** The invoices of one environment of a company. */
export async function invoices(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root, query } = context;
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const environment = environmentNamed(context);
  const text = query('text').trim();
  const state = STATES.find(([value]) => value === query('state'))?.[0] ?? '';
  const after = query('after');
  const found = await QUERY(context, {
    ...{ companyId: companyScope.companyId, environment, after: after || null },
    filter: {
      text: text || null,
      ...(state === '' ? {} : state === 'voided' ? { status: [state] } : { registrationStatus: [state] }),
    },
  });
  if (isRefusal(found)) return found;
  const { edges, pageInfo } = found.invoices;
  const pageAddress = `${root}/companies/${companyScope.companyId}/invoices`;
  const address = (cursor: string | null): string => {
    const parameters = { environment, text, state, after: cursor ?? '' };
    return `${pageAddress}?${new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString()}`;
  };
  const body = html`<h1>${say('Invoices')}</h1>
<p class="actions"><a class="button" href="${root}/companies/${companyScope.companyId}/export?environment=${environment}">${say('Export a period')}</a></p>
<form class="card filters" method="get" action="${pageAddress}" role="search" aria-label="${say('Search invoices')}">
${textField({ name: 'text', label: say('Number, order or line'), settled: true }, { value: text, max: 200, type: 'search' })}
${selectField({ name: 'state', label: say('State'), settled: true }, { choices: STATES.map(([value, name]) => [value, say(name)] as const), chosen: state })}
${selectField(
  { name: 'environment', label: say('Environment'), settled: true },
  {
    choices: environmentChoices(),
    chosen: environment,
  },
)}
<div class="actions"><button class="primary">${say('Search')}</button></div></form>
${list(
  root,
  edges.map(({ node }) => node),
)}
${pager('Invoices', {
  first: after === '' ? null : address(null),
  next: pageInfo.hasNextPage ? address(pageInfo.endCursor) : null,
})}`;
  return { title: 'Invoices', companyScope: { ...companyScope, environment }, body, live: true };
}

function list(root: string, found: readonly Listed[]): Html {
  return table(
    'Invoices',
    [
      {
        head: 'Invoice',
        cell: ({ id, number, type, kind, qualifiedSimplified }) =>
          html`<a href="${root}/invoices/${id}">${bdi(number)}</a> <span class="under">${invoiceName({ type, kind, qualifiedSimplified })}</span>`,
      },
      { head: 'Recipient', cell: ({ recipientName }) => (recipientName === null ? '—' : bdi(recipientName)) },
      { head: 'State', cell: invoiceBadges },
      { head: 'Day', kind: 'amount', cell: ({ issuedOn }) => dayOf(issuedOn) },
      { head: 'Total', kind: 'amount', cell: ({ total }) => money(total) },
    ],
    found,
    'No invoice fits.',
  );
}
