import { environmentOf } from '../accounts/companies.ts';
import type { Db } from '../db/client.ts';
import { importInvoices } from '../importing/import-invoices.ts';
import { actor, type Command, oneOf, readOptions, required, UsageError } from './command.ts';
import { progressBar } from './progress-bar.ts';

export const importing: Record<string, Command> = {
  '': {
    usage:
      '(--environment <number> | --company <co_…> --environment test|live) --file <old.csv|old.jsonl> [--report <refused.csv>]',
    async run(db, args) {
      const { options, rest } = readOptions(args, ['environment', 'company', 'file', 'report']);
      if (rest.length > 0) throw new UsageError(`what is ${rest[0]}?`);
      const file = required(options.file, '--file');
      const environmentId = await environment(db, options);
      const bar = progressBar(process.stderr);
      try {
        return await importInvoices(db, {
          environmentId,
          file,
          report: options.report,
          actor: actor(),
          onProgress: bar.show,
        });
      } finally {
        bar.end();
      }
    },
  },
};

async function environment(db: Db, options: { environment?: string; company?: string }): Promise<number> {
  const given = required(options.environment, '--environment');
  if (options.company === undefined && /^\d{1,9}$/.test(given)) return Number(given);
  const kind = oneOf(given, '--environment', ['test', 'live']);
  const id = await environmentOf(db.pool, required(options.company, '--company'), kind);
  if (id === null) throw new Error('no such company');
  return id;
}
