import { isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { bdi, type Html, html } from '../../web/html.ts';
import { companyScopeOf, environmentNamed, environmentSwitch } from '../company.ts';
import { badge, facts, pager, section, shortId, table } from '../components.ts';
import { moment, number } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say } from '../words.ts';

type Batch = {
  readonly id: string;
  readonly status: 'pending' | 'running' | 'completed';
  readonly size: number;
  readonly pending: number;
  readonly issued: number;
  readonly failed: number;
  readonly createdAt: string;
  readonly completedAt: string | null;
};

const BATCHES =
  stored(`query ConsoleInvoiceBatches($companyId: ID!, $environment: Environment!, $after: String) {
  invoiceBatches(first: 25, companyId: $companyId, environment: $environment, after: $after) {
    edges { node { id status size pending issued failed createdAt completedAt } }
    pageInfo { hasNextPage endCursor }
  }
}`);

const STATES = { pending: 'Waiting', running: 'In progress', completed: 'Completed' } as const;

function state({ status, failed }: Batch): Html {
  if (status !== 'completed') return badge('pending', STATES[status]);
  return failed === 0
    ? badge('registered', STATES.completed)
    : badge('registered_with_errors', STATES.completed);
}

/** How far it is, in a bar and in figures; a page that shows one that is not completed requests itself again. */
function progressOf({ size, pending, issued, failed }: Batch): Html {
  const done = size - pending;
  const summary = say('{done} of {size}: {issued} issued, {failed} failed', {
    ...{ done: number(done), size: number(size), issued: number(issued), failed: number(failed) },
  });
  return html`<progress max="${size}" value="${done}"${pending > 0 && html` data-unfinished`}>${summary}</progress> <span class="under">${summary}</span>`;
}

/** The batches of an environment of a company. */
export async function batches(context: OperatorContext): Promise<Outcome<PageContent>> {
  const scope = await companyScopeOf(context);
  if (isRefusal(scope)) return scope;
  const environment = environmentNamed(context);
  const after = context.query('after') || null;
  const found = await BATCHES(context, { companyId: scope.companyId, environment, after });
  if (isRefusal(found)) return found;
  const { edges, pageInfo } = found.invoiceBatches;
  const pageAddress = `${context.root}/companies/${scope.companyId}/batches`;
  const body = html`<h1>${say('Batches')}</h1>
${environmentSwitch(pageAddress, environment)}
<p class="lead">${say('Invoices that were sent together and are issued in their order. Batches are kept for 30 days.')}</p>
${table(
  'Batches',
  [
    {
      head: 'Batch',
      cell: ({ id }) => html`<a href="${pageAddress}/${id}?environment=${environment}">${shortId(id)}</a>`,
    },
    { head: 'State', cell: state },
    { head: 'Progress', cell: progressOf },
    { head: 'Sent', cell: ({ createdAt }) => moment(createdAt) },
  ],
  edges.map(({ node }) => node),
  'No batches in the last 30 days.',
)}
${pager('Batches', {
  first: after === null ? null : `${pageAddress}?environment=${environment}`,
  next: pageInfo.hasNextPage ? `${pageAddress}?environment=${environment}&after=${pageInfo.endCursor}` : null,
})}`;
  return { title: 'Batches', companyScope: { ...scope, environment }, body, live: true };
}

const ONE = stored(`query ConsoleInvoiceBatch($companyId: ID!, $environment: Environment!, $id: ID!,
    $status: InvoiceBatchResultStatus, $after: String) {
  invoiceBatch(companyId: $companyId, environment: $environment, id: $id) {
    id status size pending issued failed createdAt completedAt
  }
  invoiceBatchResults(first: 50, companyId: $companyId, environment: $environment, batchId: $id, status: $status,
      after: $after) {
    edges { node { position externalId status number invoice { id } error { code detail errors { field message } } } }
    pageInfo { hasNextPage endCursor }
  }
}`);

type Result = {
  readonly position: number;
  readonly externalId: string;
  readonly status: 'pending' | 'issued' | 'failed';
  readonly number: string | null;
  readonly invoice: { readonly id: string } | null;
  readonly error: {
    readonly code: string;
    readonly detail: string;
    readonly errors: readonly { readonly field: string; readonly message: string }[];
  } | null;
};

const RESULTS = { pending: 'Waiting', issued: 'Issued', failed: 'Failed' } as const;
const BADGES = { pending: 'pending', issued: 'registered', failed: 'rejected' } as const;
const FILTERS = [
  ['', 'All'],
  ['failed', RESULTS.failed],
  ['pending', RESULTS.pending],
  ['issued', RESULTS.issued],
] as const;

/** One batch, and what became of its invoices. */
export async function batch(context: OperatorContext): Promise<Outcome<PageContent>> {
  const scope = await companyScopeOf(context);
  if (isRefusal(scope)) return scope;
  const environment = environmentNamed(context);
  const filter = FILTERS.find(([value]) => value === context.query('state'))?.[0] ?? '';
  const after = context.query('after') || null;
  const found = await ONE(context, {
    ...{ companyId: scope.companyId, environment, id: context.param('id') },
    ...{ status: filter === '' ? null : filter, after },
  });
  if (isRefusal(found)) return found;
  if (found.invoiceBatch === null) return new Refusal('not_found', 'There is no batch with this id.');
  const shown = found.invoiceBatch;
  const { edges, pageInfo } = found.invoiceBatchResults;
  const pageAddress = `${context.root}/companies/${scope.companyId}/batches/${shown.id}?environment=${environment}`;
  const filtered = filter === '' ? pageAddress : `${pageAddress}&state=${filter}`;
  const filters = FILTERS.map(
    ([value, name]) =>
      html`<a href="${value === '' ? pageAddress : `${pageAddress}&state=${value}`}"${value === filter && html` aria-current="page"`}>${say(name)}</a>`,
  );
  const body = html`<h1>${say('Batch')}</h1>
<div class="card">${facts([
    ['Id', html`<code>${shown.id}</code>`],
    ['State', state(shown)],
    ['Progress', progressOf(shown)],
    ['Sent', moment(shown.createdAt)],
    ['Completed', shown.completedAt !== null && moment(shown.completedAt)],
  ])}</div>
${section(
  'Invoices',
  html`<nav class="switch" aria-label="${say('State')}">${filters}</nav>
${results(
  context.root,
  edges.map(({ node }) => node),
)}
${pager('Invoices', {
  first: after === null ? null : filtered,
  next: pageInfo.hasNextPage ? `${filtered}&after=${pageInfo.endCursor}` : null,
})}`,
  'results',
)}`;
  return { title: 'Batch', companyScope: { ...scope, environment }, body, live: true };
}

function results(root: string, rows: readonly Result[]): Html {
  return table(
    'Invoices of the batch',
    [
      {
        head: 'Position',
        cell: ({ position, externalId }) =>
          html`${number(position)} <span class="under">${bdi(externalId)}</span>`,
      },
      { head: 'State', cell: ({ status }) => badge(BADGES[status], RESULTS[status]) },
      {
        head: 'Invoice',
        cell: ({ invoice, number: invoiceNumber, error }) => {
          if (invoice !== null)
            return html`<a href="${root}/invoices/${invoice.id}">${bdi(invoiceNumber ?? invoice.id)}</a>`;
          return error === null ? '—' : errorCell(error);
        },
      },
    ],
    rows,
    'There is none.',
  );
}

function errorCell({ code, detail, errors }: NonNullable<Result['error']>): Html {
  const fields = errors.map(({ field, message }) => html`<br><code>${field}</code> ${bdi(message)}`);
  return html`<code>${code}</code> ${fields.length > 0 ? fields : bdi(detail)}`;
}
