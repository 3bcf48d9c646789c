import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { firstOf } from '../../ground/db/listed.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { listAuditEntries } from '../../ground/journal/store/audit-log.ts';
import { readAuditStream } from '../../subjects/operations/audit-stream.ts';
import { lastInstallationPosition } from '../../subjects/operations/store/read-audit-stream.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { queryCommand } from './database-command.ts';
import { CommandFailure } from './exit-status.ts';
import { flagOption, integerOption, optionalOption } from './options.ts';

/** How soon `follow` shows what was done. */
const LOOKS_AGAIN_MS = 1_000;

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
  queryCommand(group, runtime, {
    name: 'follow',
    description: 'prints what operators do, one JSON object a line, in order',
    details:
      'Prints what operators do, one JSON object a line, in the order of the installation’s journal, and goes on with what they do next. `position` of the last line is what --from takes to go on after it: nothing is left out, whoever acts at the same time.',
    parameters: {
      from: optionalOption('number', 'continue after this position; from the first entry by default'),
      untilNow: flagOption('end with what has been done by now'),
    },
    examples: [['What a scheduled job collects', 'audit follow --from 0 --until-now']],
    async run({ db, stdout }, { from = '0', untilNow }) {
      if (!/^\d{1,9}$/.test(from)) return new CommandFailure('usage', '--from must be a whole number from 0');
      const end = untilNow ? await lastInstallationPosition(db.pool) : Number.POSITIVE_INFINITY;
      for (let position = Number(from); position < end; ) {
        const { lines, reached } = await readAuditStream(db.pool, position);
        for (const { line } of lines) if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
        if (reached === position) await pause(LOOKS_AGAIN_MS);
        position = reached;
      }
      return undefined;
    },
  });
}
