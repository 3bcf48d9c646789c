import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { databaseCause } from '../../../ground/db/condition/remedies.ts';
import { runningPostgresUrl } from '../../../ground/db/embedded/postgres.ts';
import { isCurrent, missingMigrations, NewerSchema, requireKnownSchema } from '../../../ground/db/migrate.ts';
import { OtherHistory } from '../../../ground/db/migration-history.ts';
import { poolingFault } from '../../../ground/db/pooler.ts';
import { canLogIn } from '../../../ground/db/roles/arrange.ts';
import { derivedUrl } from '../../../ground/db/roles/credentials.ts';
import { type ConnectionTarget, connectionTarget } from '../../../ground/db/roles/prepare.ts';
import { serverVersion, tryNewSession } from '../../../ground/db/server.ts';
import { CAUSES } from '../../../ground/lib/causes.ts';
import { type Finding, failure, ok, reasonOf } from './finding.ts';

/** The database that the settings lead to, without starting one; null when there is none now. */
export function databaseUrlOf(config: Config): string | null {
  return config.databaseUrl ?? runningPostgresUrl(config.dataDir);
}

export const NO_DATABASE = failure(
  'database',
  `${CAUSES.database_away}: no DATABASE_URL, and no service with its own Postgres is running`,
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
      `${CAUSES.database_away}: ${reasonOf(error)}`,
      databaseCause(error)?.remedy ?? 'check DATABASE_URL and Postgres itself',
    );
  }
  const summary = `Postgres ${server.version}${directUrl === null ? '' : ' behind a pooler'}`;
  if (server.number < OLDEST) return failure('database', `${summary} is too old`, 'use Postgres 15 or newer');
  return schemaFinding(pool, summary);
}

async function schemaFinding(pool: Db['pool'], summary: string): Promise<Finding> {
  try {
    if (await isCurrent(pool)) {
      await requireKnownSchema(pool);
      return ok('database', `${summary}, all migrations applied`);
    }
  } catch (error) {
    if (error instanceof OtherHistory) return failure('database', error.differences, error.remedy);
    if (error instanceof NewerSchema)
      return failure(
        'database',
        `${summary} was migrated by a newer version (${error.migration}), with which this one cannot work`,
        'run the newer version, or restore the backup from before the upgrade (docs/guides/upgrading.md)',
      );
    const remedy = databaseCause(error)?.remedy ?? 'see the log of Postgres';
    return failure('database', `${summary} fails: ${reasonOf(error)}`, remedy);
  }
  const missing = await missingMigrations(pool).catch(() => []);
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  const named = missing.length === 0 ? '' : `: ${missing.slice(0, 3).join(', ')}${more}`;
  return failure(
    'database',
    `${summary} lacks migrations${named}`,
    'run "lacre database migrate", or start the service once with the owner’s URL',
  );
}

/**
 * Whether the role that the service runs as can undo a seal: its own, or the one that it makes where it is given an owner's.
 * And whether it still gets a session: those that are open work on when no other can be opened.
 */
export async function databaseRole(config: Config, url: string): Promise<Finding[]> {
  const session = config.databaseDirectUrl ?? url;
  const configured = await connectionTarget(session);
  const createsRuntimeRole =
    config.databaseUrl !== null && config.databaseOwnerUrl === null && configured.migrates;
  if (configured.unsafePrivileges.length === 0 || !createsRuntimeRole)
    return [judgeRole(configured), ...(await newSession(session, configured.role))];
  const { database, role } = configured;
  const own = derivedUrl(session, { ownerUrl: session, database, secret: config.checkpointSeed });
  try {
    if (!(await canLogIn(own))) {
      const summary = `DATABASE_URL is the owner's (${role}), and the role that the service runs as does not exist yet`;
      return [failure('database role', summary, 'start the service once, or give it a separate role')];
    }
    const runs = await connectionTarget(own);
    return [judgeRole(runs), ...(await newSession(own, runs.role))];
  } catch (error) {
    return [noSession(`${database}'s runtime role`, error)];
  }
}

function judgeRole({ role, unsafePrivileges }: ConnectionTarget): Finding {
  if (unsafePrivileges.length === 0) return ok('database role', `the service runs as ${role}`);
  return failure(
    'database role',
    `${role} could bypass the seals: it ${unsafePrivileges.join('; ')}`,
    'see docs/guides/deployment.md, Roles of the database',
  );
}

/** Nothing is found where it gets one. */
async function newSession(url: string, role: string): Promise<Finding[]> {
  try {
    await tryNewSession(url);
    return [];
  } catch (error) {
    return [noSession(role, error)];
  }
}

function noSession(role: string, error: unknown): Finding {
  return failure(
    'database sessions',
    `${role} gets no other: ${reasonOf(error)}; processes work only as long as those that are open last`,
    databaseCause(error)?.remedy ?? 'see the log of Postgres; after an update of its packages restart it',
  );
}
