import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { remindOverdue } from '../src/subjects/emails/remind.ts';

/** Queues the reminders of overdue invoices that are due. */
export function sendRemindersTask(services: Pick<Services, 'db' | 'mailer' | 'rateLimits' | 'log'>): Task {
  return async (_payload, { abortSignal }) => {
    const queued = await remindOverdue(services, null, abortSignal);
    if (queued > 0) services.log.info({ queued }, 'reminders of overdue invoices queued');
  };
}
