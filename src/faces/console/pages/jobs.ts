import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { type Html, html } from '../../web/html.ts';
import { section, table } from '../components.ts';
import { moment, number, until } from '../format.ts';
import { JOB_FIELDS, type Job, jobBadge } from '../jobs.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';

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
  const body = html`<h1>Jobs</h1>
<p class="lead">Background work. A job is only a trigger: the pending work is recorded in the data, so a job that runs twice, or late, is harmless.</p>
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

function failing(root: string, found: readonly Job[]): Html {
  const retry = found.length > 0 && html`<p><a href="${root}/jobs/retry-failed">Run all that match…</a></p>`;
  const listed = table(
    'Jobs with errors',
    [
      { head: 'Task', cell: ({ task, key }) => html`${task} <span class="under"><code>${key}</code></span>` },
      { head: 'State', cell: jobBadge },
      {
        head: 'Attempts',
        kind: 'amount',
        cell: ({ attempts, maxAttempts }) => `${number(attempts)} of ${number(maxAttempts)}`,
      },
      { head: 'Runs', cell: ({ runAt, state }) => (state === 'given_up' ? moment(runAt) : until(runAt)) },
      { head: 'Last error', cell: ({ lastError }) => html`<code>${lastError?.slice(0, 300) ?? '—'}</code>` },
      {
        head: 'Action',
        kind: 'acts',
        cell: ({ id }) => html`<a href="${root}/jobs/${id}/retry">Run now…</a>`,
      },
    ],
    found,
    'No job has failed.',
  );
  return html`${listed}${retry}`;
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
