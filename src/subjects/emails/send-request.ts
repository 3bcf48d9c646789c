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
    ).describe(
      'The addresses; default: the recipient’s address on the invoice. All recipients see each other’s addresses.',
    ),
    message: optional(paragraph(EMAIL_LIMITS.emailMessage.value)).describe(
      'Your own text above the amount. Line breaks are kept.',
    ),
    formats: optional(z.array(z.enum(FORMAT_NAMES)).max(FORMAT_NAMES.length)).describe(
      'Structured documents to be attached beside the PDF.',
    ),
  })
  .meta({ id: 'SendInvoiceRequest' });

export type SendRequest = z.output<typeof sendRequest>;
