import { readConfig } from '../config.ts';
import { isRefusal } from '../errors/refusal.ts';
import { createLogger } from '../lib/logger.ts';
import { Closing } from '../startup/closing.ts';
import { openSharedDatabase } from '../startup/database.ts';
import { certificates } from './certificates.ts';
import { chains } from './chains.ts';
import { type Command, UsageError } from './command.ts';
import { companies } from './companies.ts';
import { importing } from './importing.ts';
import { integrations } from './integrations.ts';
import { invoices } from './invoices.ts';
import { keys } from './keys.ts';

/** By subject and name; a subject that is a command by itself has one without a name. */
const commands: Record<string, Record<string, Command>> = {
  certificates,
  chains,
  companies,
  import: importing,
  integrations,
  invoices,
  keys,
};

const USAGE = `Usage: npm run cli -- <subject> <command> [options] [--json]

${Object.entries(commands)
  .flatMap(([subject, group]) =>
    Object.entries(group).map(([name, { usage }]) => `  ${title(subject, name)} ${usage}`.trimEnd()),
  )
  .join('\n')}

It works on DATABASE_URL, or on the database of the service that runs on this machine (DATA_DIR).`;

function title(subject: string, name: string): string {
  return name === '' ? subject : `${subject} ${name}`;
}

/** Runs one command. Exit status: 0 done, 1 refused or failed, 2 not understood. */
async function main([subject = '', ...args]: string[]): Promise<number> {
  const group = commands[subject] ?? {};
  const [name, rest] = '' in group ? ['', args] : [args[0] ?? '', args.slice(1)];
  const command = group[name];
  if (command === undefined) {
    console.error(USAGE);
    return 2;
  }
  const json = rest.includes('--json');
  const config = readConfig();
  const log = createLogger('error');
  const closing = new Closing();
  try {
    const db = await openSharedDatabase(config, log, closing);
    const result = await command.run(
      db,
      rest.filter((argument) => argument !== '--json'),
      config,
    );
    if (isRefusal(result)) {
      console.error(json ? JSON.stringify(result) : `${result.code}: ${result.detail}`);
      return 1;
    }
    print(result, json);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (!(error instanceof UsageError)) return 1;
    console.error(`Usage: npm run cli -- ${title(subject, name)} ${command.usage}`);
    return 2;
  } finally {
    await closing.run(log);
  }
}

function print(result: unknown, json: boolean): void {
  if (json) console.log(JSON.stringify(result, null, 2));
  else if (Array.isArray(result)) console.table(result);
  else for (const [name, value] of Object.entries(result as object)) console.log(`${name}: ${value}`);
}

process.exitCode = await main(process.argv.slice(2));
