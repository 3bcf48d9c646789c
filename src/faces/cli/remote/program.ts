import type { Command } from 'commander';
import { type CliRuntime, commandGroup } from '../command.ts';
import { completion } from '../completion.ts';
import { mcp } from '../mcp/mcp.ts';
import type { CommandLine } from '../run.ts';
import { contractCommands } from './contract.ts';
import { documents } from './documents.ts';
import { remoteEvents } from './events.ts';
import { remoteInvoices, remoteList } from './invoices.ts';
import { listen } from './listen.ts';
import { login } from './login.ts';
import { OVER_REST } from './place.ts';
import { testClockCommands } from './test-clock.ts';
import { trigger } from './trigger.ts';

function invoices(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'invoices', 'issued invoices');
  remoteList(group, runtime);
  remoteInvoices(group, runtime);
  contractCommands(group, runtime, OVER_REST);
}

const contractGroup =
  (name: string, description: string): CommandLine['groups'][number] =>
  (program, runtime) =>
    contractCommands(commandGroup(program, name, description), runtime, OVER_REST);

function events(program: Command, runtime: CliRuntime): void {
  remoteEvents(commandGroup(program, 'events', 'changes in an environment, in order'), runtime);
}

/** The commands that need only the key of a login: those of the package that a service gives (packages/cli). */
export const REMOTE: CommandLine = {
  about: 'Works with a Lacre service over REST, with the key of a login ("lacre login").',
  rules: 'A change of live data requires --live.',
  groups: [
    ...[login, invoices],
    contractGroup('drafts', 'invoices not issued yet'),
    contractGroup('schedules', 'repeating invoices'),
    (program, runtime) => testClockCommands(program, runtime, OVER_REST),
    ...[events, listen, trigger, documents, mcp, completion],
  ],
  ofPart: () => null,
};
