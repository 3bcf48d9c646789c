import type { Db } from '../../../src/ground/db/client.ts';
import { journalAll } from '../../../src/subjects/journal/adopt.ts';

/** Tells the journal of what a test has written by hand, as of what was there before a service kept one. */
export async function journalMissing(db: Db, environmentId: number): Promise<void> {
  await journalAll(db, environmentId);
}
