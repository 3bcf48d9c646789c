import { isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import {
  type BasisPoints,
  type Cents,
  decimalAmount,
  decimalRate,
  percentOf,
} from '../../ground/lib/money.ts';
import {
  type BreakdownRules,
  breakDown,
  breakdownRefusal,
  outOfRange,
  type TaxDetail,
  tooBig,
} from './breakdown.ts';
import type { CatalogRow, TaxCatalog } from './catalog.ts';
import { classifiedAs } from './classification.ts';
import {
  extendedAmount,
  extractTaxes,
  type LinePrice,
  type SealedTerms,
  sealedTerms,
} from './line-amount.ts';
import {
  type AppliedTax,
  type LineInput,
  type LineTax,
  onLine,
  type TaxContext,
  taxOfLine,
} from './line-tax.ts';
import { qualifiedRefusal, simplifiedRefusal, unidentifiedRefusal } from './simplified-limit.ts';
import type { Said, TaxType } from './types.ts';

export type PricingRequest = BreakdownRules & {
  readonly lines: readonly LineInput[];
  readonly recargoEquivalencia: boolean;
  /** Whether prices include taxes, for lines that do not state it themselves. */
  readonly pricesIncludeTax: boolean;
  /** Of a complete invoice: whether it is simplified by law, and whether its recipient needs no tax id. */
  readonly qualifiedSimplified?: boolean;
  readonly recipientUnidentified?: boolean;
  /** The day of the operation that a rectificativa corrects, if it was invoiced elsewhere: then it decides the rates. */
  readonly rectifiedOperationOn?: Day | null;
};

export type PricedTaxItem = {
  readonly type: TaxType;
  readonly name: string;
  readonly rate: BasisPoints;
  readonly amount: Cents;
  /** How it is declared (`classifiedAs`): set on all lines of an invoice of which one says its own classification. */
  readonly classified?: string | null | undefined;
} & Said;

/** A line with its amounts. Its first tax item is its tax; a second one is the equivalence surcharge. */
export type PricedLine = SealedTerms & {
  readonly description: string;
  readonly sku: string | null;
  /** A code of UN/ECE Recommendation 20. */
  readonly unit: string | null;
  readonly subtotal: Cents;
  readonly tax: Cents;
  readonly total: Cents;
  readonly taxItems: readonly PricedTaxItem[];
};

/** The amounts of an invoice. Always total = subtotal + tax, each the sum of the lines. */
export type Pricing = {
  readonly lines: readonly PricedLine[];
  readonly subtotal: Cents;
  readonly tax: Cents;
  readonly total: Cents;
  readonly breakdown: readonly TaxDetail[];
};

/**
 * Prices an invoice: amounts of lines, totals and the breakdown to declare, all exact. `day` is the day of issue,
 * which decides the rates in force unless an earlier operation is corrected. Refuses, in this order: lines without taxes (`invalid_request`;
 * `line_item_without_tax_items` on a rectificativa); line by line `invalid_recargo_equivalencia`, `invalid_tax_rate`,
 * `invalid_tax_data` and amounts beyond the agency's twelve digits (`invalid_request`); then
 * `simplified_incompatible_tax_type` and `simplified_amount_exceeded`; then `invalid_tax_data` for what only shows in
 * the breakdown. Sources: docs/contract.md#lines, docs/contract.md#issuing, validations v1.2.2 sections 3.1.3.15 to 17.
 */
export function priceInvoice(request: PricingRequest, catalog: TaxCatalog, day: Day): Outcome<Pricing> {
  const { recargoEquivalencia, pricesIncludeTax, rectifying } = request;
  const flags = { recargoEquivalencia, pricesIncludeTax, rectifying: rectifying !== null };
  const earlier = request.rectifiedOperationOn ?? null;
  const context: TaxContext = {
    ...flags,
    catalog,
    on: { day: earlier ?? day, isEarlier: earlier !== null },
  };
  const priced: PricedLine[] = [];
  const rows: CatalogRow[] = [];
  let subtotal = 0;
  let tax = 0;
  let magnitude = 0;
  let isSaid = false;
  for (let index = 0; index < request.lines.length; index += 1) {
    const taxes = taxOfLine(request.lines[index]!, index, context);
    if (isRefusal(taxes)) return taxes;
    const line = priceLine(request.lines[index]!, index, taxes, context);
    if (isRefusal(line)) return line;
    priced.push(line);
    rows.push(taxes.tax.row);
    subtotal += line.subtotal;
    tax += line.tax;
    magnitude += Math.abs(line.subtotal) + Math.abs(line.tax);
    isSaid ||= taxes.tax.said !== null;
  }
  const total = subtotal + tax;
  // Below this no partial sum can have left the safe integers, whatever the order of the lines.
  if (magnitude > Number.MAX_SAFE_INTEGER || outOfRange(subtotal, tax, total)) return tooBig('lineItems');
  const refusal = formRefusal(request, priced, total);
  if (refusal !== null) return refusal;
  const breakdown = breakDown(priced, rows);
  const lines = isSaid ? withClassification(priced, rows) : priced;
  return breakdownRefusal(breakdown, request, lines) ?? { lines, subtotal, tax, total, breakdown };
}

/** Why the lines do not go on an invoice of that form, or null. */
function formRefusal(
  { type, qualifiedSimplified, recipientUnidentified }: PricingRequest,
  lines: readonly PricedLine[],
  total: Cents,
): Refusal | null {
  if (type === 'simplified') return simplifiedRefusal(lines, total);
  if (qualifiedSimplified) return qualifiedRefusal(lines, total);
  return recipientUnidentified ? unidentifiedRefusal(lines) : null;
}

/**
 * Whether a line's amount exceeds the agency's fields: the part of the amounts' check that needs neither rates nor
 * catalog, so that it can be reported with the other errors of the body.
 */
export function isOversized(line: LinePrice): boolean {
  return outOfRange(extendedAmount(line));
}

/** The lines as they are; if one says its own classification, each with that under which it is declared. */
export function withClassification(
  lines: readonly PricedLine[],
  rows: readonly CatalogRow[],
): readonly PricedLine[] {
  const isSaid = ({ taxItems: [tax] }: PricedLine) =>
    tax?.regimeKey != null || tax?.operationClass != null || tax?.exemption != null;
  if (!lines.some(isSaid)) return lines;
  return lines.map((line, index) => {
    const [tax, ...surcharge] = line.taxItems;
    return { ...line, taxItems: [{ ...tax!, classified: classifiedAs(rows[index]!) }, ...surcharge] };
  });
}

function priceLine(line: LineInput, index: number, taxes: LineTax, context: TaxContext): Outcome<PricedLine> {
  const isGross = line.pricesIncludeTax ?? context.pricesIncludeTax;
  const priced = priceTaxed(
    line,
    index,
    taxes.surcharge === null ? [taxes.tax] : [taxes.tax, taxes.surcharge],
    isGross,
  );
  if (isRefusal(priced)) return priced;
  const { subtotal, taxItems } = priced;
  // A surcharge may round to nothing: the agency compares no signs there, and at 0.5 % an item below 1 EUR does.
  const { amount, rate } = taxItems[0]!;
  if (amount === 0 && rate > 0 && subtotal !== 0) {
    const message = `${decimalRate(rate)} % of ${decimalAmount(subtotal)} rounds to no tax at all.`;
    return onLine('invalid_tax_data', index, message);
  }
  return priced;
}

/** A line with its taxes and amounts; `invalid_request` for amounts beyond the agency's twelve digits. */
export function priceTaxed(
  line: LineInput,
  index: number,
  applied: readonly AppliedTax[],
  isGross: boolean,
): Outcome<PricedLine> {
  const amount = extendedAmount(line);
  if (outOfRange(amount)) return tooBig(`lineItems[${index}]`);
  const gross = isGross ? extractTaxes(amount, applied) : null;
  const subtotal = gross === null ? amount : gross.subtotal;
  let tax = 0;
  const taxItems: PricedTaxItem[] = [];
  for (const [position, { row, rate, name, said }] of applied.entries()) {
    const taxed = gross === null ? percentOf(subtotal, rate) : gross.taxes[position]!;
    tax += taxed;
    taxItems.push({ type: row.taxType, name, rate, amount: taxed, ...said });
  }
  const total = subtotal + tax;
  if (outOfRange(total)) return tooBig(`lineItems[${index}]`);
  const { description, sku = null, unit = null } = line;
  return { description, sku, unit, ...sealedTerms(line, subtotal, isGross), subtotal, tax, total, taxItems };
}
