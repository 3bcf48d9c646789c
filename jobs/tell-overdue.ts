import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { tellOverdue } from '../src/subjects/payments/overdue.ts';

/** Reports the invoices that were not paid by their due date. */
export function tellOverdueTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async (_payload, { abortSignal }) => {
    const told = await tellOverdue(db, abortSignal);
    if (told > 0) log.info({ told }, 'invoices are overdue');
  };
}
