import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { append } from '../../ground/journal/append.ts';
import { clock } from '../../ground/lib/clock.ts';
import { accountEntry } from './journal-entries.ts';
import { markOverdueRecorded, readUnrecordedOverdue } from './store/accounts.ts';

/**
 * Overdue invoices for which one round of the job writes journal entries. The journal of an environment is locked for
 * about 20 ms, and issuing gets its turn between two rounds.
 */
const OVERDUE_AT_ONCE = 200;

/**
 * Records, once for each invoice, that it was not paid by its due day: a journal entry, from which the event is
 * read. The status itself needs no job: it is computed at each read. What was missed while no job ran is recorded
 * by the next run. Returns how many were recorded.
 */
export async function recordOverdue({ pool }: Pick<Db, 'pool'>, signal?: AbortSignal): Promise<number> {
  let recorded = 0;
  while (signal?.aborted !== true) {
    const due = await readUnrecordedOverdue(pool, clock.now(), OVERDUE_AT_ONCE);
    if (due.length === 0) break;
    for (const [environmentId, own] of Map.groupBy(due, (account) => account.environmentId)) {
      const roots = own.map(({ rootId }) => rootId);
      const { today, at } = own[0]!;
      recorded += await inTransaction(pool, async (client) => {
        // Accounts that were paid, or recorded by another process, meanwhile are left out.
        const accounts = await markOverdueRecorded(client, environmentId, roots, { today, at });
        const entries = accounts.map((account) =>
          accountEntry('invoice.overdue', environmentId, account, at),
        );
        await append(client, entries);
        return accounts.length;
      });
    }
  }
  return recorded;
}
