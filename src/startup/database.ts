import type { Config } from '../config.ts';
import { closeDb, type Db, openDb } from '../db/client.ts';
import { type EmbeddedPostgres, runningPostgresUrl, startEmbeddedPostgres } from '../db/embedded/postgres.ts';
import { migrate } from '../db/migrate.ts';
import { poolingFault } from '../db/pooler.ts';
import type { WriteState } from '../db/write-state.ts';
import type { Logger } from '../lib/logger.ts';
import type { Closing } from './closing.ts';
import { onceThere } from './wait-for-database.ts';

/** The oldest release that is tested and still maintained (until November 2027). */
const OLDEST_POSTGRES = 150_000;

/** The configured database, or else the service's own Postgres, brought to the present schema. */
export async function openServiceDatabase(config: Config, log: Logger, closing: Closing): Promise<Db> {
  if (config.databaseUrl !== null) return openMigrated(config, { url: config.databaseUrl }, log, closing);
  return openMigrated(config, await startOwnPostgres(config, log, closing), log, closing);
}

/** The same database for a process beside the service, which must be running when the Postgres is its own. */
export async function openSharedDatabase(config: Config, log: Logger, closing: Closing): Promise<Db> {
  const url = config.databaseUrl ?? runningPostgresUrl(config.dataDir);
  if (url === null) throw new Error('no DATABASE_URL, and no service with a Postgres of its own is running');
  return openMigrated(config, { url }, log, closing);
}

async function startOwnPostgres(config: Config, log: Logger, closing: Closing): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  closing.add('Postgres', () => postgres.stop());
  return postgres;
}

async function openMigrated(
  config: Config,
  { url, writes }: { readonly url: string; readonly writes?: WriteState },
  log: Logger,
  closing: Closing,
): Promise<Db> {
  // The service's own Postgres has nobody standing before it.
  const askPooler = () => onceThere(log, () => poolingFault(url, config.databaseDirectUrl));
  const fault = config.databaseUrl === null ? null : await askPooler();
  if (fault !== null) throw new Error(fault);
  const { databaseConnections: max, databaseDirectUrl: directUrl } = config;
  const db = openDb(url, { max, log, directUrl, ...(writes && { writes }) });
  closing.add('database connections', () => closeDb(db));
  const { rows } = await onceThere(log, () =>
    db.pool.query(`select current_setting('server_version_num')::int as version`),
  );
  const { version } = rows[0] as { version: number };
  if (version < OLDEST_POSTGRES) throw new Error(`Postgres 15 or newer is needed; this is ${version}`);
  // A standby that is about to be promoted answers already, and refuses to be written to.
  const applied = await onceThere(log, () => migrate(db.sessions));
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  return db;
}
