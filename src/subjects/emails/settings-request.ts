import { z } from 'zod';
import { emailAddress } from '../../ground/lib/email.ts';
import { fault } from '../../ground/lib/request-fields.ts';
import { exactLine, paragraph } from '../../ground/lib/text.ts';
import { DOCUMENT_LANGUAGES } from '../extensions/types.ts';
import { EMAIL_LIMITS } from './limits.ts';

/** The length of a header line, which must hold the name with an address (RFC 5322, section 2.1.1). */
const LONGEST_NAME = 100;

/**
 * What a name may not have: it stands before the installation's address, and must not be taken for another one. Quotes,
 * brackets and `@` (also in their full width), and whatever is invisible or changes the direction of writing.
 */
const MISLEADING = /["“”„‟<>@\\\u2800]|:\/\/|\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Co}|\p{Cn}/u;

/** A sender's name as mail programs show it; nothing is left out of it, so that what would mislead is noticed. */
const senderName = exactLine(LONGEST_NAME).refine(
  (name) => !MISLEADING.test(name) && !MISLEADING.test(name.normalize('NFKC')),
  {
    error: 'must be a plain name, without quotes, brackets, addresses and invisible characters',
    params: { reason: 'invalid_characters' },
  },
);

/** Days after the due day, in any order, without duplicates. */
const reminderDays = z
  .array(z.int().min(1).max(EMAIL_LIMITS.reminderDay.value))
  .max(EMAIL_LIMITS.remindersOfInvoice.value)
  .superRefine((days, check) => {
    const again = days.findIndex((day, index) => days.indexOf(day) < index);
    if (again >= 0) fault(check, [again], 'duplicate', 'must not be there twice');
  });

/**
 * The e-mail settings that can be changed; a field that is not sent stays unchanged, and null restores the default.
 */
export const emailSettingsChange = z
  .strictObject({
    senderName: senderName
      .nullish()
      .describe('The name beside the sender’s address; null for the company’s legal name.'),
    replyTo: emailAddress.nullish().describe('The reply address; null for none.'),
    copyTo: emailAddress
      .nullish()
      .describe(
        'An address that gets a blind copy of each message; null for none. Setting one needs the scope `read` too.',
      ),
    reminderDays: reminderDays
      .nullish()
      .describe(
        'Days after the due date on which reminders for unpaid invoices are sent, in any order; empty or null for none.',
      ),
    reminderLanguage: z
      .enum(DOCUMENT_LANGUAGES)
      .nullish()
      .describe('The language of reminders; null for the language of the invoice.'),
    reminderMessage: paragraph(EMAIL_LIMITS.emailMessage.value)
      .nullish()
      .describe('Your own text in reminders; null for none. Line breaks are kept.'),
  })
  .meta({
    id: 'EmailSettingsChange',
    description: 'Changes of e-mail settings; omitted fields stay unchanged, null restores the default.',
  });

export type EmailSettingsChange = z.output<typeof emailSettingsChange>;
