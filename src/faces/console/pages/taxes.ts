import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { companyScopeOf } from '../company.ts';
import { section, table } from '../components.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { agencyTaxName, TAX_CATALOG, TAX_TYPES } from '../taxes.ts';
import { say, sayWith } from '../words.ts';

/** How the taxes of a company are declared to the agency and printed. */
export async function taxCatalog(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const found = await TAX_CATALOG(context, { companyId: companyScope.companyId });
  if (isRefusal(found)) return found;
  const rows = found.taxCatalog;
  const pageAddress = `${context.root}/companies/${companyScope.companyId}/taxes`;
  const absent = TAX_TYPES.filter((type) => !rows.some(({ taxType }) => taxType === type));
  const body = html`<h1>${say('Tax catalog')}</h1>
<p class="lead">${sayWith('How each tax of the company is declared to the agency and printed. Changes apply to future invoices; a type that is not listed is refused with {code}.', { code: html`<code>invalid_tax_data</code>` })}</p>
${table(
  'Tax catalog',
  [
    {
      head: 'Type',
      cell: ({ taxType, label }) => html`${bdi(label)} <span class="under"><code>${taxType}</code></span>`,
    },
    {
      head: 'Tax',
      cell: ({ agencyTax }) => agencyTaxName(agencyTax),
    },
    { head: 'Regime', cell: ({ regimeKey }) => regimeKey ?? '—' },
    { head: 'Class', cell: ({ operationClass, exemption }) => operationClass ?? exemption ?? '—' },
    { head: 'Mention', cell: ({ legalMention }) => (legalMention === null ? '—' : bdi(legalMention)) },
    {
      head: 'Action',
      kind: 'acts',
      cell: ({ taxType }) =>
        html`<a href="${pageAddress}/${taxType}">${say('Change…')}</a> <a href="${pageAddress}/${taxType}/remove">${say('Take out…')}</a>`,
    },
  ],
  rows,
  'The catalog is empty: no invoices can be issued.',
)}
${
  absent.length > 0 &&
  section(
    'Not in the catalog',
    html`<p class="ways">${absent.map((type) => html`<a class="button small" href="${pageAddress}/${type}">${say('Add {type}…', { type })}</a> `)}</p>`,
    'absent',
  )
}`;
  return { title: 'Tax catalog', companyScope: companyScope, body };
}
