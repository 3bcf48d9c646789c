import { readFileSync } from 'node:fs';
import { Command, type Option } from 'commander';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { audit } from './audit.ts';
import { catalog } from './catalog.ts';
import { certificates } from './certificates.ts';
import { chains, jobs } from './chains.ts';
import { doctor, verify } from './checks.ts';
import type { World } from './command.ts';
import { companies, environments } from './companies.ts';
import { completion } from './completion.ts';
import { customers, integrations } from './customers.ts';
import { database } from './database.ts';
import { EXITS, type Exit, failureOfError } from './exits.ts';
import { importing } from './importing.ts';
import { invoices } from './invoices.ts';
import { keys } from './keys.ts';
import { look } from './look.ts';
import { printFailure } from './output.ts';
import { records } from './records.ts';
import { series } from './series.ts';

const SUBJECTS = [
  ...[companies, environments, keys, certificates, catalog, look, series, integrations, customers, invoices],
  ...[records, chains, jobs, audit, importing, verify, database, doctor, completion],
];

const ABOUT =
  'Operates a Lacre service. It works on DATABASE_URL, or on the database of the service that runs on this machine (DATA_DIR).';

const MORE = `
Every command takes --json (one JSON document on standard output, failures as JSON on standard error) and tells by its
exit code what became of it:
${Object.entries(EXITS)
  .map(([name, { code, meaning }]) => `  ${code}  ${name.padEnd(12)} ${meaning.replaceAll('`', '')}`)
  .join('\n')}

What changes something wants --reason, kept in the audit log; what changes live data wants --live too.`;

/** All commands, for a run in that world. */
export function buildProgram(world: World, json = false): Command {
  const program = new Command('lacre').description(ABOUT).version(version());
  program.helpCommand(false).addHelpText('after', MORE);
  program.configureOutput({
    writeOut: (text) => world.stdout.write(text),
    // Where JSON is asked for, standard error holds JSON too.
    writeErr: (text) => json || world.stderr.write(text),
    // Written by us.
    outputError: () => {},
  });
  program.configureHelp({ optionDescription: inWords });
  program.exitOverride();
  // Commands take over the program's ways when they are made.
  for (const add of SUBJECTS) add(program, world);
  return program;
}

/** The words that it takes stand in its name already. */
function inWords({ description, mandatory, defaultValue }: Option): string {
  if (mandatory) return `${description} (required)`;
  return typeof defaultValue === 'number' ? `${description} (${defaultValue} without it)` : description;
}

function version(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Runs the command line and answers its exit code. Nothing is thrown. */
export async function runCommandLine(words: readonly string[], world: Omit<World, 'ended'>): Promise<number> {
  let exit: Exit = 'done';
  const json = words.includes('--json');
  const ended = (how: Exit): void => {
    exit = how;
  };
  const program = buildProgram({ ...world, ended }, json);
  try {
    await statementsOf('maintenance', () => program.parseAsync([...words], { from: 'user' }));
  } catch (error) {
    const failure = failureOfError(error);
    if (failure === null) return EXITS.done.code;
    exit = failure.exit;
    printFailure(world, failure, json);
    if (exit === 'usage' && !json) world.stderr.write('Add --help to see what there is.\n');
  }
  return EXITS[exit].code;
}
