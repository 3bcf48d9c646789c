import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type BasisPoints, basisPointsOf } from '../../ground/lib/money.ts';
import { breakDown, MAX_DETAILS, outOfRange, tooBig } from './breakdown.ts';
import type { CatalogRow, TaxCatalog } from './catalog.ts';
import { saidOf } from './classification.ts';
import { type AppliedTax, applied, classification, type LineInput, onLine } from './line-tax.ts';
import { type PricedLine, type Pricing, priceTaxed, withClassification } from './pricing.ts';
import { joinsSurcharge, SURCHARGE } from './surcharge.ts';
import { type TaxType, taxTypes } from './types.ts';

/** Below 100 % every product of an amount and a rate stays exact (see percentOf); no tax was ever higher. */
const HIGHEST_RATE: BasisPoints = 9999;

/**
 * Prices an imported invoice by the rates of its lines: no table has 16 % any more, and we do not decide whether a
 * rate was right at the time. A line has one tax and, after vat, optionally the equivalence surcharge. Refuses a
 * rate that is missing, given for a tax without one or not below 100 % (`invalid_tax_rate`), no tax or other
 * combinations of them, types that the catalog lacks and more than twelve different taxes (`invalid_tax_data`), and
 * amounts beyond twelve digits (`invalid_request`).
 */
export function priceHistory(
  items: readonly LineInput[],
  catalog: TaxCatalog,
  pricesIncludeTax = false,
): Outcome<Pricing> {
  const lines: PricedLine[] = [];
  const rows: CatalogRow[] = [];
  const sums = { subtotal: 0, tax: 0 };
  for (const [index, item] of items.entries()) {
    const taxes = taxesOf(item, index, catalog);
    if (isRefusal(taxes)) return taxes;
    const line = priceTaxed(item, index, taxes, item.pricesIncludeTax ?? pricesIncludeTax);
    if (isRefusal(line)) return line;
    lines.push(line);
    rows.push(taxes[0]!.row);
    sums.subtotal += line.subtotal;
    sums.tax += line.tax;
    // Line by line, so that no sum can leave the safe integers and come back.
    if (outOfRange(sums.subtotal, sums.tax, sums.subtotal + sums.tax)) return tooBig('lineItems');
  }
  const breakdown = breakDown(lines, rows);
  if (breakdown.length > MAX_DETAILS) {
    return new Refusal(
      'invalid_tax_data',
      `An invoice has at most ${MAX_DETAILS} different taxes and rates.`,
    );
  }
  return { lines: withClassification(lines, rows), ...sums, total: sums.subtotal + sums.tax, breakdown };
}

function taxesOf({ taxItems }: LineInput, index: number, catalog: TaxCatalog): Outcome<AppliedTax[]> {
  const sent = taxItems ?? [];
  const types = sent.map(({ type }) => type);
  const surcharged = types.length === 2 && joinsSurcharge(types[0]!) && types[1] === SURCHARGE;
  if (!surcharged && (types.length !== 1 || types[0] === SURCHARGE)) {
    return onLine(
      'invalid_tax_data',
      index,
      'it bears one tax, and after vat perhaps es_recargo_equivalencia.',
    );
  }
  const taxes: AppliedTax[] = [];
  for (const item of sent) {
    const { type, rate: percentage } = item;
    const rate = rateOf(type, percentage);
    if (rate === null)
      return onLine('invalid_tax_rate', index, `${percentage ?? 'no rate'} is no rate of ${type}.`);
    const row = classification(item, rate, index, catalog);
    if (isRefusal(row)) return row;
    taxes.push(applied(row, rate, saidOf(item)));
  }
  return taxes;
}

function rateOf(type: TaxType, percentage: number | null | undefined): BasisPoints | null {
  if (!taxTypes[type].rated) return (percentage ?? 0) === 0 ? 0 : null;
  if (percentage === null || percentage === undefined) return null;
  const rate = basisPointsOf(percentage);
  return rate !== null && rate <= HIGHEST_RATE ? rate : null;
}
