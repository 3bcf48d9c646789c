import { setTimeout as pause } from 'node:timers/promises';
import type { TestClockRequest } from '@lacre/client';
import type { Command } from 'commander';
import { isExistingDay, startOfMadridDay } from '../../../ground/lib/calendar.ts';
import { type CliRuntime, commandGroup, standaloneCommand } from '../command.ts';
import { flagOption, operand } from '../options.ts';
import { contractCommands } from './contract.ts';
import type { Place } from './place.ts';

/** The interval at which the advance of the time is polled. */
const POLL_MS = 250;

export function testClockCommands(program: Command, runtime: CliRuntime, place: Place): void {
  const group = commandGroup(program, 'test-clock', 'the time of a test environment');
  contractCommands(group, runtime, place);
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
    async run(standalone, { to, wait, ...target }) {
      const body = requestOf(to);
      const act = { operation: 'advanceTestClock', isRead: false, effect: `advance the time to ${to}` };
      const remote: Parameters<Place['perform']>[2]['remote'] = ({ testClock }) => testClock.advance(body);
      let clock = await place.perform(standalone, target, { ...act, given: { body }, remote });
      while (wait && isAdvancing(clock)) {
        await pause(POLL_MS);
        clock = await place.perform(standalone, target, {
          ...{ operation: 'retrieveTestClock', isRead: true, effect: '', given: {} },
          remote: ({ testClock }) => testClock.retrieve(),
        });
      }
      return clock;
    },
  });
  standaloneCommand(group, runtime, {
    name: 'remove',
    description: 'returns a test environment to the real time',
    details: `Returns a test environment to the real time. Issued invoices keep their dates.${place.changingMeaning}`,
    parameters: place.changing,
    examples: [['Of a login', 'test-clock remove']],
    run: (standalone, target) =>
      place.perform(standalone, target, {
        ...{ operation: 'removeTestClock', isRead: false, effect: 'return to the real time', given: {} },
        async remote({ testClock }) {
          await testClock.remove();
          return testClock.retrieve();
        },
      }),
  });
}

/** A duration, an instant, or the beginning of a day of Madrid's. */
function requestOf(to: string): TestClockRequest {
  if (to.startsWith('P')) return { advance: to };
  return { now: isExistingDay(to) ? startOfMadridDay(to).toISOString() : to };
}

function isAdvancing(clock: unknown): boolean {
  return (clock as { readonly status?: unknown }).status === 'advancing';
}
