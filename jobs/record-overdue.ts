import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { recordOverdue } from '../src/subjects/payments/overdue.ts';

/** Reports the invoices that were not paid by their due date. */
export function recordOverdueTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async (_payload, { abortSignal }) => {
    const recorded = await recordOverdue(db, abortSignal);
    if (recorded > 0) log.info({ recorded }, 'invoices are overdue');
  };
}
