import type { Command } from 'commander';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { readEnvironmentTime } from '../../subjects/accounts/entry/environment-time.ts';
import { environmentOf } from '../../subjects/accounts/store/read-companies.ts';
import { exportPeriod } from '../../subjects/formats/export/export-period.ts';
import { EXPORTED } from '../../subjects/formats/types.ts';
import type { CliRuntime } from './command.ts';
import { actor, queryCommand } from './database-command.ts';
import { choiceOption, choicesOption, requiredDay, requiredOption } from './options.ts';
import { withServices } from './with-services.ts';
import { writeWhole } from './write-whole.ts';

const PAGES = ['pdf'] as const;

/** The documents of a period in one file. */
export function exportedDocuments(group: Command, runtime: CliRuntime): void {
  queryCommand(group, runtime, {
    name: 'export',
    description: 'writes the documents of a period of a company as one ZIP file',
    details:
      'Writes the documents of the invoices that a company issued in a period as one ZIP file: their PDFs, or the named structured formats. Its "index.csv" has a row for every invoice and format, with the reason if an invoice has no such format. Memory use does not grow with the number of invoices, and the file appears under its name only when it is complete.',
    parameters: {
      company: requiredOption('co_…', 'whose invoices'),
      environment: choiceOption(['live', 'test'], 'the environment; live by default'),
      from: requiredDay('the first day'),
      to: requiredDay('the last day'),
      formats: choicesOption(EXPORTED, 'the formats, separated by commas; pdf by default'),
      out: requiredOption('path', 'the file to write'),
    },
    examples: [
      [
        'A quarter for the tax adviser',
        'invoices export --company $COMPANY --from 2026-01-01 --to 2026-03-31 --formats pdf,ubl --out q1.zip',
      ],
    ],
    async run(context, { company, environment = 'live', from, to, formats, out }) {
      const environmentId = await environmentOf(context.db.pool, company, environment);
      if (environmentId === null) return invalidField('company', 'not_found', 'there is no such company');
      const bar = context.progress('invoices');
      try {
        return await withServices(context, async (services) => {
          const { timeZone } = await readEnvironmentTime(context.db.pool, environmentId);
          const period = {
            environmentId,
            timeZone,
            actor: actor(),
            from,
            to,
            formats: [...new Set(formats ?? PAGES)],
          };
          const found = await exportPeriod(services, period, {
            onProgress: (done, total) => bar.show(done, total),
          });
          if (isRefusal(found)) return found;
          const failed = await writeWhole(found, out);
          return failed ?? { invoices: found.invoices, file: out, company, environment, from, to };
        });
      } finally {
        bar.end();
      }
    },
  });
}
