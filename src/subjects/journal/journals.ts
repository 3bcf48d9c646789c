import type { Queryable } from '../../ground/db/queryable.ts';
import { journalNumbers } from './store/heads.ts';

/** The journals that have entries: of environments by their number, of the installation as 0. */
export async function listJournals(client: Queryable): Promise<number[]> {
  return journalNumbers(client);
}
