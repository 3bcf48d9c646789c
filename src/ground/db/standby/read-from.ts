import type { Db } from '../client.ts';
import { isDatabaseFailure, isStatementTimeout } from '../condition/failures.ts';
import type { Standby } from './standby.ts';

/** Whether a failure concerns only the standby: it is unavailable, or its replay conflicted with the read. */
export function isFailureOfStandby(error: unknown): boolean {
  return isDatabaseFailure(error) && !isStatementTimeout(error);
}

/**
 * Runs a potentially large read on the standby, if there is one and it has everything that was written for the environment
 * (null: for any) before; otherwise, or if the standby fails meanwhile, on the primary. `read` must not write.
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
