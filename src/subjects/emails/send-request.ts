import { z } from 'zod';
import { emailAddress } from '../../ground/lib/email.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { optional } from '../../ground/lib/request-fields.ts';
import { paragraph } from '../../ground/lib/text.ts';
import { FORMAT_NAMES } from '../formats/types.ts';

/** The recipients and attachments of an e-mail. */
export const sendRequest = z
  .strictObject({
    // REST accepts one address as well as a list.
    to: optional(
      z
        .array(emailAddress)
        .min(1)
        .max(LIMITS.emailRecipients.value)
        .meta({ type: ['string', 'array'] }),
    ),
    message: optional(paragraph(LIMITS.emailMessage.value)),
    formats: optional(z.array(z.enum(FORMAT_NAMES)).max(FORMAT_NAMES.length)),
  })
  .meta({ id: 'SendInvoiceRequest' });

export type SendRequest = z.output<typeof sendRequest>;
