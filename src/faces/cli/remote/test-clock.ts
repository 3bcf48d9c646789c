import { setTimeout as pause } from 'node:timers/promises';
import type { TestClockRequest } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../../ground/journal/audit-log.ts';
import { isExistingDay, startOfMadridDay } from '../../../ground/lib/calendar.ts';
import { type CliRuntime, type CommandContext, commandGroup, standaloneCommand } from '../command.ts';
import { flagOption, operand } from '../options.ts';
import type { Place } from './place.ts';

type Clock = Outcome<{ readonly status: string }>;

/** The same on the database. */
export type LocalClocks = {
  show(context: CommandContext, environmentId: number): Promise<Clock>;
  advance(
    context: CommandContext,
    environmentId: number,
    request: TestClockRequest,
    by: ActorAndReason,
  ): Promise<Clock>;
  remove(context: CommandContext, environmentId: number, by: ActorAndReason): Promise<Clock>;
};

/** The interval at which the advance of the time is polled. */
const POLL_MS = 250;

export function testClockCommands(program: Command, runtime: CliRuntime, place: Place<LocalClocks>): void {
  const group = commandGroup(program, 'test-clock', 'the time of a test environment');
  standaloneCommand(group, runtime, {
    name: 'show',
    description: 'shows the time of a test environment',
    details: `Shows the time of a test environment.${place.readingMeaning}`,
    parameters: place.reading,
    examples: [['Of a login', 'test-clock show']],
    run: (standalone, values) =>
      place.read(standalone, values, {
        remote: ({ testClock: clocks }) => clocks.retrieve(),
        local: (local, context, environmentId) => local.show(context, environmentId),
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'advance',
    description: 'advances the time of a test environment',
    details: `Advances the time of a test environment, day by day with everything that is due on each day. It never goes back. The service does this in the background; --wait waits until it has finished.${place.changingMeaning}`,
    parameters: {
      to: operand(
        'a duration, such as P1M or PT12H, or a target, such as 2027-01-31 or 2027-01-31T10:00:00Z',
      ),
      wait: flagOption('wait until the time has been advanced'),
      ...place.changing,
    },
    examples: place.examples([
      ['By a month', 'test-clock advance P1M --environment $ENVIRONMENT --reason "trying a schedule"'],
      ['Over REST, by an hour', 'test-clock advance PT1H'],
    ]),
    run: (standalone, { to, wait, ...values }) =>
      place.change(standalone, values, `advance the time to ${to}`, {
        async remote({ testClock: clocks }) {
          const set = await clocks.advance(requestOf(to));
          return wait ? untilAdvanced(set, () => clocks.retrieve()) : set;
        },
        async local(local, context, environmentId, by) {
          const set = await local.advance(context, environmentId, requestOf(to), by);
          if (isRefusal(set) || !wait) return set;
          return untilAdvanced(set, () => local.show(context, environmentId));
        },
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'remove',
    description: 'returns a test environment to the real time',
    details: `Returns a test environment to the real time. Issued invoices keep their dates.${place.changingMeaning}`,
    parameters: place.changing,
    examples: [['Of a login', 'test-clock remove']],
    run: (standalone, values) =>
      place.change(standalone, values, 'return to the real time', {
        async remote({ testClock: clocks }) {
          await clocks.remove();
          return clocks.retrieve();
        },
        local: (local, context, environmentId, by) => local.remove(context, environmentId, by),
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
