import type { Queryable } from '../../ground/db/queryable.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { enqueue } from '../../ground/queue/enqueue.ts';
import type { Mailer } from './mailer.ts';
import { messageIdOf, newSecret } from './message-token.ts';
import type { Email } from './shapes.ts';
import { insertEmail } from './store/emails.ts';

type NewEmail = Pick<
  Email,
  'invoiceId' | 'kind' | 'reminder' | 'recipients' | 'message' | 'formats' | 'language'
> & {
  readonly by: string;
  /** The company's own address for copies; null without one. */
  readonly copyTo: string | null;
};

/** An e-mail without an attempt so far. */
export function newEmail({ from }: Mailer, { by, copyTo, ...content }: NewEmail): Email {
  const id = newId('eml');
  const now = clock.now();
  return {
    ...{ id, ...content, requestedBy: by, requestedAt: now },
    messageId: messageIdOf({ emailId: id, secret: newSecret() }, from),
    deliveries: deliveriesTo(content.recipients, copyTo),
    ...{ status: 'queued', attempts: 0, attemptBeganAt: null, nextAt: now },
    ...{ lastError: null, reason: null, settledAt: null },
  };
}

/** A recipient needs no additional copy. */
function deliveriesTo(recipients: readonly string[], copyTo: string | null): Email['deliveries'] {
  const waiting = { status: 'queued', response: null, statusCode: null } as const;
  const main = recipients.map((address) => ({ address, ...waiting, copy: false }));
  const isAmong = recipients.some((address) => address.toLowerCase() === copyTo?.toLowerCase());
  return copyTo === null || isAmong ? main : [...main, { address: copyTo, ...waiting, copy: true }];
}

/** Inserts an e-mail and adds the job of its environment, in the caller's transaction; false for a reminder that exists already. */
export async function queueEmail(client: Queryable, environmentId: number, email: Email): Promise<boolean> {
  if (!(await insertEmail(client, environmentId, email))) return false;
  await enqueue(client, [{ task: 'send_email', payload: { environmentId } }]);
  return true;
}
