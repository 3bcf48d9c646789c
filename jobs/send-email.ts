import type { Task } from 'graphile-worker';
import { writeMail } from '../src/faces/mail/message.ts';
import { enqueueNoLaterThan } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Delivering } from '../src/subjects/emails/deliver.ts';
import { deliverDue } from '../src/subjects/emails/deliver-due.ts';

/**
 * The task `send_email`: delivers the e-mails of an environment that are due to the mail server, and adds the job of the
 * next turn or attempt if necessary.
 */
export function sendEmailTask(services: Omit<Delivering, 'writeMail'>): Task {
  return async (payload, { abortSignal }) => {
    const { environmentId } = tasks.send_email.payload.parse(payload);
    const runAt = await deliverDue({ ...services, writeMail }, environmentId, abortSignal);
    if (runAt === null) return;
    // Further e-mails belong to other requests: otherwise the trace of this one would never end.
    const job = { task: 'send_email', payload: { environmentId }, trace: null } as const;
    await enqueueNoLaterThan(services.db.pool, { ...job, runAt });
  };
}
