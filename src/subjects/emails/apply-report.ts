import { inAscii } from './mailer.ts';
import type { Report, ReportedRecipient } from './read-report.ts';
import type { Delivery, Email } from './shapes.ts';
import type { BounceOutcome } from './types.ts';

/** The fields of an e-mail that a report may change. */
export type ReportChanges = Pick<
  Email,
  'status' | 'reason' | 'deliveries' | 'lastError' | 'nextAt' | 'settledAt'
>;

/**
 * Used for an e-mail with several recipients when a report names none of them, because a recipient's mail is
 * forwarded.
 */
const FORWARDED = 'it came back from an address that a recipient forwards to';

/**
 * The changes that a report makes to an e-mail; `after` is null when nothing changes. A failure is final, so an
 * e-mail with no other pending recipient is settled by it. A delay only replaces the server's last answer.
 * `hasFailed`: whether it has failed for a recipient for whom that was not known. A failed copy to the company itself
 * is shown, but is no failure of the e-mail.
 */
export function applyReport(
  email: Email,
  { recipients }: Report,
  at: Date,
): { readonly outcome: BounceOutcome; readonly hasFailed: boolean; readonly after: ReportChanges | null } {
  let deliveries = email.deliveries;
  let { lastError } = email;
  let hasFailed = false;
  for (const recipient of recipients) {
    const index = deliveryOf(email, recipient);
    if (index !== null) {
      const before = deliveries[index]!;
      const after = reported(before, recipient);
      deliveries = deliveries.with(index, after);
      if (after.status === 'bounced' && before.status !== 'bounced' && !before.copy) hasFailed = true;
    } else if (recipient.action === 'failed') {
      if (lastError !== FORWARDED) hasFailed = true;
      lastError = FORWARDED;
    }
  }
  const outcome = recipients.some(({ action }) => action === 'failed') ? 'bounced' : 'delayed';
  const isKnown =
    lastError === email.lastError && JSON.stringify(deliveries) === JSON.stringify(email.deliveries);
  if (isKnown) return { outcome: 'already_known', hasFailed, after: null };
  const waits = deliveries.some(({ status }) => status === 'queued');
  if (!hasFailed || (email.status === 'queued' && waits))
    return { outcome, hasFailed, after: { ...email, deliveries, lastError } };
  const settledAt = email.settledAt ?? at;
  return {
    ...{ outcome, hasFailed },
    after: { deliveries, lastError, status: 'failed', reason: 'bounced', nextAt: null, settledAt },
  };
}

/**
 * The recipient of a report: by the original address, else by the final one; with one recipient always that one.
 */
function deliveryOf({ deliveries }: Email, { original, final }: ReportedRecipient): number | null {
  const addresses = deliveries.map(({ address }) => inAscii(address).toLowerCase());
  for (const recipient of [original, final]) {
    const index = recipient === null ? -1 : addresses.indexOf(inAscii(recipient));
    if (index >= 0) return index;
  }
  return deliveries.filter(({ copy }) => !copy).length === 1 ? 0 : null;
}

function reported(before: Delivery, { action, statusCode, diagnostic }: ReportedRecipient): Delivery {
  // A failure stays, even if a delay warning arrives later.
  if (before.status === 'bounced' || before.status === 'refused') return before;
  const reported = { response: diagnostic ?? before.response, statusCode: statusCode ?? before.statusCode };
  return action === 'failed' ? { ...before, ...reported, status: 'bounced' } : { ...before, ...reported };
}
