import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../ground/config/config.ts';
import { closeDb, type Db, openDb } from '../ground/db/client.ts';
import type { WriteState } from '../ground/db/condition/write-state.ts';
import {
  type EmbeddedPostgres,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from '../ground/db/embedded/postgres.ts';
import { isCurrent, missingMigrations, NewerSchema } from '../ground/db/migrate.ts';
import { NotMigrated } from '../ground/db/migration-history.ts';
import { poolingFault } from '../ground/db/pooler.ts';
import { canLogIn } from '../ground/db/roles/arrange.ts';
import { type Derivation, derivedUrl } from '../ground/db/roles/credentials.ts';
import { connectionTarget, prepareDatabase, refuseUnsafePrivileges } from '../ground/db/roles/prepare.ts';
import { unsafePrivilegesOf } from '../ground/db/roles/privileges.ts';
import { sessionRole } from '../ground/db/server.ts';
import { Standby } from '../ground/db/standby/standby.ts';
import type { Logger } from '../ground/lib/logger.ts';
import type { Closing } from './closing.ts';
import { SERVICE_WAITS_MS, type Waiting, whenAvailable } from './wait-for-database.ts';

/** The connection URLs of the service's database, both with the runtime role. */
type Ways = {
  readonly url: string;
  readonly directUrl: string | null;
  /** For the service's own Postgres. */
  readonly writes?: WriteState;
};

/**
 * The configured database, or the service's own Postgres, migrated to the current schema. The result uses a role
 * that can neither change sealed rows nor grant itself that right; the owner's connections are closed.
 */
export async function openServiceDatabase(config: Config, log: Logger, closing: Closing): Promise<Db> {
  const waiting = { log, longestMs: SERVICE_WAITS_MS };
  if (config.databaseUrl !== null) return openConfigured(config, config.databaseUrl, waiting, closing);
  const { url, runtimeUrl, writes } = await startOwnPostgres(config, log, closing);
  await prepare(url, runtimeUrl, waiting);
  return openAsRuntime(config, { url: runtimeUrl, directUrl: null, writes }, waiting, closing);
}

/** The same database for a process beside the service, which must be running when the Postgres is its own. */
export async function openSharedDatabase(config: Config, waiting: Waiting, closing: Closing): Promise<Db> {
  if (config.databaseUrl !== null) return openConfigured(config, config.databaseUrl, waiting, closing);
  const url = runningPostgresUrl(config.dataDir);
  if (url === null)
    throw new Error(
      `no DATABASE_URL, and no service with a Postgres of its own is running on DATA_DIR (${config.dataDir})`,
    );
  await whenAvailable(waiting, () => whenLetIn(url));
  return openAsRuntime(config, { url, directUrl: null }, waiting, closing);
}

/** The standby for large reads; null when none is configured. A start does not depend on it. */
export async function openStandby(
  config: Pick<Config, 'databaseUrl' | 'databaseReadUrl' | 'databaseConnections'>,
  db: Db,
  log: Logger,
  closing: Closing,
): Promise<Standby | null> {
  if (config.databaseReadUrl === null) return null;
  const url = asSameRole(config.databaseReadUrl, config.databaseUrl!, db.pool.options.connectionString!);
  const standby = new Standby(url, db, {
    max: config.databaseConnections,
    log,
    unsafePrivilegesOf,
  });
  closing.add('standby', () => standby.end());
  await standby.start();
  return standby;
}

/** With an owner's URL for both servers the service uses its runtime role on both. */
function asSameRole(url: string, configured: string, used: string): string {
  const [own, given, runtime] = [new URL(url), new URL(configured), new URL(used)];
  if (own.username !== given.username) return url;
  own.username = runtime.username;
  own.password = runtime.password;
  return own.href;
}

async function startOwnPostgres(config: Config, log: Logger, closing: Closing): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  closing.add('Postgres', () => postgres.stop());
  return postgres;
}

/** A service that starts for the first time creates the role shortly after its Postgres. */
const FIRST_START_MS = 10_000;

async function whenLetIn(url: string): Promise<void> {
  const deadline = performance.now() + FIRST_START_MS;
  while (!(await canLogIn(url)) && performance.now() < deadline) await pause(100);
}

async function openConfigured(config: Config, url: string, waiting: Waiting, closing: Closing): Promise<Db> {
  const { databaseOwnerUrl: ownerUrl, databaseDirectUrl: directUrl } = config;
  if (ownerUrl !== null) {
    await whenAvailable(waiting, () => connectionTarget(ownerUrl));
    await prepare(ownerUrl, directUrl ?? url, waiting);
  }
  const fault = await whenAvailable(waiting, () => poolingFault(url, directUrl));
  if (fault !== null) throw new Error(fault);
  const configured = { url, directUrl };
  const ways = ownerUrl === null ? await prepareBySelf(config, configured, waiting) : configured;
  return openAsRuntime(config, ways, waiting, closing);
}

/** Migrates if the only URL is an owner's, and returns the URL with the runtime role. */
async function prepareBySelf(config: Config, configured: Ways, waiting: Waiting): Promise<Ways> {
  const session = configured.directUrl ?? configured.url;
  const { database, role, migrates, unsafePrivileges } = await whenAvailable(waiting, () =>
    connectionTarget(session),
  );
  if (unsafePrivileges.length === 0) return configured;
  if (!migrates) refuseUnsafePrivileges(role, unsafePrivileges);
  const ways = derivedWays(configured, { ownerUrl: session, database, secret: config.checkpointSeed });
  await prepare(session, ways.directUrl ?? ways.url, waiting);
  return ways;
}

/** With the runtime role. */
function derivedWays({ url, directUrl }: Ways, derivation: Derivation): Ways {
  return {
    url: derivedUrl(url, derivation),
    directUrl: directUrl === null ? null : derivedUrl(directUrl, derivation),
  };
}

async function prepare(ownerUrl: string, runtimeUrl: string, waiting: Waiting): Promise<void> {
  // A standby that is about to be promoted answers already, but rejects writes.
  const applied = await whenAvailable(waiting, () => prepareDatabase(ownerUrl, runtimeUrl)).catch((error) => {
    // The process starts, to say so (startup/lineage.ts); a command refuses.
    if (error instanceof NewerSchema) return [];
    throw error;
  });
  if (applied.length > 0) waiting.log.info({ applied }, 'migrations applied');
}

async function openAsRuntime(config: Config, ways: Ways, waiting: Waiting, closing: Closing): Promise<Db> {
  const { url, directUrl, writes } = ways;
  const max = config.databaseConnections;
  const db = openDb(url, { max, log: waiting.log, directUrl, ...(writes && { writes }) });
  closing.add('database connections', () => closeDb(db));
  for (const pool of new Set([db.pool, db.sessions])) {
    const { role, unsafePrivileges } = await whenAvailable(waiting, async () => {
      return { role: await sessionRole(pool), unsafePrivileges: await unsafePrivilegesOf(pool) };
    });
    // A pooler may log in with another role than the URL names.
    refuseUnsafePrivileges(role, unsafePrivileges);
  }
  if (await whenAvailable(waiting, () => isCurrent(db.sessions))) return db;
  const missing = await missingMigrations(db.sessions).catch(() => []);
  const what =
    missing.length === 0 ? 'rights of the role that the service runs as' : `migrations (${listed(missing)})`;
  throw new NotMigrated(
    `the database lacks ${what}: run "lacre database migrate" with DATABASE_OWNER_URL (docs/guides/deployment.md, Roles of the database)`,
  );
}

/** The first and the last of several names. */
function listed(names: readonly string[]): string {
  return names.length < 3 ? names.join(', ') : `${names.length}: ${names[0]} to ${names.at(-1)}`;
}
