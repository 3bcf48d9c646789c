import type { Command } from 'commander';
import { firstOf } from '../../ground/db/listed.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { listAuditEntries } from '../../ground/journal/store/audit-log.ts';
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
    async run({ db }, { limit, after = null }) {
      const page = await listAuditEntries(db.pool).page(firstOf(limit, after));
      return isRefusal(page) ? page : { entries: page.rows, hasMore: page.hasMore };
    },
  });
}
