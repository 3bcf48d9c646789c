import { isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { html } from '../../web/html.ts';
import { companyScopeOf, environmentNamed, environmentSwitch } from '../company.ts';
import { facts, pager, section, shortId, table } from '../components.ts';
import {
  addressOf,
  contentOf,
  draftState,
  type EnvironmentScope,
  recipientOf,
  scheduleState,
} from '../drafts.ts';
import { moment, number } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say, type Text } from '../words.ts';

const SCHEDULES =
  stored(`query ConsoleInvoiceSchedules($companyId: ID!, $environment: Environment!, $after: String) {
  invoiceSchedules(first: 25, companyId: $companyId, environment: $environment, after: $after) {
    edges { node { id status invoice frequency made count nextDates } }
    pageInfo { hasNextPage endCursor }
  }
}`);

const FREQUENCIES = { monthly: 'Every month', quarterly: 'Every quarter', yearly: 'Every year' } as const;

const createdOf = (made: number, count: number | null): string =>
  count === null ? number(made) : say('{made} of {count}', { made: number(made), count: number(count) });

/** The schedules of an environment of a company. */
export async function schedules(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await companyScopeOf(context);
  if (isRefusal(found)) return found;
  const scope = { ...found, environment: environmentNamed(context) };
  const { companyId, environment } = scope;
  const after = context.query('after') || null;
  const page = await SCHEDULES(context, { companyId, environment, after });
  if (isRefusal(page)) return page;
  const { edges, pageInfo } = page.invoiceSchedules;
  const pageAddress = context.root + addressOf(scope, 'schedules');
  const body = html`<h1>${say('Schedules')}</h1>
${environmentSwitch(`${context.root}/companies/${companyId}/schedules`, environment)}
<p class="lead">${say('Repeating invoices: on each scheduled day a draft is created and issued. Merchants create schedules; here they can be paused, resumed and ended.')}</p>
${table(
  'Schedules',
  [
    {
      head: 'Schedule',
      cell: ({ id, frequency }) =>
        html`<a href="${context.root}${addressOf(scope, 'schedules', `/${id}`)}">${shortId(id)}</a> <span class="under">${say(FREQUENCIES[frequency])}</span>`,
    },
    { head: 'Recipient', cell: ({ invoice }) => recipientOf(invoice) },
    { head: 'State', cell: ({ status }) => scheduleState(status) },
    { head: 'Next', cell: ({ nextDates }) => nextDates[0] ?? '—' },
    { head: 'Created|drafts', kind: 'amount', cell: ({ made, count }) => createdOf(made, count) },
  ],
  edges.map(({ node }) => node),
  'There is none.',
)}
${pager('Schedules', {
  first: after === null ? null : pageAddress,
  next: pageInfo.hasNextPage ? `${pageAddress}&after=${pageInfo.endCursor}` : null,
})}`;
  return { title: 'Schedules', companyScope: scope, body, live: true };
}

const SCHEDULE = stored(`query ConsoleInvoiceSchedule($companyId: ID!, $environment: Environment!, $id: ID!) {
  invoiceSchedule(companyId: $companyId, environment: $environment, id: $id) {
    id status invoice frequency startsOn endsOn count dueInDays made nextDates createdAt updatedAt
  }
  invoiceDrafts(first: 25, companyId: $companyId, environment: $environment, scheduleId: $id) {
    edges { node { id status errors { field code message } failureCode period invoiceId } }
  }
}`);

/** The schedule that the address names as `:id`, with the drafts that it made last. */
export async function scheduleOf(context: OperatorContext, { companyId, environment }: EnvironmentScope) {
  const found = await SCHEDULE(context, { companyId, environment, id: context.param('id') });
  if (isRefusal(found)) return found;
  const { invoiceSchedule: schedule, invoiceDrafts } = found;
  if (schedule === null) return new Refusal('not_found', 'There is no schedule with this id.');
  return { ...schedule, drafts: invoiceDrafts.edges.map(({ node }) => node) };
}

/** One schedule: what it repeats, what it has made, and what comes next. */
export async function schedule(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await companyScopeOf(context);
  if (isRefusal(found)) return found;
  const scope = { ...found, environment: environmentNamed(context) };
  const shown = await scheduleOf(context, scope);
  if (isRefusal(shown)) return shown;
  const { id, status, made, count, dueInDays, nextDates } = shown;
  const action = (name: string, label: Text) =>
    html`<a class="button small" href="${context.root}${addressOf(scope, 'schedules', `/${id}/${name}`)}">${say(label)}</a> `;
  const body = html`<h1>${say('Schedule')}</h1>
<div class="card">${facts([
    ['Id', html`<code>${id}</code>`],
    ['State', scheduleState(status)],
    ['How often', say(FREQUENCIES[shown.frequency])],
    ['From', shown.startsOn],
    ['Until', shown.endsOn],
    ['Created|drafts', createdOf(made, count)],
    ['Next', nextDates.length > 0 && nextDates.join(', ')],
    ['Due|invoice', dueInDays !== null && say('{count} days after the issue of each', { count: dueInDays })],
    ['Written', moment(shown.createdAt)],
  ])}${
    status !== 'ended' &&
    html`<p class="ways">${status === 'active' ? action('pause', 'Pause…') : action('resume', 'Resume…')}${action('end', 'End…')}</p>`
  }</div>
${section(
  'Drafts of the schedule',
  table(
    'Drafts',
    [
      {
        head: 'Period',
        cell: ({ id: draftId, period }) =>
          html`<a href="${context.root}${addressOf(scope, 'drafts', `/${draftId}`)}">${period}</a>`,
      },
      { head: 'State', cell: draftState },
      {
        head: 'Invoice',
        cell: ({ invoiceId }) =>
          invoiceId === null
            ? '—'
            : html`<a href="${context.root}/invoices/${invoiceId}">${shortId(invoiceId)}</a>`,
      },
    ],
    shown.drafts,
    'Nothing yet.',
  ),
  'made',
)}
${section('Invoice to be repeated', contentOf(shown.invoice), 'says')}`;
  return { title: 'Schedule', companyScope: scope, body, live: true };
}
