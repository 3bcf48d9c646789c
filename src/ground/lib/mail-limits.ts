import type { Limit } from './limit.ts';

/** The bounds on what is sent by e-mail; part of `LIMITS`. */
export const MAIL_LIMITS = {
  emailRecipients: {
    group: 'E-mail',
    value: 10,
    unit: 'items',
    bounds: 'Addresses that one message goes to.',
    reason:
      'The people of one customer who deal with its invoices. All of them see each other’s addresses: it is one message.',
    beyond: '400 `invalid_request`',
  },
  emailMessage: {
    group: 'E-mail',
    value: 2_000,
    unit: 'items',
    bounds: 'Characters of the text that a company adds to a message.',
    reason: 'A page; what is longer is a letter, and belongs in one.',
    beyond: '400 `invalid_request`',
  },
  emailAttachments: {
    group: 'E-mail',
    value: 7 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'The files of one message together, before they are written as text.',
    reason:
      'Written as text (base64) they have 10 MB, which is what strict mail servers take. An invoice of 500 lines has a tenth of it.',
    beyond: 'the message has a link to the PDF in its place; structured documents beyond it fail the message',
  },
  emailRate: {
    group: 'E-mail',
    value: 300,
    unit: 'per minute',
    bounds: 'Addresses that an environment sends to, counted over all processes.',
    reason:
      'A month’s invoices of a small company in a minute. What is sent comes from the installation’s one address, whose good name all companies share.',
    beyond: '429 `rate_limited`',
  },
  remindersOfInvoice: {
    group: 'E-mail',
    value: 10,
    unit: 'items',
    bounds: 'Reminders that a company’s schedule has for one overdue invoice.',
    reason: 'Who has not answered ten letters does not answer the eleventh.',
    beyond: '400 `invalid_request`',
  },
  reminderDay: {
    group: 'E-mail',
    value: 365,
    unit: 'items',
    bounds: 'Days after the due day on which a reminder may be sent.',
    reason: 'What is not paid after a year is for others than a schedule to ask for.',
    beyond: '400 `invalid_request`',
  },
  reminderLate: {
    group: 'E-mail',
    value: 7,
    unit: 'items',
    bounds:
      'Days for which a reminder is still sent that could not be on its own, because no worker or no mail server was there.',
    reason: 'An outage of a week costs no reminder; weeks later it would come as if out of nothing.',
    beyond: 'it is left out, and the next one of the schedule is sent on its day',
  },
  remindersAtOnce: {
    group: 'E-mail',
    value: 100,
    unit: 'items',
    bounds: 'Reminders that are written down in one round of the job.',
    reason:
      'The accounts of their invoices are held for a fraction of a second: a payment that comes meanwhile hardly waits.',
    beyond: 'the rest follows in the next rounds of the same run',
  },
  emailConnecting: {
    group: 'E-mail',
    value: 20_000,
    unit: 'ms',
    bounds: 'The time in which a mail server must be reached and greet.',
    reason: 'Servers that look up who calls take some seconds to greet.',
    beyond: 'the attempt has failed; the next is made later',
  },
  emailSilence: {
    group: 'E-mail',
    value: 60_000,
    unit: 'ms',
    bounds: 'The time for which a mail server may say nothing while it is handed a message.',
    reason: 'A server that looks for viruses before it answers takes less than a minute for 10 MB.',
    beyond: 'the attempt has failed; the next is made later',
  },
  emailAttempt: {
    group: 'E-mail',
    value: 300_000,
    unit: 'ms',
    bounds: 'One attempt to hand over a message, from the first word to the last.',
    reason:
      'A message of 10 MB at 40 KB a second. An attempt whose process died is taken for over after this time, and made again.',
    beyond: 'connection closed; the next attempt is made later',
  },
  emailsAtOnce: {
    group: 'E-mail',
    value: 4,
    unit: 'items',
    bounds: 'Messages that one process is handing over at once. Environments take turns.',
    reason: 'What mail servers take from one client at once without complaint.',
    beyond: 'the message waits for its turn',
  },
  emailsInFolder: {
    group: 'E-mail',
    value: 500,
    unit: 'items',
    bounds: 'Messages that a demo keeps in its folder.',
    reason: 'More than anybody looks through; the folder must not fill the disk.',
    beyond: 'the oldest is removed',
  },
} as const satisfies Record<string, Limit>;
