import type { Command } from 'commander';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { importInvoices } from '../../subjects/importing/import-invoices.ts';
import { ImportUnderWay } from '../../subjects/importing/source-row.ts';
import type { CliRuntime } from './command.ts';
import { changeCommand } from './database-command.ts';
import { CommandFailure } from './exit-status.ts';
import { optionalOption, requiredOption } from './options.ts';
import { ENVIRONMENT, environmentChange, resolveEnvironment } from './targets.ts';

export function importing(program: Command, runtime: CliRuntime): void {
  changeCommand(program, runtime, {
    name: 'import',
    description: 'imports the invoices that another system issued',
    details:
      'Imports the invoices that another system issued, from a file of any length (.csv or .jsonl; the format is in src/subjects/importing/README.md). Refused rows are reported with line, code and reason. An interrupted run resumes when it is started again with the same file.',
    parameters: {
      ...ENVIRONMENT,
      file: requiredOption('path', 'a .csv, .jsonl or .ndjson file'),
      report: optionalOption('path', 'the file for refused rows; by default <file>.refused.csv'),
    },
    examples: [
      [
        'Invoices of the previous program',
        'import --company $COMPANY --environment live --file old.csv --reason "moved from the old program" --live',
      ],
    ],
    preview: (context, values) => environmentChange(context, values, `import the invoices of ${values.file}`),
    async run(context, values, by) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const { file, report } = values;
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
