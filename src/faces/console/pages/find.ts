import type { Outcome } from '../../../ground/errors/refusal.ts';
import { type Html, html } from '../../web/html.ts';
import type { OperatorContext, Page, PageContent } from '../page.ts';
import { chain } from './chain.ts';
import { companies } from './companies.ts';
import { company } from './company.ts';
import { invoice } from './invoice.ts';
import { record } from './record.ts';

/** Resources that are recognised by the prefix of their id, with the parameter of their page. */
const KINDS: readonly (readonly [pattern: RegExp, page: Page, parameter: string])[] = [
  [/^inv_\w+$/, invoice, 'id'],
  [/^rec_\w+$/, record, 'id'],
  [/^co_\w+$/, company, 'companyId'],
  [/^(?:chain )?(\d+)$/i, chain, 'chainId'],
];

/** What an id from a log or a merchant's letter names; any other text is looked for among the companies. */
export async function find(context: OperatorContext): Promise<Outcome<PageContent>> {
  const text = context.query('text').trim();
  if (text === '') return { title: 'Search', body: form(context.root) };
  for (const [pattern, page, parameter] of KINDS) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const id = found[1] ?? text;
    const query = (name: string) => (name === 'text' ? '' : context.query(name));
    return page({ ...context, query, param: (name) => (name === parameter ? id : '') });
  }
  return companies(context);
}

function form(root: string): Html {
  return html`<h1>Search</h1>
<p class="lead">The id of an invoice, a record or a company, the number of a chain, or a company’s name or NIF.</p>
<form class="find" method="get" action="${root}/find"><label for="text">Id, name or NIF</label>
<input type="search" id="text" name="text" maxlength="200" autocomplete="off"> <button class="primary">Search</button></form>`;
}
