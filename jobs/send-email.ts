import type { Task } from 'graphile-worker';
import { writeMail } from '../src/faces/mail/message.ts';
import { enqueue } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Services } from '../src/services.ts';
import { deliverEmail } from '../src/subjects/emails/deliver.ts';

/** The task `send_email`: delivers an e-mail to the mail server, and adds a job for the next attempt if necessary. */
export function sendEmailTask(services: Services): Task {
  return async (payload) => {
    const { environmentId, emailId } = tasks.send_email.payload.parse(payload);
    const next = await deliverEmail({ ...services, writeMail }, environmentId, emailId);
    if (next === null) return;
    await enqueue(services.db.pool, [
      { task: 'send_email', payload: { environmentId, emailId }, runAt: next },
    ]);
  };
}
