import { z } from 'zod';
import { fault, id, optional } from '../../ground/lib/request-fields.ts';
import { line } from '../../ground/lib/text.ts';
import { requireNamedLines } from '../issuing/named-originals.ts';
import { invoiceFields, recipientRequest } from '../issuing/request.ts';
import { extendedAmount } from '../taxes/line-amount.ts';

/** FacturasSustituidas holds a thousand references (XSD). */
export const MAX_TICKETS = 1_000;

const acted = line(500).describe('Why; kept in the audit log.');

/** The request to exchange simplified invoices for a complete one. */
export const exchangeRequest = z
  .strictObject({
    ticketIds: z
      .array(id)
      .min(1)
      .max(MAX_TICKETS)
      .describe(
        'Simplified invoices of one environment. For a corrected one, give the id of its last correction.',
      ),
    recipient: recipientRequest.describe('The recipient of the complete invoice.'),
    externalId: invoiceFields.externalId,
    notes: invoiceFields.notes,
    reason: optional(line(500)).describe('The reason of an operator; kept in the audit log.'),
  })
  .meta({
    id: 'ExchangeRequest',
    description: 'The simplified invoices to exchange for a complete one, and its recipient.',
  });

export type ExchangeRequest = z.output<typeof exchangeRequest>;

const exchangeInvoiceId = id.describe('The exchange invoice of the sale, in force.');

const returnFields = {
  ticketId: optional(id).describe(
    'The ticket that is taken back from; required when the exchange invoice stands for several.',
  ),
  lineItems: invoiceFields.lineItems.describe('What is taken back: every line with a negative amount.'),
  reason: acted,
  externalId: invoiceFields.externalId.describe('Your own reference, of the rectificativa.'),
};

type Returned = { readonly lineItems: z.output<typeof invoiceFields.lineItems> };

/** A line that takes nothing back belongs on an invoice of its own. */
function requireTakenBack({ lineItems }: Returned, check: z.RefinementCtx): void {
  requireNamedLines({ lineItems }, check);
  for (const [index, item] of lineItems.entries()) {
    if (extendedAmount(item) < 0) continue;
    fault(check, ['lineItems', index, 'unitAmount'], 'too_big', 'must be negative: it is taken back');
  }
}

const RETURN = 'What a customer returns of an exchanged ticket.';

/** The body of a return. */
export const returnBody = z
  .strictObject(returnFields)
  .superRefine(requireTakenBack)
  .meta({ id: 'ExchangeReturnRequest', description: RETURN });

/** The request of a return. */
export const returnRequest = z
  .strictObject({ exchangeInvoiceId, ...returnFields })
  .superRefine(requireTakenBack)
  .meta({ description: RETURN });

export type ReturnRequest = z.output<typeof returnRequest>;

const replacementFields = {
  recipient: recipientRequest.describe('The right recipient.'),
  reason: acted,
  externalId: invoiceFields.externalId.describe('Your own reference, of the right exchange invoice.'),
};

const REPLACEMENT = 'The right recipient of an exchange invoice.';

/** The body of a replacement. */
export const replacementBody = z
  .strictObject(replacementFields)
  .meta({ id: 'ExchangeReplacementRequest', description: REPLACEMENT });

/** The request of a replacement. */
export const replacementRequest = z
  .strictObject({ exchangeInvoiceId, ...replacementFields })
  .meta({ description: REPLACEMENT });

export type ReplacementRequest = z.output<typeof replacementRequest>;
