import type { Command } from 'commander';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { importInvoices } from '../../subjects/importing/import-invoices.ts';
import { ImportUnderWay } from '../../subjects/importing/source-row.ts';
import { type CliRuntime, changeCommand } from './command.ts';
import { CommandFailure } from './exit-status.ts';
import { optionalOption, requiredOption } from './options.ts';
import { ENVIRONMENT, environmentChange, resolveEnvironment } from './targets.ts';

export function importing(program: Command, runtime: CliRuntime): void {
  changeCommand(program, runtime, {
    name: 'import',
    description: 'takes over the invoices that another system issued',
    details:
      'Takes over the invoices that another system issued, from a file of any length (.csv or .jsonl; the format is in src/subjects/importing/README.md). Rows that are refused are told with line, code and reason. A run that broke off goes on where it stopped when it is started again with the same file.',
    parameters: {
      ...ENVIRONMENT,
      file: requiredOption('path', 'a .csv, .jsonl or .ndjson file'),
      report: optionalOption('path', 'where refused rows are told; <file>.refused.csv without it'),
    },
    examples: [
      [
        'The invoices of the old program',
        'import --company $COMPANY --environment live --file old.csv --reason "moved from the old program" --live',
      ],
    ],
    preview: (context, given) => environmentChange(context, given, `import the invoices of ${given.file}`),
    async run(context, given, by) {
      const environmentId = await resolveEnvironment(context, given);
      if (isRefusal(environmentId)) return environmentId;
      const { file, report } = given;
      const bar = context.progress('lines');
      try {
        return await importInvoices(context.db, {
          ...{ environmentId, file, report, ...by },
          onProgress: ({ line, lines, accepted, refused }) =>
            bar.show(line, lines, `${accepted} imported · ${refused} refused`),
        });
      } catch (error) {
        if (error instanceof ImportUnderWay) return new CommandFailure('unavailable', error.message);
        throw error;
      } finally {
        bar.end();
      }
    },
  });
}
