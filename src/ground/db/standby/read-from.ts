import type { Db } from '../client.ts';
import { isDatabaseFailure, tookTooLong } from '../condition/failures.ts';
import type { Standby } from './standby.ts';

/** Whether a standby failed in a way of which the primary knows nothing: it is gone, or its replay went before the read. */
export function isFailureOfStandby(error: unknown): boolean {
  return isDatabaseFailure(error) && !tookTooLong(error);
}

/**
 * Reads what may be large from the standby, when there is one and it has everything that was written for the environment
 * (for null: for anybody) before; else, or when it fails meanwhile, from the primary. `read` must not write.
 */
export async function readFromStandby<T>(
  { db, standby }: { readonly db: Pick<Db, 'pool'>; readonly standby: Standby | null },
  environmentId: number | null,
  read: (db: Pick<Db, 'pool'>) => Promise<T>,
): Promise<T> {
  if (standby === null || !(await standby.covers(environmentId))) return read(db);
  try {
    return await read(standby.db);
  } catch (error) {
    if (!isFailureOfStandby(error)) throw error;
    standby.suspect();
    return read(db);
  }
}
