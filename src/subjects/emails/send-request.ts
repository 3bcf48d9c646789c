import { z } from 'zod';
import { emailAddress } from '../../ground/lib/email.ts';
import { optional } from '../../ground/lib/request-fields.ts';
import { paragraph } from '../../ground/lib/text.ts';
import { FORMAT_NAMES } from '../formats/types.ts';
import { EMAIL_LIMITS } from './limits.ts';

/** The recipients and attachments of an e-mail. */
export const sendRequest = z
  .strictObject({
    // REST accepts one address as well as a list.
    to: optional(
      z
        .array(emailAddress)
        .min(1)
        .max(EMAIL_LIMITS.emailRecipients.value)
        .meta({ type: ['string', 'array'] }),
    ),
    message: optional(paragraph(EMAIL_LIMITS.emailMessage.value)),
    formats: optional(z.array(z.enum(FORMAT_NAMES)).max(FORMAT_NAMES.length)),
  })
  .meta({ id: 'SendInvoiceRequest' });

export type SendRequest = z.output<typeof sendRequest>;
