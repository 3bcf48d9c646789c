import type { Command } from 'commander';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { importInvoices } from '../../subjects/importing/import-invoices.ts';
import { ImportUnderWay } from '../../subjects/importing/source-row.ts';
import { changes, type World } from './command.ts';
import { Ending } from './exits.ts';
import { may, need } from './options.ts';
import { ENVIRONMENT, environmentMeant, inEnvironment } from './targets.ts';

export function importing(program: Command, world: World): void {
  changes(program, world, {
    name: 'import',
    says: 'takes over the invoices that another system issued',
    details:
      'Takes over the invoices that another system issued, from a file of any length (.csv or .jsonl; the format is in src/subjects/importing/README.md). Rows that are refused are told with line, code and reason. A run that broke off goes on where it stopped when it is started again with the same file.',
    takes: {
      ...ENVIRONMENT,
      file: need('path', 'a .csv, .jsonl or .ndjson file'),
      report: may('path', 'where refused rows are told; <file>.refused.csv without it'),
    },
    examples: [
      [
        'The invoices of the old program',
        'import --company $COMPANY --environment live --file old.csv --reason "moved from the old program" --live',
      ],
    ],
    would: (desk, given) => inEnvironment(desk, given, `import the invoices of ${given.file}`),
    async run(desk, given, by) {
      const environmentId = await environmentMeant(desk, given);
      if (isRefusal(environmentId)) return environmentId;
      const { file, report } = given;
      const bar = desk.progress('lines');
      try {
        return await importInvoices(desk.db, {
          ...{ environmentId, file, report, ...by },
          onProgress: ({ line, lines, accepted, refused }) =>
            bar.show(line, lines, `${accepted} imported · ${refused} refused`),
        });
      } catch (error) {
        if (error instanceof ImportUnderWay) return new Ending('unavailable', error.message);
        throw error;
      } finally {
        bar.end();
      }
    },
  });
}
