import type { Command } from 'commander';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { approvals } from './approvals.ts';
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
import { failureOfDatabase } from './database-failures.ts';
import { drafts } from './drafts.ts';
import { emails } from './emails.ts';
import { events } from './events.ts';
import { importing } from './importing.ts';
import { invoices } from './invoices.ts';
import { keys } from './keys.ts';
import { mcp } from './mcp/mcp.ts';
import { origins } from './origins.ts';
import { payments } from './payments.ts';
import { verifyConsistencyFile, verifyProofFile } from './proofs.ts';
import { read } from './reading/read.ts';
import { records } from './records.ts';
import { documents } from './remote/documents.ts';
import { listen } from './remote/listen.ts';
import { login } from './remote/login.ts';
import { trigger } from './remote/trigger.ts';
import { restore } from './restore.ts';
import { build, type CommandLine, run } from './run.ts';
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
    approvals,
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

const RULES =
  'A change requires --reason, which is stored in the audit log; a change of live data also requires --live.';

const WHOLE: CommandLine = { about: ABOUT, rules: RULES, groups: GROUPS, ofPart: failureOfDatabase };

/** All commands, for a run in that runtime. */
export function buildProgram(runtime: CliRuntime, json = false): Command {
  return build(WHOLE, runtime, json);
}

/** Runs the command line and answers its exit code. Nothing is thrown. */
export function runCommandLine(
  args: readonly string[],
  runtime: Omit<CliRuntime, 'onExit'>,
): Promise<number> {
  return statementsOf('maintenance', () => run(WHOLE, args, runtime));
}
