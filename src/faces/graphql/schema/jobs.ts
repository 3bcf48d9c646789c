import { retryJob } from '../../../subjects/operations/jobs.ts';
import { type Job, listJobs } from '../../../subjects/operations/store/read-jobs.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import { valueOrThrow } from '../errors.ts';
import { pageCost } from '../paging.ts';
import { Node } from './node-interface.ts';

/** The queue’s own number of a job, by that or by its id. */
export function jobNumber(id: string): string {
  return id.replace(/^job_/, '');
}

const PAGE = { default: 50, max: 500 };

const JobStateEnum = builder.enumType('JobState', {
  values: ['due', 'scheduled', 'running', 'given_up'] as const,
});

export const JobType = builder.objectRef<Job>('Job').implement({
  interfaces: [Node],
  description: 'A job of the queue. Finished jobs are deleted.',
  fields: (t) => ({
    id: t.id({ description: 'The id: `job_` and the number of the job.', resolve: ({ id }) => `job_${id}` }),
    task: t.exposeString('task'),
    key: t.exposeString('key', {
      nullable: true,
      description: 'The subject, of which at most one job waits; null if any number may wait.',
    }),
    environmentId: t.exposeInt('environmentId', { nullable: true }),
    state: t.expose('state', { type: JobStateEnum }),
    attempts: t.exposeInt('attempts'),
    maxAttempts: t.exposeInt('maxAttempts'),
    runAt: t.expose('runAt', { type: 'DateTime' }),
    lockedAt: t.expose('lockedAt', { type: 'DateTime', nullable: true }),
    lastError: t.exposeString('lastError', { nullable: true }),
  }),
});

builder.queryField('jobs', (t) =>
  t.withAuth({ role: 'viewer' }).connection(
    {
      type: JobType,
      description:
        'Jobs that are waiting, running or have failed, the next to run first. `first` and `last` are 1 to 500, 50 by default.',
      args: {
        task: t.arg.string({ description: 'Only jobs of this kind.' }),
        failing: t.arg.boolean({ description: 'Only failed jobs.' }),
      },
      complexity: (args) => pageCost(args, PAGE),
      resolve: (_root, { task, failing, ...paging }, context) => {
        const list = listJobs(context.services.db.pool, { task: task ?? null, failing: failing ?? false });
        return connectionOf(context, paging, list, {
          ...{ idOf: ({ id }) => id, filter: { task, failing }, bounds: PAGE },
        });
      },
    },
    ...namesOf('Job'),
  ),
);

builder.mutationField('retryJob', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: JobType,
    description:
      'Runs a job now, with the full number of attempts again. The actor and the reason are kept in the audit log.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, { id, reason }, context) => {
      const { keyId: actor } = context.caller;
      return valueOrThrow<Job>(await retryJob(context.services.db, { actor, reason }, jobNumber(id)));
    },
  }),
);
