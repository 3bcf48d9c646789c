import type { Queryable } from '../../ground/db/queryable.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { enqueue } from '../../ground/queue/enqueue.ts';
import { type Mailer, messageIdOf } from './mailer.ts';
import type { Email } from './shapes.ts';
import { insertEmail } from './store/emails.ts';

type Wanted = Pick<
  Email,
  'invoiceId' | 'kind' | 'reminder' | 'recipients' | 'message' | 'formats' | 'language'
> & { readonly by: string };

/** An e-mail that nobody has tried to hand over. */
export function newEmail({ from }: Mailer, { by, ...wanted }: Wanted): Email {
  const id = newId('eml');
  const now = clock.now();
  return {
    ...{ id, ...wanted, messageId: messageIdOf(id, from), requestedBy: by, requestedAt: now },
    deliveries: wanted.recipients.map((address) => ({ address, status: 'queued', response: null })),
    ...{ status: 'queued', attempts: 0, attemptBeganAt: null, nextAt: now },
    ...{ lastError: null, reason: null, settledAt: null },
  };
}

/** Writes an e-mail down with its job, in the caller's transaction; false for a reminder of which there is one already. */
export async function queueEmail(
  client: Queryable,
  { recent }: Mailer,
  environmentId: number,
  email: Email,
): Promise<boolean> {
  if (!(await insertEmail(client, environmentId, email))) return false;
  const payload = { environmentId, emailId: email.id };
  await enqueue(client, [{ task: 'send_email', payload, priority: recent.priorityOf(environmentId) }]);
  return true;
}
