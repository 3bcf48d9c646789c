import type { Command } from 'commander';
import { migrationState } from '../../ground/db/server.ts';
import { type CliRuntime, commandGroup, queryCommand } from './command.ts';

export function database(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'database', 'the database and the roles that work in it');
  queryCommand(group, runtime, {
    name: 'migrate',
    description: 'brings the database to this version, and the role of the service to its rights',
    details:
      'Brings the database to this version and gives the role of DATABASE_URL what the service needs, as the owner of DATABASE_OWNER_URL. Does nothing where that is done. To be run before a new version starts where the service itself is not given the owner.',
    parameters: {},
    examples: [['Before a new version starts', 'database migrate']],
    // To open the database is to migrate it, for every process that may.
    run: ({ db }) => migrationState(db.pool),
  });
}
