import { bdi, type Html, html } from '../web/html.ts';
import { badge, table } from './components.ts';
import { moment } from './format.ts';
import { say, sayWith, wordOf } from './words.ts';

/** An e-mail of an invoice, as its page requests it. */
export type ShownEmail = {
  readonly id: string;
  readonly kind: 'invoice' | 'reminder';
  readonly reminderDays: number | null;
  readonly status: 'queued' | 'sent' | 'failed';
  readonly reason: string | null;
  readonly lastError: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly deliveries: readonly {
    readonly address: string;
    readonly status: 'queued' | 'sent' | 'refused' | 'bounced';
    readonly response: string | null;
    readonly statusCode: string | null;
    readonly copy: boolean;
  }[];
};

export const EMAIL_FIELDS = `id kind reminderDays status reason lastError attempts createdAt nextAttemptAt
  deliveries { address status response statusCode copy }`;

const STATES = {
  queued: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  refused: 'Refused',
  bounced: 'Bounced',
} as const;
const BADGES = {
  ...{ queued: 'pending', sent: 'registered', failed: 'rejected', refused: 'rejected', bounced: 'rejected' },
} as const;

/** The last e-mails of an invoice, with what became of each. */
export function emailList(emails: readonly ShownEmail[]): Html {
  return table(
    'E-mails',
    [
      {
        head: 'Requested',
        cell: (email) => html`${moment(email.createdAt)} <span class="under">${reasonOf(email)}</span>`,
      },
      { head: 'State', cell: stateOf },
      {
        head: 'To',
        cell: ({ deliveries }) =>
          deliveries.map(
            ({ address, status, response, statusCode, copy }) =>
              html`${bdi(address)}${copy && ` (${say('copy')})`}${deliveries.length > 1 && html` ${badge(BADGES[status], STATES[status])}`}<span class="under">${statusCode !== null && !response?.includes(statusCode) && html`${statusCode} `}${response !== null && bdi(response)}</span>`,
          ),
      },
    ],
    emails,
    'It has not been sent.',
  );
}

function stateOf({ status, reason, lastError, attempts, nextAttemptAt }: ShownEmail): Html {
  const again =
    nextAttemptAt !== null &&
    attempts > 0 &&
    html`, ${sayWith('again {when}', { when: moment(nextAttemptAt) })}`;
  return html`${badge(BADGES[status], STATES[status])}<span class="under">${reason !== null && wordOf(reason)} ${lastError}${again}</span>`;
}

function reasonOf({ kind, reminderDays }: ShownEmail): string {
  if (kind === 'invoice') return say('Invoice');
  return reminderDays === 1
    ? say('Reminder, 1 day overdue')
    : say('Reminder, {count} days overdue', { count: reminderDays ?? 0 });
}
