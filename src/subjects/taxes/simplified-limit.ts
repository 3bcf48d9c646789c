import { Refusal } from '../../ground/errors/refusal.ts';
import { type Cents, decimalAmount } from '../../ground/lib/money.ts';
import { onLine } from './line-tax.ts';
import { type TaxType, taxTypes } from './types.ts';

/**
 * The most that a simplified invoice may come to, with tax and inclusive: docs/contract.md#issuing; the agency rejects an F2 above it (1150). The law
 * allows it to the activities of RD 1619/2012 art. 4.2 and to all others 400 EUR (art. 4.1), but what a company sells is not known.
 */
const SIMPLIFIED_LIMIT: Cents = 300_000;

/** Never on a simplified invoice, though it names its recipient: sales to other member states and exports (RD 1619/2012 art. 4.4). */
const NEVER_SIMPLIFIED: ReadonlySet<TaxType> = new Set(['eu_b2b', 'eu_b2b_services', 'eu_oss', 'export']);

/** What is not taxed in Spain, or not as a sale of an established business there: it alone needs no tax id of its recipient. */
const WITHOUT_TAX_ID: ReadonlySet<TaxType> = new Set(['eu_oss', 'es_non_taxable_localization']);

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
  return limitRefusal(total);
}

function limitRefusal(total: Cents): Refusal | null {
  if (total <= SIMPLIFIED_LIMIT) return null;
  const detail = `A simplified invoice is capped at 3000.00 EUR including tax (by law at 400.00 EUR outside the activities of RD 1619/2012 art. 4.2); this one comes to ${decimalAmount(total)}.`;
  return new Refusal('simplified_amount_exceeded', detail);
}

/** The same of a simplified invoice that identifies its recipient. */
export function qualifiedRefusal(lines: readonly Line[], total: Cents): Refusal | null {
  for (const [index, { taxItems }] of lines.entries()) {
    const { type } = taxItems[0]!;
    if (taxTypes[type].needsIdentifiedRecipient || NEVER_SIMPLIFIED.has(type)) {
      const message = `${type} goes on no simplified invoice (RD 1619/2012 art. 4.4): leave qualified_simplified out.`;
      return onLine('simplified_incompatible_tax_type', index, message);
    }
  }
  return limitRefusal(total);
}

/**
 * `invalid_tax_data` for a line whose recipient must be identified on a complete invoice (RD 1619/2012 art. 6.1.d); there is no limit to its
 * total (validations 3.1.3.15.8).
 */
export function unidentifiedRefusal(lines: readonly Line[]): Refusal | null {
  for (const [index, { taxItems }] of lines.entries()) {
    const { type } = taxItems[0]!;
    if (WITHOUT_TAX_ID.has(type)) continue;
    const message = `${type} needs the recipient's tax id (RD 1619/2012 art. 6.1.d); without it go eu_oss and es_non_taxable_localization alone.`;
    return onLine('invalid_tax_data', index, message);
  }
  return null;
}
