import { RETRIED_AT_ONCE, retryFailedJobs, retryJob } from '../../../subjects/operations/jobs.ts';
import { type Job, type JobFilter, listJobs } from '../../../subjects/operations/store/read-jobs.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import { valueOrThrow } from '../errors.ts';
import { pageCost } from '../paging.ts';
import { BulkChangeType, DRY_RUN } from './many-at-once.ts';
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

/** Which jobs are meant; what is not given excludes none. */
const filterArgs = builder.args((t) => ({
  task: t.string({ description: 'Only jobs of this kind.' }),
  state: t.field({ type: JobStateEnum, description: 'Only jobs in this state.' }),
  error: t.string({ description: 'Only jobs whose last error contains this, in upper or lower case.' }),
  environmentId: t.int({ description: 'Only jobs of this environment.' }),
  companyId: t.id({ description: 'Only jobs of the environments of this company.' }),
}));

type FilterArgs = { readonly [Name in keyof JobFilter]?: JobFilter[Name] | undefined };

const filterOf = ({ task, state, error, environmentId, companyId }: FilterArgs): JobFilter => ({
  ...{ task: task ?? null, state: state ?? null, error: error ?? null },
  ...{ environmentId: environmentId ?? null, companyId: companyId ?? null },
});

builder.queryField('jobs', (t) =>
  t.withAuth({ role: 'viewer' }).connection(
    {
      type: JobType,
      description:
        'Jobs that are waiting, running or have failed, the next to run first. `first` and `last` are 1 to 500, 50 by default.',
      args: { ...filterArgs, failing: t.arg.boolean({ description: 'Only failed jobs.' }) },
      complexity: (args) => pageCost(args, PAGE),
      resolve: (_root, { failing, ...args }, context) => {
        const filter = { ...filterOf(args), failing: failing ?? false };
        const list = listJobs(context.services.db.pool, filter);
        return connectionOf(context, args, list, { idOf: ({ id }) => id, filter, bounds: PAGE });
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

builder.mutationField('retryFailedJobs', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: BulkChangeType,
    description: `Runs all jobs now that have failed and match, with the full number of attempts again: at most ${RETRIED_AT_ONCE}, those that waited longest. The actor, the reason and the number are kept in the audit log.`,
    args: {
      ...filterArgs,
      dryRun: t.arg.boolean({ description: DRY_RUN }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (_root, { reason, dryRun, ...args }, context) => {
      const { keyId: actor } = context.caller;
      const which = { filter: filterOf(args), dryRun: dryRun ?? false };
      return valueOrThrow(await retryFailedJobs(context.services.db, { actor, reason }, which));
    },
  }),
);
