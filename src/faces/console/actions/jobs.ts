import { isRefusal, Refusal } from '../../../ground/errors/refusal.ts';
import { html } from '../../web/html.ts';
import { facts } from '../components.ts';
import { attemptsOf, JOB_FIELDS, jobBadge } from '../jobs.ts';
import type { Action } from '../page.ts';
import { stored } from '../query.ts';
import { said } from '../words.ts';
import { isDryRun, ONLY_COUNT, outcomeOfMany } from './many-at-once.ts';

const JOB = stored(
  `query ConsoleOneJob($id: ID!) { node(id: $id) { __typename ... on Job { ${JOB_FIELDS} } } }`,
);

const RETRY = stored(
  'mutation ConsoleRetryJob($id: ID!, $reason: String!) { retryJob(id: $id, reason: $reason) { id } }',
);

export const retryJob: Action = {
  async prepare(context) {
    const found = await JOB(context, { id: `job_${context.param('id').replace(/^job_/, '')}` });
    const notFound = new Refusal('not_found', 'There is no job of this id: it may be done.');
    if (isRefusal(found)) return found.code === 'not_found' ? notFound : found;
    const job = found.node;
    if (job.__typename !== 'Job') return notFound;
    return {
      title: said('Run {task} now', { task: job.task }),
      lead: 'It runs as soon as a worker is free, with the full number of attempts again.',
      subject: html`<div class="card">${facts([
        ['About', job.key],
        ['State', jobBadge(job)],
        ['Attempts', attemptsOf(job)],
        ['Last error', job.lastError !== null && html`<code>${job.lastError}</code>`],
      ])}</div>`,
      submit: 'Run it now',
      back: '/jobs',
    };
  },
  async perform(context, entries) {
    const done = await RETRY(context, { id: context.param('id'), reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'The job runs as soon as a worker is free.' };
  },
};

const RETRY_FAILED =
  stored(`mutation ConsoleRetryFailedJobs($task: String, $state: JobState, $error: String, $companyId: ID,
  $dryRun: Boolean!, $reason: String!) {
  retryFailedJobs(task: $task, state: $state, error: $error, companyId: $companyId, dryRun: $dryRun, reason: $reason) {
    matching changed again
  }
}`);

export const retryFailedJobs: Action = {
  async prepare({ query }) {
    return {
      title: 'Run all failed jobs now that match',
      lead: 'All jobs that have failed and match what is filled in here run as soon as a worker is free, with the full number of attempts again. What is left empty excludes none.',
      fields: [
        { name: 'task', label: 'Task', value: query('task'), max: 100, optional: true },
        {
          ...({ name: 'state', label: 'State', optional: true } as const),
          choices: [
            ['', 'Any'],
            ['given_up', 'Failed: without further attempts'],
          ],
        },
        { name: 'error', label: 'Last error contains', value: query('error'), max: 500, optional: true },
        { name: 'companyId', label: 'Company', hint: 'Its id, co_…', max: 100, optional: true },
        ONLY_COUNT,
      ],
      submit: 'Run them now',
      back: '/jobs',
    };
  },
  async perform(context, entries) {
    const dryRun = isDryRun(entries);
    const done = await RETRY_FAILED(context, {
      ...{ task: entries('task') || null, error: entries('error') || null },
      ...{ companyId: entries('companyId') || null, dryRun, reason: entries('reason') },
      state: entries('state') === 'given_up' ? 'given_up' : null,
    });
    if (isRefusal(done)) return done;
    return {
      flash: outcomeOfMany(done.retryFailedJobs, dryRun, '{count} jobs run as soon as a worker is free.'),
    };
  },
};
