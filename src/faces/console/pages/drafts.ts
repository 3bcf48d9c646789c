import { isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { bdi, type Html, html } from '../../web/html.ts';
import { companyScopeOf, environmentNamed, environmentSwitch } from '../company.ts';
import { facts, pager, section, shortId, table } from '../components.ts';
import {
  addressOf,
  contentOf,
  draftState,
  type EnvironmentScope,
  type Fault,
  recipientOf,
} from '../drafts.ts';
import { dayOf, moment, money } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say, type Text } from '../words.ts';

const DRAFTS = stored(`query ConsoleInvoiceDrafts($companyId: ID!, $environment: Environment!, $after: String,
    $status: InvoiceDraftStatus) {
  invoiceDrafts(first: 25, companyId: $companyId, environment: $environment, after: $after, status: $status) {
    edges { node { id status invoice errors { field code message } total scheduleId period failureCode updatedAt } }
    pageInfo { hasNextPage endCursor }
  }
}`);

const FILTERS = [
  ['', 'Open|drafts'],
  ['issued', 'Issued|drafts'],
] as const;

/** The drafts of an environment of a company. */
export async function drafts(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await companyScopeOf(context);
  if (isRefusal(found)) return found;
  const scope = { ...found, environment: environmentNamed(context) };
  const { companyId, environment } = scope;
  const issued = context.query('status') === 'issued';
  const after = context.query('after') || null;
  const status = issued ? 'issued' : 'open';
  const page = await DRAFTS(context, { companyId, environment, after, status });
  if (isRefusal(page)) return page;
  const { edges, pageInfo } = page.invoiceDrafts;
  const pageAddress = context.root + addressOf(scope, 'drafts');
  const filtered = issued ? `${pageAddress}&status=issued` : pageAddress;
  const filters = FILTERS.map(
    ([value, name]) =>
      html`<a href="${value === '' ? pageAddress : `${pageAddress}&status=${value}`}"${(value === 'issued') === issued && html` aria-current="page"`}>${say(name)}</a>`,
  );
  const body = html`<h1>${say('Drafts')}</h1>
${environmentSwitch(`${context.root}/companies/${companyId}/drafts`, environment)}
<p class="lead">${say('Invoices that have not been issued: they have no number. Merchants create them; here they can be viewed, issued and deleted.')}</p>
<nav class="switch" aria-label="${say('State')}">${filters}</nav>
${table(
  'Drafts',
  [
    {
      head: 'Draft',
      cell: ({ id }) =>
        html`<a href="${context.root}${addressOf(scope, 'drafts', `/${id}`)}">${shortId(id)}</a>`,
    },
    { head: 'Recipient', cell: ({ invoice }) => recipientOf(invoice) },
    { head: 'State', cell: draftState },
    {
      head: 'Schedule',
      cell: ({ scheduleId, period }) => ofSchedule(context.root, scope, scheduleId, period),
    },
    { head: 'Changed', cell: ({ updatedAt }) => dayOf(updatedAt) },
    { head: 'Total', kind: 'amount', cell: ({ total }) => (total === null ? '—' : money(total)) },
  ],
  edges.map(({ node }) => node),
  'There is none.',
)}
${pager('Drafts', {
  first: after === null ? null : filtered,
  next: pageInfo.hasNextPage ? `${filtered}&after=${pageInfo.endCursor}` : null,
})}`;
  return { title: 'Drafts', companyScope: scope, body, live: true };
}

function ofSchedule(
  root: string,
  scope: EnvironmentScope,
  scheduleId: string | null,
  period: string | null,
): Html | string {
  if (scheduleId === null) return '—';
  const address = root + addressOf(scope, 'schedules', `/${scheduleId}`);
  return html`<a href="${address}">${shortId(scheduleId)}</a> <span class="under">${period}</span>`;
}

const DRAFT = stored(`query ConsoleInvoiceDraft($companyId: ID!, $environment: Environment!, $id: ID!) {
  invoiceDraft(companyId: $companyId, environment: $environment, id: $id) {
    id status invoice dueInDays errors { field code message } subtotal tax total scheduleId period failureCode failureDetail
    invoiceId createdAt updatedAt
  }
}`);

/** The draft that the address names as `:id`. */
export async function draftOf(context: OperatorContext, { companyId, environment }: EnvironmentScope) {
  const found = await DRAFT(context, { companyId, environment, id: context.param('id') });
  if (isRefusal(found)) return found;
  return found.invoiceDraft ?? new Refusal('not_found', 'There is no draft with this id.');
}

/** One draft: its content, what it lacks, and what can be done with it. */
export async function draft(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await companyScopeOf(context);
  if (isRefusal(found)) return found;
  const scope = { ...found, environment: environmentNamed(context) };
  const shown = await draftOf(context, scope);
  if (isRefusal(shown)) return shown;
  const { id, status, invoiceId, failureCode, failureDetail, total, dueInDays } = shown;
  const action = (name: string, label: Text) =>
    html`<a class="button small" href="${context.root}${addressOf(scope, 'drafts', `/${id}/${name}`)}">${say(label)}</a> `;
  const body = html`<h1>${say('Draft')}</h1>
<div class="card">${facts([
    ['Id', html`<code>${id}</code>`],
    ['State', draftState(shown)],
    [
      'Invoice',
      invoiceId !== null && html`<a href="${context.root}/invoices/${invoiceId}">${shortId(invoiceId)}</a>`,
    ],
    ['Total', total !== null && money(total)],
    ['Due|invoice', dueInDays !== null && say('{count} days after issue', { count: dueInDays })],
    [
      'Schedule',
      shown.scheduleId !== null && ofSchedule(context.root, scope, shown.scheduleId, shown.period),
    ],
    [
      'Refused by its schedule',
      failureCode !== null && html`<code>${failureCode}</code> ${bdi(failureDetail ?? '')}`,
    ],
    ['Written', moment(shown.createdAt)],
    ['Changed', moment(shown.updatedAt)],
  ])}${status === 'open' && html`<p class="ways">${action('issue', 'Issue…')}${action('delete', 'Delete…')}</p>`}</div>
${shown.errors.length > 0 && section('Missing or invalid', faultList(shown.errors), 'faults')}
${section('Content', contentOf(shown.invoice), 'says')}`;
  return { title: 'Draft', companyScope: scope, body };
}

function faultList(faults: readonly Fault[]): Html {
  return table(
    'Missing or invalid',
    [
      { head: 'Field', cell: ({ field, code }) => html`<code>${field ?? code}</code>` },
      { head: 'Reason', cell: ({ message }) => bdi(message) },
    ],
    faults,
    'None.',
  );
}
