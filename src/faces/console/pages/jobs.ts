import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { type Html, html } from '../../web/html.ts';
import { section, table } from '../components.ts';
import { moment, number, until } from '../format.ts';
import { attemptsOf, JOB_FIELDS, type Job, jobBadge } from '../jobs.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say } from '../words.ts';

/** As many as a person reads one by one, as `lacre doctor` shows them. */
const SINGLY = 2;

type Queue = {
  readonly task: string;
  readonly due: number;
  readonly scheduled: number;
  readonly running: number;
  readonly givenUp: number;
  readonly failing: number;
};

const QUERY = stored(`query ConsoleJobs {
  jobs(first: 100, failing: true) { edges { node { ${JOB_FIELDS} } } }
  operations { queue { task due scheduled running givenUp failing } }
}`);

/** The queue by kinds of jobs, and the jobs that have failed. */
export async function jobs(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await QUERY(context);
  if (isRefusal(found)) return found;
  const body = html`<h1>${say('Jobs')}</h1>
<p class="lead">${say('Background work. A job is only a trigger: the pending work is recorded in the data, so a job that runs twice, or late, is harmless.')}</p>
${section(
  'Jobs with errors',
  failing(
    context.root,
    found.jobs.edges.map(({ node }) => node),
  ),
  'failing',
)}
${section('The queue', queue(found.operations.queue), 'queue')}`;
  return { title: 'Jobs', body };
}

/** Of more than two of a kind with the same error, one stands for all. */
type Failing = { readonly job: Job; readonly count: number };

function failing(root: string, found: readonly Job[]): Html {
  const retry =
    found.length > 0 && html`<p><a href="${root}/jobs/retry-failed">${say('Run all that match…')}</a></p>`;
  const groups = Map.groupBy(found, ({ task, state, lastError }) => `${task} ${state} ${lastError}`).values();
  const rows = [...groups].flatMap((group): Failing[] =>
    group.length <= SINGLY
      ? group.map((job) => ({ job, count: 1 }))
      : [{ job: group[0]!, count: group.length }],
  );
  const listed = table(
    'Jobs with errors',
    [
      {
        head: 'Task',
        cell: ({ job: { task, key }, count }) =>
          html`${task} <span class="under">${count === 1 ? html`<code>${key}</code>` : say('{count} jobs', { count: number(count) })}</span>`,
      },
      { head: 'State', cell: ({ job }) => jobBadge(job) },
      {
        head: 'Attempts',
        kind: 'amount',
        cell: ({ job }) => attemptsOf(job),
      },
      {
        head: 'Runs',
        cell: ({ job: { runAt, state } }) => (state === 'given_up' ? moment(runAt) : until(runAt)),
      },
      {
        head: 'Last error',
        cell: ({ job: { lastError } }) => html`<code>${lastError?.slice(0, 300) ?? '—'}</code>`,
      },
      { head: 'Action', kind: 'acts', cell: (row) => runNow(root, row) },
    ],
    rows,
    'No job has failed.',
  );
  return html`${listed}${retry}`;
}

function runNow(root: string, { job: { id, task, lastError }, count }: Failing): Html {
  if (count === 1) return html`<a href="${root}/jobs/${id}/retry">${say('Run now…')}</a>`;
  const error = encodeURIComponent(lastError?.slice(0, 300) ?? '');
  return html`<a href="${root}/jobs/retry-failed?task=${task}&error=${error}">${say('Run all now…')}</a>`;
}

function queue(rows: readonly Queue[]): Html {
  return table(
    'The queue',
    [
      { head: 'Task', cell: ({ task }) => task },
      { head: 'Due', kind: 'amount', cell: ({ due }) => number(due) },
      { head: 'Scheduled', kind: 'amount', cell: ({ scheduled }) => number(scheduled) },
      { head: 'Running', kind: 'amount', cell: ({ running }) => number(running) },
      { head: 'Retrying', kind: 'amount', cell: (row) => number(row.failing) },
      { head: 'Failed', kind: 'amount', cell: ({ givenUp }) => number(givenUp) },
    ],
    rows,
    'The queue is empty.',
  );
}
