import { z } from 'zod';
import { emailAddress } from '../../ground/lib/email.ts';
import { line } from '../../ground/lib/text.ts';

/** As long as a header's line lets a name be with an address behind it (RFC 5322, section 2.1.1). */
const LONGEST_NAME = 100;

/** What may be changed of how an environment sends e-mail; what is not sent stays, and null goes back to the default. */
export const emailSettingsChange = z
  .strictObject({
    senderName: line(LONGEST_NAME).nullish(),
    replyTo: emailAddress.nullish(),
  })
  .meta({ id: 'EmailSettingsChange' });

export type EmailSettingsChange = z.output<typeof emailSettingsChange>;
