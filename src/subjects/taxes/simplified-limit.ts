import { Refusal } from '../../ground/errors/refusal.ts';
import { type Cents, decimalAmount } from '../../ground/lib/money.ts';
import { onLine } from './line-tax.ts';
import { type TaxType, taxTypes } from './types.ts';

/**
 * The most that a simplified invoice may come to, with tax and inclusive: docs/contract.md#issuing; the agency rejects an F2 above it (1150). The law
 * allows it to the activities of RD 1619/2012 art. 4.2 and to all others 400 EUR (art. 4.1), but what a company sells is not known.
 */
const SIMPLIFIED_LIMIT: Cents = 300_000;

type Line = { readonly taxItems: readonly { readonly type: TaxType }[] };

/**
 * What forbids that an invoice is simplified: a tax that needs an identified recipient (`simplified_incompatible_tax_type`), then its total
 * (`simplified_amount_exceeded`). Null if nothing does.
 */
export function simplifiedRefusal(lines: readonly Line[], total: Cents): Refusal | null {
  for (const [index, { taxItems }] of lines.entries()) {
    const { type } = taxItems[0]!;
    if (taxTypes[type].needsIdentifiedRecipient) {
      return onLine('simplified_incompatible_tax_type', index, `${type} needs an identified recipient.`);
    }
  }
  if (total <= SIMPLIFIED_LIMIT) return null;
  const detail = `A simplified invoice is capped at 3000.00 EUR including tax (by law at 400.00 EUR outside the activities of RD 1619/2012 art. 4.2); this one comes to ${decimalAmount(total)}.`;
  return new Refusal('simplified_amount_exceeded', detail);
}
