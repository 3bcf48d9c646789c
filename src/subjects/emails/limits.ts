import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of e-mail. */
export const EMAIL_LIMITS = {
  emailRecipients: {
    group: 'E-mail',
    value: 10,
    unit: 'items',
    bounds: 'Addresses of one message.',
    reason:
      'The people at one customer who handle its invoices. All of them see each other’s addresses, because it is one message.',
    beyond: '400 `invalid_request`',
  },
  emailMessage: {
    group: 'E-mail',
    value: 2_000,
    unit: 'items',
    bounds: 'Characters of the text that a company adds to a message.',
    reason: 'About a page; a longer text belongs in an attached letter.',
    beyond: '400 `invalid_request`',
  },
  emailAttachments: {
    group: 'E-mail',
    value: 7 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'The files of one message together, before they are encoded.',
    reason:
      'Encoded (base64) they are 10 MB, which strict mail servers accept. An invoice of 500 lines is a tenth of it.',
    beyond: 'the message contains a link to the PDF instead; with larger structured documents sending fails',
  },
  remindersOfInvoice: {
    group: 'E-mail',
    value: 10,
    unit: 'items',
    bounds: 'Reminders in a company’s schedule for one overdue invoice.',
    reason: 'Ten reminders without an answer are enough.',
    beyond: '400 `invalid_request`',
  },
  reminderDay: {
    group: 'E-mail',
    value: 365,
    unit: 'items',
    bounds: 'Days after the due date on which a reminder may be sent.',
    reason: 'After a year, payment is no longer a matter for automatic reminders.',
    beyond: '400 `invalid_request`',
  },
  reminderLate: {
    group: 'E-mail',
    value: 7,
    unit: 'items',
    bounds:
      'Days for which a reminder is still sent that could not be sent on its own day, because no worker or no mail server was available.',
    reason: 'An outage of a week suppresses no reminder; weeks later one would be unexpected.',
    beyond: 'it is skipped, and the next one of the schedule is sent on its day',
  },
  emailConnecting: {
    group: 'E-mail',
    value: 20_000,
    unit: 'ms',
    bounds: 'The time in which a mail server must accept the connection and send its greeting.',
    reason: 'Servers that look up the client’s name take a few seconds.',
    beyond: 'the attempt fails; the next one follows later',
  },
  emailSilence: {
    group: 'E-mail',
    value: 60_000,
    unit: 'ms',
    bounds: 'How long a mail server may be silent while it receives a message.',
    reason: 'A server that scans for viruses before it answers takes less than a minute for 10 MB.',
    beyond: 'the attempt fails; the next one follows later',
  },
  emailAttempt: {
    group: 'E-mail',
    value: 300_000,
    unit: 'ms',
    bounds: 'One attempt to deliver a message to the mail server, from start to end.',
    reason:
      'A message of 10 MB at 40 KB per second. After this time an attempt whose process died is considered ended and is repeated.',
    beyond: 'connection closed; the next attempt follows later',
  },
  emailsAtOnce: {
    group: 'E-mail',
    value: 4,
    unit: 'items',
    bounds: 'Messages that one process delivers at once. Environments take turns.',
    reason: 'Mail servers accept this many connections of one client without complaint.',
    beyond: 'the message waits its turn',
  },
  bounceBytes: {
    group: 'E-mail',
    value: 256 * 1024,
    unit: 'bytes',
    bounds: 'The part of a bounce message that is read.',
    reason:
      'A report states in its first few kilobytes what was not delivered, followed by the original message, although only its header was requested.',
    beyond: 'the rest is not read',
  },
  bounceDepth: {
    group: 'E-mail',
    value: 8,
    unit: 'levels',
    bounds: 'Nested parts of a bounce message.',
    reason: 'A report has two levels; mailing lists and virus scanners wrap it in another.',
    beyond: 'the message is `unreadable`',
  },
  bounceHead: {
    group: 'E-mail',
    value: 64 * 1024,
    unit: 'bytes',
    bounds: 'The headers of all parts of a bounce message, except those of the original message in it.',
    reason: 'Each server on the way adds some; ten servers add less than half of it.',
    beyond: 'the message is `unreadable`',
  },
  bounceTime: {
    group: 'E-mail',
    value: 10_000,
    unit: 'ms',
    bounds: 'Reading one bounce message, in its own thread.',
    reason:
      'It takes a few milliseconds after the start of the thread; the rest is reserve for a busy machine.',
    beyond: 'the message is `unreadable`',
  },
  bouncesWaiting: {
    group: 'E-mail',
    value: 50,
    unit: 'items',
    bounds: 'Bounce messages that wait to be read in one process.',
    reason: 'A mail server submits about this many at once, of a few kilobytes each.',
    beyond: '429 `rate_limited`',
  },
  emailsInFolder: {
    group: 'E-mail',
    value: 500,
    unit: 'items',
    bounds: 'Messages that a demo keeps in its folder.',
    reason: 'More than anybody reads; the folder must not fill the disk.',
    beyond: 'the oldest is deleted',
  },
} as const satisfies Record<string, Limit>;
