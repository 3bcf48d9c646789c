import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { runningPostgresUrl } from '../../../ground/db/embedded/postgres.ts';
import { isMigrated, NewerSchema, requireKnownSchema } from '../../../ground/db/migrate.ts';
import { poolingFault } from '../../../ground/db/pooler.ts';
import { canLogIn } from '../../../ground/db/roles/arrange.ts';
import { derivedUrl } from '../../../ground/db/roles/credentials.ts';
import { connectionTarget } from '../../../ground/db/roles/prepare.ts';
import { serverVersion } from '../../../ground/db/server.ts';
import { secondsSinceSchedule } from '../../../ground/queue/schedule.ts';
import { firstRows, listChains } from '../../../subjects/operations/store/read-lists.ts';
import { queueHealth, sendingIncident } from '../../../subjects/operations/store/read-views.ts';
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts';

/** The database that the settings lead to, without starting one; null when there is none now. */
export function databaseUrlOf(config: Config): string | null {
  return config.databaseUrl ?? runningPostgresUrl(config.dataDir);
}

export const NO_DATABASE = failure(
  'database',
  'no DATABASE_URL, and no service with its own Postgres is running',
  'start the service (npm start), or set DATABASE_URL',
);

/** Postgres 15 is the oldest that is tested. */
const OLDEST = 150_000;

/**
 * Whether it answers, is reached as it must be, is new enough and has all migrations. Changes nothing. Only with an `ok`
 * is there more to look at.
 */
export async function database({ pool }: Db, url: string, directUrl: string | null): Promise<Finding> {
  let server: Awaited<ReturnType<typeof serverVersion>>;
  try {
    const fault = await poolingFault(url, directUrl);
    if (fault !== null) return failure('database', fault, 'see docs/guides/deployment.md, Behind PgBouncer');
    server = await serverVersion(pool);
  } catch (error) {
    return failure(
      'database',
      `does not answer: ${reasonOf(error)}`,
      'check DATABASE_URL and Postgres itself',
    );
  }
  const summary = `Postgres ${server.version}${directUrl === null ? '' : ' behind a pooler'}`;
  if (server.number < OLDEST) return failure('database', `${summary} is too old`, 'use Postgres 15 or newer');
  const newer = await requireKnownSchema(pool).then(
    () => null,
    (error: unknown) => (error instanceof NewerSchema ? error.migration : null),
  );
  if (newer !== null)
    return failure(
      'database',
      `${summary} was migrated by a newer version (${newer}), with which this one cannot work`,
      'run the newer version, or restore the backup from before the upgrade (docs/guides/upgrading.md)',
    );
  const migrated = await isMigrated(pool).catch(() => false);
  if (migrated) return ok('database', `${summary}, all migrations applied`);
  return failure(
    'database',
    `${summary} lacks migrations`,
    'run "lacre database migrate", or start the service once with the owner’s URL',
  );
}

/** Whether the role that the service runs as can undo a seal: its own, or the one that it makes where it is given an owner's. */
export async function databaseRole(config: Config, url: string): Promise<Finding> {
  const remediation = 'see docs/guides/deployment.md, Roles of the database';
  const session = config.databaseDirectUrl ?? url;
  let runs = await connectionTarget(session);
  const createsRuntimeRole = config.databaseUrl !== null && config.databaseOwnerUrl === null && runs.migrates;
  if (runs.unsafePrivileges.length > 0 && createsRuntimeRole) {
    const { database, role } = runs;
    const own = derivedUrl(session, { ownerUrl: session, database, secret: config.linkSecret });
    if (!(await canLogIn(own))) {
      const summary = `DATABASE_URL is the owner's (${role}), and the role that the service runs as does not exist yet`;
      return failure('database role', summary, 'start the service once, or give it a separate role');
    }
    runs = await connectionTarget(own);
  }
  if (runs.unsafePrivileges.length === 0) return ok('database role', `the service runs as ${runs.role}`);
  return failure(
    'database role',
    `${runs.role} could bypass the seals: it ${runs.unsafePrivileges.join('; ')}`,
    remediation,
  );
}

const WORST_SHOWN = 5;

/** Chains that do not send as they should. */
export async function chains({ pool }: Db): Promise<Finding[]> {
  const listed = await firstRows(listChains(pool, { troubled: true }), WORST_SHOWN);
  const incident = await sendingIncident(pool, null);
  if (listed.length === 0 && incident === null)
    return [ok('chains', 'every record is sent or pending without trouble')];
  const findings = listed.map((chain) => {
    const name = `chain ${chain.chainId} of ${chain.companyId}: ${chain.pending} pending`;
    const remediation = 'see ops.pending_per_chain; then retry, unpark or resume with npm run cli -- chains';
    if (chain.stoppedAt !== null)
      return failure('chains', `${name}, stopped: ${chain.stoppedReason}`, remediation);
    if (chain.hold !== null) {
      const { comparison } = chain;
      const progress = comparison === null ? '' : `, ${comparison.compared} records compared with the agency`;
      const failed = comparison?.trouble ? `, which cannot be queried: ${comparison.trouble}` : '';
      return failure('chains', `${name}, accepts no records: ${chain.hold}${progress}${failed}`, remediation);
    }
    if (chain.pausedAt !== null)
      return warning('chains', `${name}, paused: ${chain.pausedReason}`, remediation);
    if (chain.parked > 0) return warning('chains', `${name}, ${chain.parked} of them parked`, remediation);
    return warning('chains', `${name}, an incident since ${chain.incidentSince?.toISOString()}`, remediation);
  });
  if (incident === null) return findings;
  const summary = `${incident.pendingRecords} records delayed since ${incident.since.toISOString()}`;
  return [warning('chains', summary, 'see ops.sending_incident'), ...findings];
}

/** The schedule starts a job every minute; after this time without one, no worker is running. */
const SILENT_SECONDS = 180;

/** Whether somebody runs the jobs, and whether any has been given up. */
export async function jobs({ pool }: Db): Promise<Finding[]> {
  const seconds = await secondsSinceSchedule(pool);
  const remediation = 'start the service with JOBS=inside, or a worker (npm run worker)';
  const heartbeat =
    seconds === null
      ? failure('jobs', 'none has ever run', remediation)
      : seconds > SILENT_SECONDS
        ? failure('jobs', `none has run for ${Math.round(seconds / 60)} minutes`, remediation)
        : ok('jobs', `running; the last scheduled one ${Math.round(seconds)} s ago`);
  const givenUp = (await queueHealth(pool)).filter((kind) => kind.givenUp > 0);
  return [
    heartbeat,
    ...givenUp.map((kind) =>
      warning(
        'jobs',
        `${kind.givenUp} of ${kind.task} have finally failed`,
        'see last_error in graphile_worker.jobs',
      ),
    ),
  ];
}
