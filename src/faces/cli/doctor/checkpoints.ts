import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { openObjectStore } from '../../../subjects/documents/object-store.ts';
import { checkpointPlaces, unreachableCheckpoints } from '../../../subjects/journal/keep-checkpoints.ts';
import { checkpointFigures } from '../../../subjects/operations/store/read-views.ts';
import { type Finding, ok, reasonOf, warning } from './finding.ts';

/** One is taken each night, and there may be a night in which nothing runs. */
const LONG_SECONDS = 2 * 24 * 60 * 60;

/** Whether what the journals prove is kept outside the database, and since when. */
export async function checkpoints(config: Config, db: Db): Promise<Finding[]> {
  const { sinceLastSeconds, uncoveredSeconds, uncovered } = await checkpointFigures(db.pool);
  const last =
    sinceLastSeconds === null ? 'none was taken yet' : `the last one was taken ${ago(sinceLastSeconds)} ago`;
  const rest = `${uncovered} entries of the journals are not covered`;
  const elsewhere = await unreachableCheckpoints(db, checkpointPlaces(config, null));
  if (elsewhere !== null)
    return [
      warning(
        'checkpoints',
        `${last}; ${elsewhere}`,
        'run doctor and verify there, as the user and with the settings of the service (CHECKPOINT_DIR, CHECKPOINT_KEY, DATA_DIR)',
      ),
    ];
  const summary = `${last}, kept in ${config.checkpointDir}${await bucketOf(config)}; ${rest}`;
  if (uncoveredSeconds < LONG_SECONDS) return [ok('checkpoints', summary)];
  const remediation = `the oldest entry has waited for ${ago(uncoveredSeconds)}: look for verify_chains and take_checkpoints in "lacre jobs list" and in the log`;
  return [warning('checkpoints', summary, remediation)];
}

async function bucketOf({ objectStore: config }: Config): Promise<string> {
  if (config?.storesNew !== true) return '';
  const store = openObjectStore(config);
  try {
    const locked = (await store.hasLock()) ? 'with' : 'without';
    return ` and in the bucket ${config.bucket}, ${locked} object lock`;
  } catch (error) {
    return ` and in the bucket ${config.bucket}, which does not answer: ${reasonOf(error)}`;
  } finally {
    store.close();
  }
}

function ago(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
