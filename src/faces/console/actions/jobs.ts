import { isRefusal, Refusal } from '../../../ground/errors/refusal.ts';
import { html } from '../../web/html.ts';
import { stored } from '../ask.ts';
import { JOB_FIELDS, jobBadge } from '../jobs.ts';
import type { Action } from '../page.ts';
import { facts } from '../parts.ts';

const JOBS = stored(`query ConsoleOneJob { jobs(first: 500, failing: true) { ${JOB_FIELDS} } }`);

const RETRY = stored(
  'mutation ConsoleRetryJob($id: ID!, $reason: String!) { retryJob(id: $id, reason: $reason) { id } }',
);

export const retryJob: Action = {
  async prepare(visit) {
    const found = await JOBS(visit);
    if (isRefusal(found)) return found;
    const job = found.jobs.find(({ id }) => id === visit.param('id'));
    if (job === undefined)
      return new Refusal('not_found', 'There is no failing job of this id: it may be done.');
    return {
      title: `Run ${job.task} now`,
      lead: 'It runs as soon as a worker is free, with all of its attempts before it again.',
      subject: html`<div class="card">${facts([
        ['About', job.key],
        ['State', jobBadge(job)],
        ['Tries', `${job.attempts} of ${job.maxAttempts}`],
        ['Last error', job.lastError !== null && html`<code>${job.lastError}</code>`],
      ])}</div>`,
      submit: 'Run it now',
      back: '/jobs',
    };
  },
  async perform(visit, entries) {
    const done = await RETRY(visit, { id: visit.param('id'), reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'The job runs as soon as a worker is free.' };
  },
};
