import type { Command } from 'commander';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { FOLLOWING, followed, lineOf } from './follow.ts';
import { remoteOf } from './profiles.ts';

/** The command of `lacre events` that works over REST. */
export function remoteEvents(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'tail',
    description: 'shows events as they happen, over REST',
    details:
      'Shows the events of a login’s environment as they happen, one per line; with --json each as JSON on a line of its own. No event is missed: those after --after-sequence come first.',
    parameters: FOLLOWING,
    examples: [['All events from the first on, as JSON', 'events tail --after-sequence 0 --limit 1 --json']],
    async run({ profiles, stdout, json }, values) {
      const events = followed(remoteOf(profiles, values.profile), values);
      if (isRefusal(events)) return events;
      for await (const event of events) stdout.write(`${json ? JSON.stringify(event) : lineOf(event)}\n`);
      return undefined;
    },
  });
}
