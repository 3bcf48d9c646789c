import { readFileSync } from 'node:fs';
import { Command, type Option } from 'commander';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { books } from './books.ts';
import { branding } from './branding.ts';
import { catalog } from './catalog.ts';
import { certificates } from './certificates.ts';
import { chains, jobs } from './chains.ts';
import { checkpoint } from './checkpoints.ts';
import { doctor, verify } from './checks.ts';
import type { CliRuntime } from './command.ts';
import { companies, environments } from './companies.ts';
import { completion } from './completion.ts';
import { customers, integrations } from './customers.ts';
import { database } from './database.ts';
import { drafts } from './drafts.ts';
import { emails } from './emails.ts';
import { events } from './events.ts';
import { EXIT_STATUSES, type ExitStatus, failureOfError } from './exit-status.ts';
import { importing } from './importing.ts';
import { invoices } from './invoices.ts';
import { keys } from './keys.ts';
import { mcp } from './mcp/mcp.ts';
import { origins } from './origins.ts';
import { printFailure } from './output.ts';
import { payments } from './payments.ts';
import { verifyConsistencyFile, verifyProofFile } from './proofs.ts';
import { read } from './reading/read.ts';
import { records } from './records.ts';
import { documents } from './remote/documents.ts';
import { listen } from './remote/listen.ts';
import { login } from './remote/login.ts';
import { trigger } from './remote/trigger.ts';
import { restore } from './restore.ts';
import { schedules } from './schedules.ts';
import { series } from './series.ts';
import { statuses } from './statuses.ts';
import { supportBundle } from './support/bundle.ts';
import { testClock } from './test-clock.ts';
import { webhooks } from './webhooks.ts';

const GROUPS = [
  ...[
    companies,
    environments,
    keys,
    origins,
    certificates,
    catalog,
    branding,
    series,
    integrations,
    customers,
    invoices,
    books,
    payments,
    statuses,
    emails,
    drafts,
    schedules,
    testClock,
  ],
  ...[events, webhooks],
  ...[login, listen, trigger, documents, mcp],
  ...[
    records,
    chains,
    jobs,
    audit,
    importing,
    checkpoint,
    verify,
    verifyProofFile,
    verifyConsistencyFile,
    read,
    database,
    backup,
    restore,
    doctor,
    supportBundle,
    completion,
  ],
];

const ABOUT =
  'Operates a Lacre service. It works on DATABASE_URL, or on the database of the service that runs on this machine (DATA_DIR).';

const MORE = `
Every command takes --json (one JSON document on standard output, failures as JSON on standard error) and reports its
outcome by its exit code:
${Object.entries(EXIT_STATUSES)
  .map(([name, { code, meaning }]) => `  ${code}  ${name.padEnd(12)} ${meaning.replaceAll('`', '')}`)
  .join('\n')}

A change requires --reason, which is stored in the audit log; a change of live data also requires --live.`;

/** All commands, for a run in that runtime. */
export function buildProgram(runtime: CliRuntime, json = false): Command {
  const program = new Command('lacre').description(ABOUT).version(version());
  program.helpCommand(false).addHelpText('after', MORE);
  program.configureOutput({
    writeOut: (text) => runtime.stdout.write(text),
    // With --json, standard error contains JSON as well.
    writeErr: (text) => json || runtime.stderr.write(text),
    // Written by us.
    outputError: () => {},
  });
  program.configureHelp({ optionDescription: describeOption });
  program.exitOverride();
  // Commands inherit the program's configuration when they are created.
  for (const add of GROUPS) add(program, runtime);
  return program;
}

/** Its operands are part of its name. */
function describeOption({ description, mandatory, defaultValue }: Option): string {
  if (mandatory) return `${description} (required)`;
  return typeof defaultValue === 'number' ? `${description} (${defaultValue} without it)` : description;
}

function version(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Runs the command line and answers its exit code. Nothing is thrown. */
export async function runCommandLine(
  args: readonly string[],
  runtime: Omit<CliRuntime, 'onExit'>,
): Promise<number> {
  let exit: ExitStatus = 'done';
  const json = args.includes('--json');
  const onExit = (status: ExitStatus): void => {
    exit = status;
  };
  const program = buildProgram({ ...runtime, onExit }, json);
  try {
    await statementsOf('maintenance', () => program.parseAsync([...args], { from: 'user' }));
  } catch (error) {
    const failure = failureOfError(error);
    if (failure === null) return EXIT_STATUSES.done.code;
    exit = failure.exit;
    printFailure(runtime, failure, json);
    if (exit === 'usage' && !json) runtime.stderr.write('Add --help for the commands and options.\n');
  }
  return EXIT_STATUSES[exit].code;
}
