import { setTimeout as pause } from 'node:timers/promises';
import type { TestClockRequest } from '@lacre/client';
import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { isExistingDay, startOfMadridDay } from '../../ground/lib/calendar.ts';
import { readScope } from '../../subjects/accounts/store/read-callers.ts';
import { advanceClock, findClock, removeClock, type TestClock } from '../../subjects/accounts/test-clock.ts';
import { clockRequest } from '../../subjects/accounts/test-clock-request.ts';
import { type CliRuntime, commandGroup, standaloneCommand } from './command.ts';
import {
  changeLocalOrRemote,
  LOCAL_OR_REMOTE,
  LOCAL_OR_REMOTE_CHANGE,
  LOCAL_OR_REMOTE_CHANGE_MEANING,
  LOCAL_OR_REMOTE_MEANING,
  readLocalOrRemote,
} from './local-or-remote.ts';
import { flagOption, operand } from './options.ts';

/** The interval at which the advance of the time is polled. */
const POLL_MS = 250;

export function testClock(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'test-clock', 'the time of a test environment');
  standaloneCommand(group, runtime, {
    name: 'show',
    description: 'shows the time of a test environment',
    details: `Shows the time of a test environment. ${LOCAL_OR_REMOTE_MEANING}`,
    parameters: LOCAL_OR_REMOTE,
    examples: [['Of a login', 'test-clock show']],
    run: (standalone, values) =>
      readLocalOrRemote(standalone, values, {
        remote: ({ testClock: clocks }) => clocks.retrieve(),
        local: async ({ db }, environmentId) => findClock(db, await readScope(db.pool, environmentId)),
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'advance',
    description: 'advances the time of a test environment',
    details: `Advances the time of a test environment, day by day with everything that is due on each day. It never goes back. The service does this in the background; --wait waits until it has finished. ${LOCAL_OR_REMOTE_CHANGE_MEANING}`,
    parameters: {
      to: operand(
        'a duration, such as P1M or PT12H, or a target, such as 2027-01-31 or 2027-01-31T10:00:00Z',
      ),
      wait: flagOption('wait until the time has been advanced'),
      ...LOCAL_OR_REMOTE_CHANGE,
    },
    examples: [
      ['By a month', 'test-clock advance P1M --environment $ENVIRONMENT --reason "trying a schedule"'],
      ['Over REST, by an hour', 'test-clock advance PT1H'],
    ],
    run: (standalone, { to, wait, ...values }) =>
      changeLocalOrRemote(standalone, values, `advance the time to ${to}`, {
        async remote({ testClock: clocks }) {
          const set = await clocks.advance(requestOf(to));
          return wait ? untilAdvanced(set, () => clocks.retrieve()) : set;
        },
        async local({ db }, environmentId, by) {
          const request = parseRequest(clockRequest, requestOf(to));
          if (isRefusal(request)) return request;
          const scope = await readScope(db.pool, environmentId);
          const set = await advanceClock(db, scope, request, by);
          if (isRefusal(set) || !wait) return set;
          return untilAdvanced<Outcome<TestClock>>(set, () => findClock(db, scope));
        },
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'remove',
    description: 'returns a test environment to the real time',
    details: `Returns a test environment to the real time. Issued invoices keep their dates. ${LOCAL_OR_REMOTE_CHANGE_MEANING}`,
    parameters: LOCAL_OR_REMOTE_CHANGE,
    examples: [['Of a login', 'test-clock remove']],
    run: (standalone, values) =>
      changeLocalOrRemote(standalone, values, 'return to the real time', {
        async remote({ testClock: clocks }) {
          await clocks.remove();
          return clocks.retrieve();
        },
        local: async ({ db }, environmentId, by) =>
          removeClock(db, await readScope(db.pool, environmentId), by),
      }),
  });
}

/** A duration, an instant, or the beginning of a day of Madrid's. */
function requestOf(to: string): TestClockRequest {
  if (to.startsWith('P')) return { advance: to };
  return { now: isExistingDay(to) ? startOfMadridDay(to).toISOString() : to };
}

async function untilAdvanced<Clock extends Outcome<{ readonly status: string }>>(
  set: Clock,
  readClock: () => Promise<Clock>,
): Promise<Clock> {
  let now = set;
  while (!isRefusal(now) && now.status === 'advancing') {
    await pause(POLL_MS);
    now = await readClock();
  }
  return now;
}
