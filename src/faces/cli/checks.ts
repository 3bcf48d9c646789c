import type { Command } from 'commander';
import type { Config } from '../../ground/config/config.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { createLogger } from '../../ground/lib/logger.ts';
import { environmentNumbers, listEnvironments } from '../../subjects/accounts/store/read-environments.ts';
import type { Verification } from '../../subjects/chain/verify.ts';
import type { Finding as ChainFinding } from '../../subjects/chain/verify-record.ts';
import { ObjectStoreError, openObjectStore } from '../../subjects/documents/object-store.ts';
import { storedIn } from '../../subjects/documents/store/read-places.ts';
import { type DocumentsCheck, verifyStored } from '../../subjects/documents/verify-stored.ts';
import {
  checkpointPlaces,
  holdsCheckpoints,
  unreachableCheckpoints,
} from '../../subjects/journal/keep-checkpoints.ts';
import {
  type InstallationVerification,
  verifyAndStore,
  verifyInstallation,
} from '../../subjects/operations/verification.ts';
import { compareWithCheckpoints, RUN_THERE } from './checkpoints.ts';
import { type CliRuntime, type CommandContext, standaloneCommand } from './command.ts';
import { queryCommand } from './database-command.ts';
import { type Finding, failure, grouped, reasonOf, worstResult } from './doctor/finding.ts';
import { CheckResult, CommandFailure, type ExitStatus } from './exit-status.ts';
import { flagOption, optionalOption } from './options.ts';
import { ENVIRONMENT, resolveEnvironment } from './targets.ts';

/** The process runs nothing else, so it reads more at once than the service does. */
const BATCH = 500;

export function verify(program: Command, runtime: CliRuntime): void {
  queryCommand(program, runtime, {
    name: 'verify',
    description: 'verifies every sealed record and reports inconsistencies',
    details:
      'Verifies every record of the chains from its own XML and reports inconsistencies: fingerprints, links, invoices, states, numbers. Without an environment it verifies all of them. The result is stored for "operations". The journals are compared with the checkpoints in CHECKPOINT_DIR; where the folder of the service cannot be seen from here, it says so and ends with 8. With --documents it then reads every stored PDF, in Postgres or in the object store, and reports those that are missing or do not match their checksum in the journal; the next download renders such a document again. Ends with 6 if there are findings.',
    parameters: {
      environment: optionalOption('number|test|live', 'only this environment; test or live with --company'),
      company: ENVIRONMENT.company,
      checkpoint: optionalOption('path', 'compares the journals with a file written by "lacre checkpoint"'),
      documents: flagOption('reads every stored PDF too'),
    },
    examples: [
      ['Everything', 'verify'],
      ['The stored PDFs too', 'verify --documents'],
      ['To check that nothing was removed since', 'verify --checkpoint lacre-2026-11-22.notes'],
      ['One environment, for a script', 'verify --environment $ENVIRONMENT --json'],
    ],
    async run(context, { environment, company, checkpoint: file, documents }) {
      if (file !== undefined) return compareWithCheckpoints(context, file);
      const only =
        environment === undefined ? null : await resolveEnvironment(context, { environment, company });
      if (isRefusal(only)) return only;
      return verified(context, await chosenEnvironments(context, only, company ?? null), {
        isAll: only === null && company === undefined,
        documents,
      });
    },
  });
}

/** `isAll`: the installation too, whose journal belongs to no environment. */
async function verified(
  context: CommandContext,
  ids: readonly number[],
  { isAll, documents }: { readonly isAll: boolean; readonly documents: boolean },
): Promise<unknown> {
  const found: Verification[] = [];
  const checkpoints = checkpointPlaces(context.config, null);
  const elsewhere = await unreachableCheckpoints(context.db, checkpoints);
  const services = {
    db: context.db,
    standby: await context.standby(),
    log: createLogger('silent'),
    checkpoints: elsewhere === null || holdsCheckpoints(checkpoints) ? checkpoints : null,
  };
  for (const id of ids) {
    const bar = context.progress(`environment ${id}`);
    const verification = await verifyAndStore(services, id, {
      ...{ batch: BATCH, onProgress: bar.show },
    });
    bar.end();
    if (verification !== null) found.push(verification);
  }
  const installation = isAll ? await verifyInstallation(services) : null;
  const stored = documents ? await storedDocuments(context, ids) : [];
  if (stored instanceof CommandFailure) return stored;
  const sound =
    found.every(({ complete }) => complete) &&
    [...found, ...(installation === null ? [] : [installation]), ...stored].every(
      ({ findingCount }) => findingCount === 0,
    );
  const result = context.json
    ? {
        ...{ sound, environments: found, checkpointsElsewhere: elsewhere },
        ...(installation === null ? {} : { installation }),
        ...(documents ? { documents: stored } : {}),
      }
    : found.map(verificationText).join('') +
      (installation === null ? '' : installationText(installation)) +
      stored.map(documentsText).join('');
  if (elsewhere !== null && !context.json)
    context.stderr.write(`NOT COMPARED WITH THE NEWEST CHECKPOINTS: ${elsewhere}. ${RUN_THERE}\n`);
  if (sound && elsewhere !== null) return new CheckResult('warning', result);
  return sound ? result : new CheckResult('check_failed', result);
}

async function storedDocuments(
  { config, db, progress }: CommandContext,
  ids: readonly number[],
): Promise<DocumentsCheck[] | CommandFailure> {
  const store = config.objectStore && openObjectStore(config.objectStore);
  const found: DocumentsCheck[] = [];
  try {
    for (const id of ids) {
      const all = await storedIn(db.pool, id);
      const bar = progress(`documents of environment ${id}`);
      found.push(await verifyStored({ db, store }, id, (done) => bar.show(done, Math.max(done, all))));
      bar.end();
    }
    return found;
  } catch (error) {
    if (error instanceof ObjectStoreError) return new CommandFailure('unavailable', error.message);
    throw error;
  } finally {
    store?.close();
  }
}

function documentsText({ environmentId, documents, findingCount, findings }: DocumentsCheck): string {
  if (documents === 0) return '';
  const result = findingCount === 0 ? 'sound' : `${findingCount} FINDINGS`;
  const more = findingCount - findings.length;
  return [
    `documents of environment ${environmentId}: ${documents}, ${result}`,
    ...findings.map(
      ({ invoiceId, edition, expected, found }) =>
        `  document ${edition} of ${invoiceId}: expected ${expected}, found ${found ?? 'nothing'}`,
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
  ].join('\n');
}

async function chosenEnvironments(
  { db }: CommandContext,
  only: number | null,
  company: string | null,
): Promise<number[]> {
  if (only !== null) return [only];
  if (company !== null) return (await listEnvironments(db.pool, company)).map(({ id }) => id);
  return environmentNumbers(db.pool);
}

function installationText({ entries, findingCount, findings }: InstallationVerification): string {
  const result = findingCount === 0 ? 'sound' : `${findingCount} FINDINGS`;
  const rows = findings.map(({ what, position, subjectId, expected, found }) => {
    const place = { chainId: null, position, recordId: null, invoiceId: subjectId };
    return `  ${findingText({ ...place, what, expected, found })}`;
  });
  return [`journal of the installation: ${entries} entries, ${result}`, ...rows, ''].join('\n');
}

function verificationText(verification: Verification): string {
  const { environmentId, records, entries, findingCount, findings, complete, milliseconds } = verification;
  if (records === 0 && findingCount === 0 && complete) return '';
  const speed = Math.round(((records + entries) / Math.max(milliseconds, 1)) * 1_000);
  const result = findingCount > 0 ? `${findingCount} FINDINGS` : complete ? 'sound' : 'NOT COMPLETE';
  const more = findingCount - findings.length;
  return [
    `environment ${environmentId}: ${records} records, ${entries} entries, ${result} (${speed} a second)`,
    ...findings.map((finding) => `  ${findingText(finding)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
  ].join('\n');
}

function findingText({
  what,
  chainId,
  position,
  recordId,
  invoiceId,
  expected,
  found,
}: ChainFinding): string {
  const where = [
    chainId === null ? null : `chain ${chainId}`,
    position === null ? null : `position ${position}`,
    recordId,
    invoiceId,
  ];
  const place = where.filter((part) => part !== null).join(', ');
  return `${what}${place === '' ? '' : ` at ${place}`}: expected ${expected ?? 'nothing'}, found ${found ?? 'nothing'}`;
}

const MARKS: Record<Finding['result'], string> = { ok: 'ok     ', warning: 'WARNING', failure: 'FAILURE' };
const EXIT: Record<Finding['result'], ExitStatus> = {
  ok: 'done',
  warning: 'warning',
  failure: 'check_failed',
};

export function doctor(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'doctor',
    description: 'checks everything that registering depends on and suggests remedies',
    details:
      'Checks everything that registering depends on: Node, settings, software block, schemas, database, certificates, the agency and its clock, chains, jobs. It changes nothing. What many chains or certificates have in common is one line with their number; --json has each. Ends with 6 for a failure, and with 8 for a warning.',
    parameters: {},
    examples: [['After a change of the settings', 'doctor']],
    async run({ json, stdout }) {
      const findings: Finding[] = [];
      // What may be one of many waits for the last of them.
      let waiting: Finding[] = [];
      const print = (...shown: Finding[]) => {
        if (!json) for (const finding of shown) stdout.write(lineOf(finding));
      };
      for await (const finding of diagnosis(runtime)) {
        findings.push(finding);
        waiting.push(finding);
        if (finding.grouping !== undefined) continue;
        print(...grouped(waiting));
        waiting = [];
      }
      print(...grouped(waiting));
      const result = worstResult(findings);
      return new CheckResult(EXIT[result], json ? { result, findings } : undefined);
    },
  });
}

function lineOf({ check, result, summary, remediation }: Finding): string {
  return `${MARKS[result]} ${check}: ${summary}${remediation === null ? '' : ` -> ${remediation}`}\n`;
}

async function* diagnosis(runtime: CliRuntime): AsyncGenerator<Finding> {
  let config: Config;
  try {
    config = runtime.config();
  } catch (error) {
    const summary = reasonOf(error).replaceAll(/\s*\n\s*/g, ' ');
    yield failure('configuration', summary, 'see the table of settings in docs/guides/deployment.md');
    return;
  }
  // Loaded for this alone: the schemas' validator takes longer than all the rest.
  const { examine } = await import('./doctor/examine.ts');
  yield* examine(config);
}
