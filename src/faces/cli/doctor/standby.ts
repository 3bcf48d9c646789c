import type { Config } from '../../../ground/config/config.ts';
import { closeDb, type Db, openDb } from '../../../ground/db/client.ts';
import { readPositions, standbyState } from '../../../ground/db/standby/store.ts';
import { createLogger } from '../../../ground/lib/logger.ts';
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts';

const CHECK = 'standby';

/** Farther behind than this most who have just written something are answered by the primary. */
const LATE_SECONDS = 10;

/** Whether the standby that reads are to be answered from is one of this database, and how far it is behind. */
export async function standby({ databaseReadUrl }: Config, primary: Db): Promise<Finding[]> {
  if (databaseReadUrl === null) return [];
  const db = openDb(databaseReadUrl, { max: 1, log: createLogger('silent') });
  try {
    const [{ standby: follows, system, lag }, own] = await Promise.all([
      standbyState(db.pool),
      readPositions(primary.pool, []),
    ]);
    if (!follows)
      return [failure(CHECK, 'DATABASE_READ_URL is a server that is not a standby', 'set it to a standby')];
    if (system !== own.system)
      return [
        failure(
          CHECK,
          'it is a standby of another database',
          'set DATABASE_READ_URL to a standby of this one',
        ),
      ];
    if (lag > LATE_SECONDS)
      return [
        warning(
          CHECK,
          `it is ${Math.round(lag)} s behind`,
          'check it for long queries, and its disk and network',
        ),
      ];
    return [ok(CHECK, 'it replicates this database without lag')];
  } catch (error) {
    return [
      warning(
        CHECK,
        `does not answer: ${reasonOf(error)}; the primary answers instead`,
        'check DATABASE_READ_URL',
      ),
    ];
  } finally {
    await closeDb(db);
  }
}
