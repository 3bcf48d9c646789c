import { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { retryJob } from '../../../subjects/operations/jobs.ts';
import { type Job, listJobs } from '../../../subjects/operations/store/read-jobs.ts';
import { builder } from '../builder.ts';
import { orRefuse } from '../errors.ts';

const PAGE = { default: 50, max: 500 };

const JobStateEnum = builder.enumType('JobState', {
  values: ['due', 'scheduled', 'running', 'given_up'] as const,
});

const JobType = builder.objectRef<Job>('Job').implement({
  description: 'One job of the queue. Jobs that are done are gone.',
  fields: (t) => ({
    id: t.exposeID('id'),
    task: t.exposeString('task'),
    key: t.exposeString('key', { nullable: true, description: 'What it is about.' }),
    environmentId: t.exposeInt('environmentId', { nullable: true }),
    state: t.expose('state', { type: JobStateEnum }),
    attempts: t.exposeInt('attempts'),
    maxAttempts: t.exposeInt('maxAttempts'),
    runAt: t.expose('runAt', { type: 'DateTime' }),
    lockedAt: t.expose('lockedAt', { type: 'DateTime', nullable: true }),
    lastError: t.exposeString('lastError', { nullable: true }),
  }),
});

const jobListRequest = z.strictObject({ first: z.int().min(1).max(PAGE.max).nullish() });

builder.queryField('jobs', (t) =>
  t.withAuth({ role: 'viewer' }).field({
    type: [JobType],
    description: `The jobs that wait, run or were given up, the next to run first.`,
    args: {
      first: t.arg.int({ description: `1 to ${PAGE.max}, ${PAGE.default} by default.` }),
      task: t.arg.string(),
      failing: t.arg.boolean({ description: 'Only those that have failed.' }),
    },
    complexity: (args) => ({ field: 1, multiplier: args.first ?? PAGE.default }),
    resolve: (_root, { first, task, failing }, context) => {
      const limit = orRefuse(parseRequest(jobListRequest, { first })).first ?? PAGE.default;
      const filter = { task: task ?? null, failing: failing ?? false, limit };
      return listJobs(context.services.db.pool, filter);
    },
  }),
);

builder.mutationField('retryJob', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: JobType,
    description:
      'Lets a job run now, with all of its attempts before it again. Kept with who did it and why.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, { id, reason }, context) => {
      const { keyId: actor } = context.caller;
      return orRefuse<Job>(await retryJob(context.services.db, { actor, reason }, id));
    },
  }),
);
