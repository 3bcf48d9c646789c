import { parseRequest } from '../../../ground/errors/issues.ts';
import {
  advanceClock,
  findClock,
  removeClock,
  type TestClock,
} from '../../../subjects/accounts/test-clock.ts';
import { CLOCK_STATUSES, clockRequest } from '../../../subjects/accounts/test-clock-request.ts';
import { builder } from '../builder.ts';
import { environmentArguments, environmentFromArguments, type OfEnvironment } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { REPORTS_JOB } from '../from-standby.ts';
import { Node } from './node-interface.ts';

const TestClockStatusEnum = builder.enumType('TestClockStatus', {
  description: 'The state of a test environment’s clock.',
  values: CLOCK_STATUSES,
});

export const TestClockType = builder.objectRef<OfEnvironment<TestClock>>('TestClock').implement({
  interfaces: [Node],
  description: 'The time of a test environment.',
  fields: (t) => ({
    id: t.id({
      description: 'The id: `clk_` and the number of the environment.',
      resolve: ({ environmentId }) => `clk_${environmentId}`,
    }),
    now: t.expose('now', { type: 'DateTime', description: 'The current time there.' }),
    status: t.expose('status', {
      type: TestClockStatusEnum,
      description: 'Whether it is the real time, runs ahead of it, or is being advanced.',
    }),
    target: t.expose('target', {
      type: 'DateTime',
      nullable: true,
      description: 'The target of the advance; null if it is not being advanced.',
    }),
  }),
});

builder.queryField('testClock', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: TestClockType,
    description: 'The time of the test environment; `test_clock_not_available` in a live one.',
    args: environmentArguments,
    extensions: REPORTS_JOB,
    resolve: async (_root, args, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const { caller, services } = context;
      // Whoever is no merchant has named one.
      const environment = caller.kind === 'merchant' ? caller.environment : args.environment!;
      const found = valueOrThrow(await findClock(services.db, { environmentId, environment }));
      return { ...found, environmentId };
    },
  }),
);

builder.mutationFields((t) => ({
  advanceTestClock: t.withAuth({ scope: 'manage' }).field({
    type: TestClockType,
    description:
      'Advances the time of the test environment, day by day with everything that is due on each day. It never goes back.',
    args: {
      now: t.arg({ type: 'DateTime', description: 'The instant to advance to. Either this or `advance`.' }),
      advance: t.arg.string({
        description: 'The duration to advance by, ISO 8601, such as `P1M`. Either this or `now`.',
      }),
    },
    resolve: async (_root, { now, advance }, { services, caller }) => {
      const sent = {
        ...(now == null ? {} : { now: now.toISOString() }),
        ...(advance == null ? {} : { advance }),
      };
      const request = valueOrThrow(parseRequest(clockRequest, sent));
      const { environmentId } = caller;
      const by = { actor: caller.keyId, reason: null };
      return { ...valueOrThrow(await advanceClock(services.db, caller, request, by)), environmentId };
    },
  }),
  removeTestClock: t.withAuth({ scope: 'manage' }).field({
    type: TestClockType,
    description: 'Returns the test environment to the real time. Issued invoices keep their dates.',
    resolve: async (_root, _args, { services, caller }) => ({
      ...valueOrThrow(await removeClock(services.db, caller, { actor: caller.keyId, reason: null })),
      environmentId: caller.environmentId,
    }),
  }),
}));
