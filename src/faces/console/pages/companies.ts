import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { badge, pager, table } from '../components.ts';
import { dayOf, number } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { given, say } from '../words.ts';

type Company = {
  readonly id: string;
  readonly nif: string;
  readonly legalName: string;
  readonly mandateApproved: boolean;
  readonly onboardingFinished: boolean;
  readonly account: { readonly subscriptionActive: boolean };
  readonly createdAt: string;
  readonly environments: {
    readonly edges: readonly {
      readonly node: { readonly kind: 'test' | 'live'; readonly records: number };
    }[];
  };
};

const QUERY = stored(`query ConsoleCompanies($after: String, $text: String) {
  companies(first: 50, after: $after, text: $text) {
    edges { node {
      id nif legalName mandateApproved onboardingFinished account { subscriptionActive } createdAt
      environments { edges { node { kind records } } }
    } }
    pageInfo { hasNextPage endCursor }
  }
}`);

/** All companies, found by name or NIF. */
export async function companies(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root, query } = context;
  const text = query('text').trim();
  const after = query('after');
  const found = await QUERY(context, { text: text || null, after: after || null });
  if (isRefusal(found)) return found;
  const { edges, pageInfo } = found.companies;
  const address = (cursor: string | null): string => {
    const parameters = new URLSearchParams(
      Object.entries({ text, after: cursor ?? '' }).filter(([, v]) => v !== ''),
    );
    return parameters.size === 0 ? `${root}/companies` : `${root}/companies?${parameters.toString()}`;
  };
  const body = html`<h1>${say('Companies')}</h1>
<form class="find" method="get" action="${root}/companies" role="search"><label for="text">${say('Name or NIF')}</label>
<input type="search" id="text" name="text" value="${text}" maxlength="200" autocomplete="off"> <button>${say('Search')}</button> <a class="button" href="${root}/companies/new">${say('New company…')}</a></form>
${table(
  'Companies',
  [
    {
      head: 'Company',
      cell: ({ id, legalName, nif }) =>
        html`<a href="${root}/companies/${id}">${bdi(legalName)}</a> <span class="under">${nif}</span>`,
    },
    { head: 'Issues live', cell: (company) => gate(company) },
    { head: 'Live records', kind: 'amount', cell: (company) => number(records(company, 'live')) },
    { head: 'Test records', kind: 'amount', cell: (company) => number(records(company, 'test')) },
    { head: 'Since', kind: 'amount', cell: ({ createdAt }) => dayOf(createdAt) },
  ],
  edges.map(({ node }) => node),
  text === '' ? 'No companies yet.' : 'No company with this name or NIF.',
)}
${pager('Companies', {
  first: after === '' ? null : address(null),
  next: pageInfo.hasNextPage ? address(pageInfo.endCursor) : null,
})}`;
  return { title: 'Companies', body };
}

function records({ environments }: Company, kind: 'test' | 'live'): number {
  return environments.edges.find(({ node }) => node.kind === kind)?.node.records ?? 0;
}

function gate({ mandateApproved, onboardingFinished, account }: Company) {
  const missing = [
    !account.subscriptionActive && ('no subscription' as const),
    !mandateApproved && ('no mandate' as const),
    !onboardingFinished && ('onboarding unfinished' as const),
  ].filter((detail) => detail !== false);
  return missing.length === 0
    ? badge('registered', 'Yes')
    : badge('held', given(missing.map((text) => say(text)).join(', ')));
}
