import type { Command } from 'commander';
import { chainsBeingCompared, type Fork, readForks } from '../../subjects/operations/store/read-restore.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { queryCommand } from './database-command.ts';
import { CheckResult } from './exit-status.ts';
import { optionalOption } from './options.ts';

export function restore(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'restore', 'what a restore of the database has lost');
  queryCommand(group, runtime, {
    name: 'report',
    description: 'lists the invoices that the agency holds and a restored database lacks',
    details:
      'Lists the invoices that the agency holds and a restored database lacks, by company: those to tell merchants about. Of each chain up to 1,000 are listed, and all are counted. Ends with 8 while chains are still being compared with the agency: the list is not complete then.',
    parameters: { company: optionalOption('co_…', 'only those of this company') },
    examples: [
      ['All of them', 'restore report'],
      ['Those of a company, for a program', 'restore report --company $COMPANY --json'],
    ],
    async run({ db, json }, { company = null }) {
      const forks = await readForks(db.pool, company);
      const comparing = await chainsBeingCompared(db.pool);
      const lost = forks.reduce((sum, { recordCount }) => sum + recordCount, 0);
      const report = json ? { comparing, lost, chains: forks } : textOf(forks, lost, comparing);
      return comparing > 0 ? new CheckResult('warning', report) : report;
    },
  });
}

function textOf(forks: readonly Fork[], lost: number, comparing: number): string {
  const lines = forks.flatMap(({ companyId, legalName, chainId, foundAt, decided, recordCount, records }) => [
    `${legalName} (${companyId}), chain ${chainId}: ${recordCount} lost, found ${foundAt.toISOString()}, ${decided ? 'a new installation was opened' : 'NOT DECIDED: issuing is held'}`,
    ...records.map(({ number, issueDate }) => `  ${number}  ${issueDate}`),
    ...(recordCount > records.length ? [`  and ${recordCount - records.length} more`] : []),
  ]);
  const unfinished = `NOT COMPLETE: ${comparing} chains are still being compared with the agency`;
  return `${[...lines, `${lost} lost invoices`, ...(comparing > 0 ? [unfinished] : [])].join('\n')}\n`;
}
