import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { tellOverdue } from '../src/subjects/payments/overdue.ts';

/** Tells of the invoices that were not paid by their day. */
export function tellOverdueTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async (_payload, { abortSignal }) => {
    const told = await tellOverdue(db, abortSignal);
    if (told > 0) log.info({ told }, 'invoices are overdue');
  };
}
