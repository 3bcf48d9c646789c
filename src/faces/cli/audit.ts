import type { Command } from 'commander';
import { listActs } from '../../ground/db/audit-log.ts';
import { invalidField } from '../../ground/errors/refusal.ts';
import { reads, subject, type World } from './command.ts';
import { count, may } from './options.ts';

export function audit(program: Command, world: World): void {
  const group = subject(program, 'audit', 'what operators did, and why');
  reads(group, world, {
    name: 'list',
    says: 'lists the acts of operators, the newest first',
    takes: {
      limit: count('how many at most', { most: 1_000, standard: 50 }),
      after: may('aud_…', 'go on after this one'),
    },
    examples: [['The last ten acts', 'audit list --limit 10']],
    run: async ({ db }, { limit, after = null }) =>
      (await listActs(db.pool, { first: limit, after })) ??
      invalidField('after', 'invalid_value', 'is no entry of the log'),
  });
}
