import type { Command } from 'commander';
import { invalidField } from '../../ground/errors/refusal.ts';
import { listAuditEntries } from '../../ground/journal/audit-log.ts';
import { type CliRuntime, commandGroup, queryCommand } from './command.ts';
import { integerOption, optionalOption } from './options.ts';

export function audit(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'audit', 'what operators did, and why');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists the acts of operators, the newest first',
    parameters: {
      limit: integerOption('how many at most', { most: 1_000, standard: 50 }),
      after: optionalOption('aud_…', 'go on after this one'),
    },
    examples: [['The last ten acts', 'audit list --limit 10']],
    run: async ({ db }, { limit, after = null }) =>
      (await listAuditEntries(db.pool, { first: limit, after })) ??
      invalidField('after', 'invalid_value', 'is no entry of the log'),
  });
}
