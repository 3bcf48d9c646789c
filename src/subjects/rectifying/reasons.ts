import { Refusal } from '../../ground/errors/refusal.ts';
import type { InvoiceRow } from '../invoices/rows.ts';
import type { Recipient } from '../recipients/recipient.ts';

type Reason = NonNullable<InvoiceRow['rectification_reason']>;

/** The agency's types by reason (Orden HAC/1177/2024, annex L2); simplified rectificativas are always R5. */
export const REASON_TYPES = {
  correction: 'R1',
  insolvency: 'R2',
  uncollectible: 'R3',
  other: 'R4',
  // LIVA art. 80.Uno.2 is one of the grounds of R1.
  volume_discount: 'R1',
} as const;

/** R2 allows NIF, EU VAT number and unregistered recipients (1192), R3 only NIF and unregistered ones (1191). */
const RECIPIENTS_BY_REASON: Partial<Record<Reason, readonly string[]>> = {
  insolvency: ['es_nif', 'eu_vat', 'not_registered'],
  uncollectible: ['es_nif', 'not_registered'],
};

/**
 * `reason_incompatible_with_recipient` when a complete rectificativa with that reason cannot have such a recipient.
 */
export function reasonRefusal(reason: Reason, taxIdType: Recipient['taxIdType']): Refusal | null {
  const admitted = RECIPIENTS_BY_REASON[reason];
  if (admitted === undefined || (taxIdType !== null && admitted.includes(taxIdType))) return null;
  return new Refusal(
    'reason_incompatible_with_recipient',
    `Reason ${reason} admits recipients with ${admitted.join(', ')} only.`,
  );
}
