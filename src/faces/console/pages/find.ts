import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, type Html, html } from '../../web/html.ts';
import { table } from '../components.ts';
import { dayOf, money } from '../format.ts';
import { briefInvoice, invoiceBadges, invoiceName } from '../invoice.ts';
import type { OperatorContext, Page, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say } from '../words.ts';
import { chain } from './chain.ts';
import { companies } from './companies.ts';
import { company } from './company.ts';
import { invoice } from './invoice.ts';
import { record } from './record.ts';

/** Resources that are recognised by the prefix of their id, with the parameter of their page. */
const IDS: readonly (readonly [pattern: RegExp, page: Page, parameter: string])[] = [
  [/^inv_\w+$/, invoice, 'id'],
  [/^rec_\w+$/, record, 'id'],
  [/^co_\w+$/, company, 'companyId'],
  [/^chain (\d+)$/i, chain, 'chainId'],
];
const CHAIN: (typeof IDS)[number] = [/^\d+$/, chain, 'chainId'];

/** The number of an invoice, and the NIF of its company for one that many companies have. */
const NUMBER = /^(\S{1,60})(?:\s+([A-Z0-9]{9}))?$/i;

const NUMBERED = stored(`query ConsoleInvoicesNumbered($number: String!, $nif: String) {
  operations { invoicesNumbered(number: $number, nif: $nif) }
}`);

/**
 * What an id from a log or a merchant's letter names, or the invoices of a number; any other text is looked for among the
 * companies.
 */
export async function find(context: OperatorContext): Promise<Outcome<PageContent>> {
  const text = context.query('text').trim();
  if (text === '') return { title: 'Search', body: form(context.root) };
  const named = IDS.find(([pattern]) => pattern.test(text));
  if (named !== undefined) return pageOf(context, named, text);
  const [, number, nif = null] = NUMBER.exec(text) ?? [];
  if (number !== undefined) {
    const found = await NUMBERED(context, { number, nif: nif?.toUpperCase() ?? null });
    if (isRefusal(found)) return found;
    const [first, ...more] = found.operations.invoicesNumbered;
    if (first !== undefined && more.length === 0)
      return invoice({ ...context, param: (name) => (name === 'id' ? first : '') });
    if (first !== undefined) return invoicesOf(context, number, [first, ...more]);
  }
  return CHAIN[0].test(text) ? pageOf(context, CHAIN, text) : companies(context);
}

function pageOf(
  context: OperatorContext,
  [pattern, page, parameter]: (typeof IDS)[number],
  text: string,
): Promise<Outcome<PageContent>> {
  const id = pattern.exec(text)?.[1] ?? text;
  const query = (name: string) => (name === 'text' ? '' : context.query(name));
  return page({ ...context, query, param: (name) => (name === parameter ? id : '') });
}

/** Several companies, or both environments of one, may have used a number. */
async function invoicesOf(
  context: OperatorContext,
  number: string,
  ids: readonly string[],
): Promise<Outcome<PageContent>> {
  const read = await Promise.all(ids.map((id) => briefInvoice(context, id)));
  const rows = read.flatMap((one) => (isRefusal(one) ? [] : [one]));
  const body = html`<h1>${say('Invoices with the number {number}', { number })}</h1>
<p class="lead">${say('The newest 20 at most. A NIF after the number finds those of one company.')}</p>
${table(
  'Invoices',
  [
    {
      head: 'Company',
      cell: ({ companyScope: { legalName, nif } }) =>
        html`${bdi(legalName)} <span class="under">${nif}</span>`,
    },
    {
      head: 'Invoice',
      cell: ({ invoice: one }) =>
        html`<a href="${context.root}/invoices/${one.id}">${bdi(one.number)}</a> <span class="under">${invoiceName(one)}</span>`,
    },
    {
      head: 'Environment',
      cell: ({ invoice: { environment } }) =>
        html`<span class="environment ${environment}">${say(environment)}</span>`,
    },
    { head: 'State', cell: ({ invoice: one }) => invoiceBadges(one) },
    { head: 'Day', kind: 'amount', cell: ({ invoice: { issuedOn } }) => dayOf(issuedOn) },
    { head: 'Total', kind: 'amount', cell: ({ invoice: { total } }) => money(total) },
  ],
  rows,
  'No invoice fits.',
)}`;
  return { title: 'Search', body };
}

function form(root: string): Html {
  return html`<h1>${say('Search')}</h1>
<p class="lead">${say('The number or the id of an invoice, the id of a record or a company, the number of a chain, or a company’s name or NIF. A NIF after an invoice’s number finds that of one company.')}</p>
<form class="find" method="get" action="${root}/find"><label for="text">${say('Invoice number, id, company or NIF')}</label>
<input type="search" id="text" name="text" maxlength="200" autocomplete="off"> <button class="primary">${say('Search')}</button></form>`;
}
