import { LacreError } from '@lacre/client';

/** What the shopkeeper reads beside an order whose invoice failed: what is wrong, and whether to do something about it. */
export type Explanation = { readonly text: string; readonly retries: boolean };

const TEXTS: Readonly<Record<string, string>> = {
  invalid_tax_id:
    'The NIF is not that of this name. Ask the customer for both as they are on the identity card.',
  insufficient_recipient_data: 'The name of the customer is missing, too short or too long.',
  simplified_amount_exceeded: 'Above 3,000 EUR a ticket is not enough. Ask the customer for NIF and address.',
  invalid_tax_rate: 'A product has a tax rate that is not in force. Correct the product, then issue again.',
  family_balance_below_zero: 'More would be refunded than was paid.',
  aeat_mandate_not_approved:
    'The company may not issue yet. The provider of the invoicing service knows why.',
  no_active_subscription: 'The subscription of the invoicing service has ended.',
};

/** Explains any failure of a call. Refusals of the service stay until the order changes; everything else passes by itself. */
export function explain(error: unknown): Explanation {
  if (!(error instanceof LacreError)) throw error;
  const { code, status, errors, message, requestId } = error;
  if (code === 'no_answer' || status === 429 || status >= 500)
    return { text: 'The invoicing service is busy or not reached. It is tried again.', retries: true };
  const text = TEXTS[code] ?? message;
  const fields = errors.map((issue) => `${issue.field}: ${issue.message}`);
  const details = TEXTS[code] === undefined && fields.length > 0 ? ` (${fields.join('; ')})` : '';
  return { text: `${text}${details} [${code}, request ${requestId ?? 'unknown'}]`, retries: false };
}
