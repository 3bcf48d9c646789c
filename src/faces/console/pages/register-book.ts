import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { type Day, isExistingDay } from '../../../ground/lib/calendar.ts';
import { BOOK_LIMITS } from '../../../subjects/register-books/limits.ts';
import { selectField, textField } from '../../web/fields.ts';
import { type Content, type Html, html } from '../../web/html.ts';
import { companyScopeOf, environmentChoices, environmentNamed, todayIn } from '../company.ts';
import { table } from '../components.ts';
import { money } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { issueText } from '../refusals.ts';
import { say } from '../words.ts';

const QUERY = stored(`query ConsoleRegisterBook($companyId: ID!, $environment: Environment!, $from: Date!,
    $to: Date!, $activity: String) {
  csv: registerBook(companyId: $companyId, environment: $environment, from: $from, to: $to,
      format: csv, activity: $activity) { filename downloadUrl }
  xlsx: registerBook(companyId: $companyId, environment: $environment, from: $from, to: $to,
      format: xlsx, activity: $activity) { filename downloadUrl }
  invoiceTotals(companyId: $companyId, environment: $environment,
      filter: { issuedOn: { from: $from, to: $to } }) { count subtotal tax total }
}`);

/** The quarter that was to be declared last: the one before today's. */
function lastQuarter(today: Day): { readonly from: string; readonly to: string } {
  const [year, month] = today.split('-').map(Number) as [number, number];
  const first = new Date(Date.UTC(year, Math.floor((month - 1) / 3) * 3 - 3, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 3, 0));
  return { from: first.toISOString().slice(0, 10), to: last.toISOString().slice(0, 10) };
}

const FIELDS = ['from', 'to', 'activity'] as const;
const LABELS = { from: 'First day', to: 'Last day', activity: 'Activity' } as const;

/** The VAT register of issued invoices of a company's environment, to be downloaded. */
export async function registerBook(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root, query } = context;
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const environment = environmentNamed(context);
  const { companyId } = companyScope;
  const isRequested = query('from') !== '' && query('to') !== '';
  const today = await todayIn(context, { companyId, environment });
  if (isRefusal(today)) return today;
  const { from, to } = isRequested ? { from: query('from'), to: query('to') } : lastQuarter(today);
  const activity = query('activity').trim();
  const variables = { companyId, environment, from, to, activity: activity || null };
  // What is no day at all would be refused as a value of GraphQL, which names no field of ours.
  const wrong = Object.entries({ from, to }).filter(([, day]) => !isExistingDay(day));
  const found = isRequested && wrong.length === 0 ? await QUERY(context, variables) : null;
  const faults: Record<string, Content> = Object.fromEntries(
    wrong.map(([name]) => [name, say('must be a day, such as 2026-01-31')]),
  );
  if (isRefusal(found)) {
    for (const issue of found.errors) {
      // The totals are narrowed by a filter, whose path is another.
      const name = FIELDS.find((own) => issue.field.split('.').includes(own)) ?? 'to';
      faults[name] = issueText(say(LABELS[name]), issue);
    }
  }
  if (isRefusal(found) && Object.keys(faults).length === 0) return found;
  const pageAddress = `${root}/companies/${companyId}/register-book`;
  const field = (name: (typeof FIELDS)[number]) => ({ name, label: say(LABELS[name]), fault: faults[name] });
  const body = html`<h1>${say('Register book')}</h1>
<p>${say('The VAT register of issued invoices, in the columns of the agency’s common layout.')}</p>
<form class="card filters" method="get" action="${pageAddress}" aria-label="${say('Choose a period')}">
${textField(field('from'), { value: from, max: 10, type: 'date' })}
${textField(field('to'), { value: to, max: 10, type: 'date' })}
${textField(
  {
    ...field('activity'),
    optional: say('optional'),
    hint: say('Code, type and IAE group: A036533'),
  },
  { value: activity, max: 7 },
)}
${selectField(
  { name: 'environment', label: say('Environment'), settled: true },
  {
    choices: environmentChoices(),
    chosen: environment,
  },
)}
<div class="actions"><button class="primary">${say('Show')}</button></div></form>
${found !== null && !isRefusal(found) && links(found)}`;
  return { title: 'Register book', companyScope: { ...companyScope, environment }, body };
}

type File = { readonly filename: string; readonly downloadUrl: string };
type Sums = {
  readonly count: number;
  readonly subtotal: number;
  readonly tax: number;
  readonly total: number;
};

function links(found: {
  readonly csv: File | null;
  readonly xlsx: File | null;
  readonly invoiceTotals: readonly Sums[] | null;
}): Html {
  const link = (file: File | null, name: string) =>
    file !== null &&
    html`<a class="button" href="${file.downloadUrl}" download="${file.filename}">${name}</a>`;
  const [{ count } = { count: 0 }] = found.invoiceTotals ?? [];
  return html`${table(
    'Totals',
    [
      { head: 'In force|invoices', cell: ({ count }: Sums) => String(count) },
      { head: 'Net', kind: 'amount', cell: ({ subtotal }) => money(subtotal) },
      { head: 'Tax', kind: 'amount', cell: ({ tax }) => money(tax) },
      { head: 'Total', kind: 'amount', cell: ({ total }) => money(total) },
    ],
    found.invoiceTotals ?? [],
    'There are none.',
  )}
${count > BOOK_LIMITS.bookLong.value && html`<p class="said" role="status">${say('A book of so many invoices may take longer than the {minutes} minutes that a book has, and a download that breaks off is no whole file. Make a book of each quarter or month.', { minutes: BOOK_LIMITS.bookTime.value / 60_000 })}</p>`}
<p class="actions">${link(found.xlsx, say('Download XLSX'))} ${link(found.csv, say('Download CSV'))}</p>
<p class="hint">${say('The links are valid for 15 minutes.')}</p>`;
}
