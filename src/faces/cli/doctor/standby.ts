import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../../ground/config/config.ts';
import { closeDb, type Db, openDb } from '../../../ground/db/client.ts';
import {
  type Positions,
  readPositions,
  type StandbyState,
  standbyState,
} from '../../../ground/db/standby/store.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { createLogger } from '../../../ground/lib/logger.ts';
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts';

const CHECK = 'standby';

/** Farther behind than this most who have just written something are answered by the primary. */
const LATE_SECONDS = 10;

/** What it replayed last may be old because nothing was written since: it has this time to replay what is new. */
const REPLAY_MS = 1_000;
const POLL_MS = 100;

/** Whether the standby that reads are to be answered from is one of this database, and how far it is behind. */
export async function standby({ databaseReadUrl }: Config, primary: Db): Promise<Finding[]> {
  if (databaseReadUrl === null) return [];
  const db = openDb(databaseReadUrl, { max: 1, log: createLogger('silent') });
  try {
    const own = await readPositions(primary.pool, []);
    const { standby: follows, system, lag } = await withLag(db, own);
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
    if (lag === null || lag > LATE_SECONDS)
      return [
        warning(
          CHECK,
          lag === null ? 'it is behind' : `it is ${Math.round(lag)} s behind`,
          'check it for long queries, and its replication, disk and network',
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

/** Its state, and its delay in seconds behind what the primary had before; null if that is unknown. */
async function withLag(
  db: Db,
  { flushed }: Positions,
): Promise<StandbyState & { readonly lag: number | null }> {
  const deadline = performance.now() + REPLAY_MS;
  for (;;) {
    const state = await standbyState(db.pool);
    const isLevel = state.replayed !== null && state.replayed >= flushed;
    if (isLevel || !state.standby || performance.now() > deadline)
      return {
        ...state,
        lag: isLevel ? 0 : state.commit && (clock.now().getTime() - state.commit.getTime()) / 1_000,
      };
    await pause(POLL_MS);
  }
}
