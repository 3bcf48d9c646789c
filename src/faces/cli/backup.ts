import { open, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { passwordOfEnvironment } from '../../ground/config/config.ts';
import { type Archiving, readArchiving } from '../../ground/db/archiving.ts';
import { closeDb, openDb } from '../../ground/db/client.ts';
import { isCurrent } from '../../ground/db/migrate.ts';
import { isEmptyDatabase, restoreDump } from '../../ground/db/restore-dump.ts';
import { clock } from '../../ground/lib/clock.ts';
import { createLogger } from '../../ground/lib/logger.ts';
import { environmentNumbers } from '../../subjects/accounts/store/read-environments.ts';
import { verifyAndStore, verifyInstallation } from '../../subjects/operations/verification.ts';
import { type CliRuntime, commandGroup, standaloneCommand } from './command.ts';
import { queryCommand } from './database-command.ts';
import { type Finding, failure, ok, reasonOf, warning, worstResult } from './doctor/finding.ts';
import { CheckResult, CommandFailure } from './exit-status.ts';
import { integerOption, optionalOption, requiredOption } from './options.ts';

/** With the `archive_timeout` of the guide a segment is archived each minute. */
const SILENT_SECONDS = 600;
/** Sixteen segments: what a server writes in some minutes of much work. */
const GAP_BYTES = 2 ** 28;
const EXIT = { ok: 'done', warning: 'warning', failure: 'check_failed' } as const;
const ARCHIVE = 'see the log of Postgres for archive_command, and the disk of the archive';

export function backup(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'backup', 'whether the database could be restored');
  queryCommand(group, runtime, {
    name: 'check',
    description: 'checks the age of a dump, and whether the write-ahead log is archived without a gap',
    details:
      'Checks by what Postgres says whether its write-ahead log reaches the archive, how much of it does not yet, and up to which moment the database could be restored; and of a dump its age. It cannot see whether the archive still has what was put there: "lacre backup rehearse" proves a dump. Ends with 6 for a failure, and with 8 for a warning.',
    parameters: {
      dump: optionalOption('path', 'the newest dump'),
      maxHours: integerOption('the age in hours from which a dump is too old', { max: 8_760, standard: 26 }),
    },
    examples: [['After the nightly dump', 'backup check --dump lacre.dump']],
    async run({ db, json }, { dump, maxHours }) {
      const archived = archiveFinding(await readArchiving(db.pool), dump !== undefined);
      const findings = dump === undefined ? [archived] : [archived, await dumpFinding(dump, maxHours)];
      const result = worstResult(findings);
      return new CheckResult(EXIT[result], json ? { result, findings } : textOf(findings));
    },
  });
  standaloneCommand(group, runtime, {
    name: 'rehearse',
    description: 'restores a dump into an empty database and verifies every record there',
    details:
      'Restores a dump of pg_dump (format custom or directory) by pg_restore into an empty database, and verifies every record there as "lacre verify" does. Nothing is sent from there, and nothing of the service’s own database is read or changed. The database stays: drop it afterwards. Ends with 6 if the records are not sound.',
    parameters: {
      dump: requiredOption('path', 'the dump'),
      into: requiredOption(
        'url',
        'the empty database, as a role that owns it; its password may be in PGPASSWORD',
      ),
      tools: optionalOption('folder', 'where pg_restore is; PATH by default'),
    },
    examples: [
      [
        'Each month, on another machine',
        'backup rehearse --dump lacre.dump --into postgres://lacre@scratch.internal/rehearsal',
      ],
    ],
    run: (_context, values) => rehearse(values),
  });
}

function archiveFinding(archiving: Archiving, hasDump: boolean): Finding {
  const { mode, lastAt, secondsSince, failing, failedAt, gapBytes } = archiving;
  if (mode === 'off') {
    const remedy =
      'set archive_mode and archive_command (docs/guides/backup-and-restore.md, To a point in time)';
    const lost = 'archive_mode is off: what is issued after the last dump cannot be restored';
    return hasDump
      ? warning('archive', lost, remedy)
      : failure('archive', `${lost}; no dump was named`, remedy);
  }
  if (lastAt === null || secondsSince === null)
    return failure('archive', 'nothing has ever been archived', ARCHIVE);
  const point = `the database can be restored up to about ${lastAt.toISOString()}, ${Math.round(secondsSince)} s ago`;
  const gap =
    gapBytes === null ? '' : `; ${Math.round(gapBytes / 2 ** 20)} MiB of complete log are not archived`;
  if (failing)
    return failure('archive', `archiving fails since ${failedAt?.toISOString()}; ${point}${gap}`, ARCHIVE);
  if (secondsSince > SILENT_SECONDS || (gapBytes ?? 0) > GAP_BYTES)
    return warning('archive', `${point}${gap}`, `set archive_timeout; ${ARCHIVE}`);
  return ok('archive', `${point}${gap}`);
}

/** What each dump of the format `custom` begins with. */
const MAGIC = 'PGDMP';

async function dumpFinding(path: string, maxHours: number): Promise<Finding> {
  const remedy = 'look at the job that makes it (docs/guides/backup-and-restore.md, A dump)';
  try {
    const { mtimeMs, size } = await stat(path);
    const hours = (clock.now().getTime() - mtimeMs) / 3_600_000;
    const summary = `${path}: ${Math.round(size / 2 ** 20)} MiB, ${hours.toFixed(1)} hours old`;
    if (!(await beginsAsDump(path)))
      return failure('dump', `${summary}, and not of the format custom`, remedy);
    return hours > maxHours ? failure('dump', `${summary}, which is too old`, remedy) : ok('dump', summary);
  } catch (error) {
    return failure('dump', `${path} cannot be read: ${reasonOf(error)}`, remedy);
  }
}

async function beginsAsDump(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString('latin1') === MAGIC;
  } finally {
    await file.close();
  }
}

const textOf = (findings: readonly Finding[]): string =>
  findings
    .map(({ check, result, summary, remediation }) => {
      const remedy = remediation === null ? '' : ` -> ${remediation}`;
      return `${result.toUpperCase().padEnd(7)} ${check}: ${summary}${remedy}\n`;
    })
    .join('');

type Rehearsal = { readonly dump: string; readonly into: string; readonly tools: string | undefined };

async function rehearse({ dump, into, tools }: Rehearsal): Promise<unknown> {
  if (!URL.canParse(into) || !/^postgres(ql)?:$/.test(new URL(into).protocol))
    return new CommandFailure('usage', '--into must be the URL of a database: postgres://…');
  if (!(await isEmptyDatabase(into)))
    return new CommandFailure('refused', 'the database of --into is not empty: nothing was done');
  const began = performance.now();
  try {
    await restoreDump(dump, { url: into, password: passwordOfEnvironment(), tools: tools ?? null });
  } catch (error) {
    return new CommandFailure('check_failed', `the dump cannot be restored: ${reasonOf(error)}`);
  }
  const restoredSeconds = Math.round((performance.now() - began) / 1_000);
  const log = createLogger('silent');
  const db = openDb(into, { max: 4, log });
  try {
    if (!(await isCurrent(db.pool)))
      return new CommandFailure(
        'refused',
        'restored, but of another version of the schema: verify it with that version',
      );
    const services = { db, standby: null, log, checkpoints: null };
    const totals = { records: 0, findings: (await verifyInstallation(services)).findingCount };
    const environments = await environmentNumbers(db.pool);
    for (const id of environments) {
      const found = await verifyAndStore(services, id);
      totals.records += found?.records ?? 0;
      totals.findings += found?.findingCount ?? 0;
    }
    const sound = totals.findings === 0;
    const result = { sound, dump, restoredSeconds, environments: environments.length, ...totals };
    return sound ? result : new CheckResult('check_failed', result);
  } finally {
    await closeDb(db);
  }
}
