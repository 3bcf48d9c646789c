import { join } from 'node:path';
import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { writesRefusedIn } from '../../../ground/db/condition/write-state.ts';
import { DATABASE_LIMITS } from '../../../ground/db/limits.ts';
import { isStandby, tryWriting } from '../../../ground/db/server.ts';
import { CAUSES } from '../../../ground/lib/causes.ts';
import { diskSpace } from '../../../ground/lib/disk-space.ts';
import { type Finding, failure, ok, reasonOf } from './finding.ts';

const CHECK = 'database writes';
const MIB = 1024 * 1024;

/** Whether the database accepts writes: tried in a transaction that is rolled back. */
export async function databaseWrites({ pool }: Db, config: Config): Promise<Finding> {
  const embedded = config.databaseUrl === null;
  try {
    await tryWriting(pool);
    return ok(CHECK, 'taken');
  } catch (error) {
    const refusal = writesRefusedIn(error);
    if (refusal === null)
      return failure(
        CHECK,
        `refused: ${reasonOf(error)}`,
        'see docs/guides/deployment.md, Roles of the database',
      );
    if (embedded) return await fullDisk(config.dataDir);
    return refusal === 'disk_full' ? FULL : await readOnly(pool);
  }
}

/** The service's own Postgres refuses writes for this reason alone (db/embedded/disk-watch.ts). */
async function fullDisk(dataDir: string): Promise<Finding> {
  const directory = join(dataDir, 'postgres');
  const space = await diskSpace(directory);
  const needed = (DATABASE_LIMITS.diskReserve.value + DATABASE_LIMITS.diskRoomAgain.value) / MIB;
  const free =
    space === null
      ? ''
      : `: ${Math.floor(space.freeBytes / MIB)} MiB are free of the ${needed} MiB that are needed`;
  return failure(CHECK, `${CAUSES.disk_full} (${directory})${free}`, FREE_SPACE);
}

const FREE_SPACE =
  'free space on that disk, or enlarge it: writes are then accepted again automatically; do not delete Postgres files by hand';
const FULL = failure(CHECK, `${CAUSES.disk_full} (SQLSTATE 53100)`, FREE_SPACE);

async function readOnly(pool: Db['pool']): Promise<Finding> {
  if (await isStandby(pool))
    return failure(
      CHECK,
      `${CAUSES.read_only}, a standby`,
      'set DATABASE_URL to the primary, or promote this one',
    );
  return failure(
    CHECK,
    `${CAUSES.read_only}, default_transaction_read_only is on`,
    'find out who set it, for the server, the database or the role; managed databases do so when their disk is full',
  );
}
