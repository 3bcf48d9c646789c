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

/** How often it is looked whether the time of an environment has come where it is to be. */
const LOOK_MS = 250;

export function testClock(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'test-clock', 'the time of a test environment');
  standaloneCommand(group, runtime, {
    name: 'show',
    description: 'tells what time it is in a test environment',
    details: `Tells what time it is in a test environment. ${LOCAL_OR_REMOTE_MEANING}`,
    parameters: LOCAL_OR_REMOTE,
    examples: [['Of a login', 'test-clock show']],
    run: (standalone, given) =>
      readLocalOrRemote(standalone, given, {
        remote: ({ testClock: clocks }) => clocks.retrieve(),
        local: async ({ db }, environmentId) => findClock(db, await readScope(db.pool, environmentId)),
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'advance',
    description: 'has the time of a test environment go forward',
    details: `Has the time of a test environment go forward, day by day with all that is due on each; never back. The service does it: with --wait the command waits until it is there. ${LOCAL_OR_REMOTE_CHANGE_MEANING}`,
    parameters: {
      to: operand('by how much, such as P1M or PT12H; or to where: 2027-01-31, 2027-01-31T10:00:00Z'),
      wait: flagOption('wait until it is there'),
      ...LOCAL_OR_REMOTE_CHANGE,
    },
    examples: [
      ['By a month', 'test-clock advance P1M --environment $ENVIRONMENT --reason "trying a schedule"'],
      ['Over REST, by an hour', 'test-clock advance PT1H'],
    ],
    run: (standalone, { to, wait, ...given }) =>
      changeLocalOrRemote(standalone, given, `move the time to ${to}`, {
        async remote({ testClock: clocks }) {
          const set = await clocks.advance(requestOf(to));
          return wait ? untilThere(set, () => clocks.retrieve()) : set;
        },
        async local({ db }, environmentId, by) {
          const request = parseRequest(clockRequest, requestOf(to));
          if (isRefusal(request)) return request;
          const scope = await readScope(db.pool, environmentId);
          const set = await advanceClock(db, scope, request, by);
          if (isRefusal(set) || !wait) return set;
          return untilThere<Outcome<TestClock>>(set, () => findClock(db, scope));
        },
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'remove',
    description: 'gives a test environment the real time again',
    details: `Gives a test environment the real time again; what was issued under its own stays as it is. ${LOCAL_OR_REMOTE_CHANGE_MEANING}`,
    parameters: LOCAL_OR_REMOTE_CHANGE,
    examples: [['Of a login', 'test-clock remove']],
    run: (standalone, given) =>
      changeLocalOrRemote(standalone, given, 'put the time back', {
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

async function untilThere<Clock extends Outcome<{ readonly status: string }>>(
  set: Clock,
  look: () => Promise<Clock>,
): Promise<Clock> {
  let now = set;
  while (!isRefusal(now) && now.status === 'advancing') {
    await pause(LOOK_MS);
    now = await look();
  }
  return now;
}
