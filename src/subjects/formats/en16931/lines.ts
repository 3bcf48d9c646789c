import type { Outcome } from '../../../ground/errors/refusal.ts';
import { type Cents, decimalAmount } from '../../../ground/lib/money.ts';
import type { PrintedLine, PrintedTaxItem } from '../../documents/content.ts';
import { declaredDetail, type TaxDetail } from '../../taxes/breakdown.ts';
import type { TaxType } from '../../taxes/types.ts';
import { notApplicable } from '../format.ts';
import { netPrice } from '../net-price.ts';
import { ONE } from './code-lists.ts';
import { STANDARD } from './parties.ts';
import { type Treatment, treatmentOf } from './tax-categories.ts';
import type { SemanticLine, VatCategory } from './terms.ts';

/** A line with the classification of its tax. Amounts have the sign of the document. */
export type TreatedLine = {
  readonly line: SemanticLine;
  readonly treatment: Treatment;
  readonly category: VatCategory;
  readonly amount: Cents;
  readonly tax: Cents;
  readonly surcharge: { readonly rate: number; readonly amount: Cents } | null;
};

/**
 * The lines (BG-25). `sign` is -1 on a credit note, which states credited amounts without a minus sign. A price
 * must not be negative (BR-27): a discount line has a negative quantity instead. Refuses a tax that the standard
 * does not know (BT-151).
 */
export function linesOf(
  lines: readonly PrintedLine[],
  taxes: readonly TaxDetail[],
  sign: 1 | -1,
): Outcome<TreatedLine[]> {
  const treatments = new Map<string, Treatment | null>();
  const treated: TreatedLine[] = [];
  for (const [index, line] of lines.entries()) {
    const tax = line.taxItems[0];
    if (tax === undefined) return notApplicable(STANDARD, 'BT-151', `line ${index + 1} bears no tax`);
    const key = `${tax.type} ${tax.rate} ${tax.classified ?? ''}`;
    let treatment = treatments.get(key);
    if (treatment === undefined) {
      treatment = sealedTreatment(tax, taxes);
      treatments.set(key, treatment);
    }
    if (treatment === null) {
      const detail = `line ${index + 1} bears "${tax.name}", which is neither VAT nor IGIC nor IPSI`;
      return notApplicable(STANDARD, 'BT-151', detail);
    }
    treated.push(treatedLine(line, index, treatment, sign));
  }
  return treated;
}

function treatedLine(line: PrintedLine, index: number, treatment: Treatment, sign: 1 | -1): TreatedLine {
  const [tax, surcharge] = line.taxItems;
  const category = { code: treatment.code, rate: treatment.code === 'O' ? null : tax!.rate };
  const amount = sign * line.subtotal || 0;
  const { quantity, price, isExact, unit } = netPrice(line);
  const turns = price.startsWith('-') !== (sign === -1);
  return {
    line: {
      id: String(index + 1),
      quantity: turns && !/^0(\.0*)?$/.test(quantity) ? `-${quantity}` : quantity,
      unit: unit ?? ONE,
      amount,
      // A net price without a decimal form is stated for all units together: only so it multiplies to the amount.
      price: isExact ? price.replace('-', '') : decimalAmount(Math.abs(line.subtotal)),
      priceQuantity: isExact ? null : quantity,
      category,
      name: line.description,
      sku: line.sku,
    },
    ...{ treatment, category, amount, tax: sign * tax!.amount || 0 },
    surcharge:
      surcharge === undefined ? null : { rate: surcharge.rate, amount: sign * surcharge.amount || 0 },
  };
}

/**
 * The classification of a tax type when the invoice was sealed. A detail of the breakdown combines types that were
 * declared alike under the name of the first; the category is the same for all of them.
 */
function sealedTreatment(tax: PrintedTaxItem, taxes: readonly TaxDetail[]): Treatment | null {
  const { rate } = tax;
  const type = tax.type as TaxType;
  const detail = declaredDetail(taxes, tax);
  const declared = detail ?? taxes.find(({ exemption }) => exemption !== null);
  const treatment = treatmentOf({
    ...{ type, rate, exemption: declared?.exemption ?? null, agencyTax: declared?.agencyTax ?? '01' },
  });
  if (treatment === null || treatment.reason === null || detail?.legalMention == null) return treatment;
  // In the company's own words, as on its pages.
  return { ...treatment, reason: detail.legalMention };
}
