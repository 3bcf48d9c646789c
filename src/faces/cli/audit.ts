import type { Command } from 'commander';
import { firstOf } from '../../ground/db/listed.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { listAuditEntries } from '../../ground/journal/store/audit-log.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { queryCommand } from './database-command.ts';
import { integerOption, optionalOption } from './options.ts';

export function audit(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(
    program,
    'audit',
    'actions of operators and of merchants’ keys, and their reasons',
  );
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists actions, newest first',
    parameters: {
      limit: integerOption('the maximum number', { max: 1_000, standard: 50 }),
      after: optionalOption('aud_…', 'continue after this one'),
    },
    examples: [['The last ten actions', 'audit list --limit 10']],
    async run({ db }, { limit, after = null }) {
      const page = await listAuditEntries(db.pool).page(firstOf(limit, after));
      return isRefusal(page) ? page : { entries: page.rows, hasMore: page.hasMore };
    },
  });
}
