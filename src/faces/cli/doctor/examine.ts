import type { Config } from '../../../ground/config/config.ts';
import { closeDb, openDb } from '../../../ground/db/client.ts';
import { createLogger } from '../../../ground/lib/logger.ts';
import { agency } from './agency.ts';
import { auditWebhook } from './audit-webhook.ts';
import { causes } from './causes.ts';
import { certificates } from './certificates.ts';
import { chains } from './chains.ts';
import { checkpoints } from './checkpoints.ts';
import { cluster } from './cluster.ts';
import { database, databaseRole, databaseUrlOf, NO_DATABASE } from './database.ts';
import { documents } from './documents.ts';
import { encryptedRows } from './encrypted.ts';
import { endsOfVerifactu, environments, numbersOfNif } from './environments.ts';
import type { Finding } from './finding.ts';
import { jobs } from './jobs.ts';
import { registerBooks } from './register-books.ts';
import { recordAgainstSchemas } from './schemas.ts';
import { nodeVersion, settings, softwareBlock } from './settings.ts';
import { standby } from './standby.ts';
import { databaseWrites } from './writes.ts';

/** Looks at everything that registering depends on, and changes nothing. Each finding comes as soon as it is known. */
export async function* examine(config: Config): AsyncGenerator<Finding> {
  yield nodeVersion(process.versions.node);
  yield* settings(config);
  yield softwareBlock(config);
  yield recordAgainstSchemas(config);
  const url = databaseUrlOf(config);
  if (url === null) {
    yield NO_DATABASE;
    yield* await outside(config, null);
    return;
  }
  const { databaseDirectUrl: directUrl } = config;
  const db = openDb(url, { max: 2, log: createLogger('silent'), directUrl });
  try {
    const found = await database(db, url, directUrl);
    yield found;
    const whole = found.result === 'ok';
    if (whole) yield* await databaseRole(config, url);
    if (whole) yield await databaseWrites(db, config);
    if (whole) yield* await causes(config, db);
    if (whole) yield* await standby(config, db);
    if (whole) yield* await cluster(config, db);
    yield* await outside(config, whole ? db : null);
    if (!whole) return;
    yield await environments(db);
    yield await numbersOfNif(db);
    yield* await endsOfVerifactu(db);
    yield* await encryptedRows(config, db);
    yield* await chains(db);
    yield* await jobs(db);
    yield* await auditWebhook(config, db);
    yield* await checkpoints(config, db);
    yield* await registerBooks(db);
  } finally {
    await closeDb(db);
  }
}

async function outside(config: Config, db: Parameters<typeof certificates>[1]): Promise<Finding[]> {
  const candidates = await certificates(config, db);
  return [
    ...candidates.map(({ finding }) => finding),
    ...(await agency(config, candidates)),
    ...(await documents(config, db)),
  ];
}
