import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { remindOverdue } from '../src/subjects/emails/remind.ts';

/** Writes down the reminders of overdue invoices that are due; each is sent by a job of its own. */
export function sendRemindersTask(services: Pick<Services, 'db' | 'mailer' | 'log'>): Task {
  return async (_payload, { abortSignal }) => {
    const made = await remindOverdue(services, null, abortSignal);
    if (made > 0) services.log.info({ made }, 'overdue invoices are reminded of');
  };
}
