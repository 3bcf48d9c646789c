import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { selectField, textField, tickField } from '../../web/fields.ts';
import { bdi, type Html, html } from '../../web/html.ts';
import { companyScopeOf, environmentChoices, environmentNamed, todayIn } from '../company.ts';
import { moment, number } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say, sayWith } from '../words.ts';

const FORMS = [
  ['pdf', 'PDF'],
  ['ubl', 'UBL'],
  ['cii', 'CII'],
  ['facturx', 'Factur-X'],
  ['facturae', 'Facturae'],
  ['facturae_signed', 'Facturae, signed'],
  ['ubl_es', 'UBL of the Order (provisional)'],
] as const;

const QUERY =
  stored(`query ConsoleExport($companyId: ID!, $environment: Environment!, $from: Date!, $to: Date!, $formats: [ExportedForm!]) {
  documentExport(companyId: $companyId, environment: $environment, from: $from, to: $to, formats: $formats) {
    invoices downloadUrl expiresAt
  }
}`);

/** The documents of a period: what is wanted of them, and then the link to the file. */
export async function documentExport(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const { query, root } = context;
  const environment = environmentNamed(context);
  const [from, to] = [query('from').trim(), query('to').trim()];
  const isRequested = from !== '' || to !== '';
  const chosen = FORMS.filter(([name]) => query(name) === 'yes').map(([name]) => name);
  const { companyId } = companyScope;
  const today = await todayIn(context, { companyId, environment });
  if (isRefusal(today)) return today;
  const found = isRequested
    ? await QUERY(context, { companyId, environment, from, to, formats: chosen })
    : null;
  const address = `${root}/companies/${companyId}/export`;
  const body = html`<h1>${say('Export a period')}</h1>
<p class="lead">${sayWith('The documents of the invoices that were issued in a period, as one ZIP file. Its {index} states which invoices have no such format, and why.', { index: html`<code>index.csv</code>` })}</p>
${found !== null && (isRefusal(found) ? refused(found.detail) : link(found.documentExport))}
<form class="card filters" method="get" action="${address}">
${textField({ name: 'from', label: say('First day') }, { value: from || `${today.slice(0, 8)}01`, max: 10, type: 'date' })}
${textField({ name: 'to', label: say('Last day') }, { value: to || today, max: 10, type: 'date' })}
${selectField(
  { name: 'environment', label: say('Environment'), settled: true },
  {
    choices: environmentChoices(),
    chosen: environment,
  },
)}
${FORMS.map(([name, label]) => tickField({ name, label: say(label) }, isRequested ? chosen.includes(name) : name === 'pdf'))}
<div class="actions"><button class="primary">${say('Make a link')}</button></div></form>`;
  return { title: 'Export a period', companyScope: { ...companyScope, environment }, body };
}

function refused(detail: string): Html {
  return html`<div class="card trouble" role="alert"><h2>${say('The file cannot be created')}</h2><p>${bdi(detail)}</p></div>`;
}

function link({
  invoices,
  downloadUrl,
  expiresAt,
}: {
  readonly invoices: number;
  readonly downloadUrl: string;
  readonly expiresAt: string;
}): Html {
  return html`<div class="card"><p>${invoices === 1 ? say('1 invoice.') : say('{count} invoices.', { count: number(invoices) })} ${sayWith('Anyone with the link can download the file until {when}, repeatedly if necessary.', { when: moment(expiresAt) })}</p>
<p class="actions"><a class="button primary" href="${downloadUrl}" download>${say('Download the ZIP file')}</a></p></div>`;
}
