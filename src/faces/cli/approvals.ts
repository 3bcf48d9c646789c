import type { Command } from 'commander';
import { firstOf } from '../../ground/db/listed.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { decideApproval } from '../../subjects/approvals/decide.ts';
import { listApprovals } from '../../subjects/approvals/store/read-approvals.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { flagOption, integerOption, operand, optionalOption } from './options.ts';
import { liveChange } from './targets.ts';

export function approvals(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(
    program,
    'approvals',
    'what operators asked each other to approve (TWO_PERSONS)',
  );
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists what was asked for, newest first',
    parameters: {
      undecided: flagOption('only what waits for a decision'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 50 }),
      after: optionalOption('apr_…', 'continue after this one'),
    },
    examples: [['What waits for a decision', 'approvals list --undecided']],
    async run({ db }, { undecided, limit, after = null }) {
      const page = await listApprovals(db.pool, clock.now(), { undecided }).page(firstOf(limit, after));
      return isRefusal(page) ? page : { approvals: page.rows, hasMore: page.hasMore };
    },
  });
  const decision = (
    name: 'approve' | 'decline',
    decided: 'approved' | 'declined',
    description: string,
    example: readonly [string, string],
  ) =>
    changeCommand(group, runtime, {
      ...{ name, description, examples: [example] },
      parameters: { approval: operand('the id of the request') },
      preview: (_context, { approval }) => liveChange(`${name} ${approval}`),
      // Whoever works on the database has every role.
      run: ({ db }, { approval: id }, by) =>
        decideApproval(db, { ...by, role: 'admin' }, { id, decision: decided }),
    });
  decision('approve', 'approved', 'approves what another operator asked for, who can then do it once', [
    'After looking at the invoice',
    'approvals approve $APPROVAL --reason "issued twice indeed" --live',
  ]);
  decision('decline', 'declined', 'declines what an operator asked for, or withdraws it', [
    'What was a mistake',
    'approvals decline $APPROVAL --reason "it is another invoice" --live',
  ]);
}
