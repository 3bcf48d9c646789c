import { invalidField, isRefusal, type Outcome, Refusal } from '../errors/refusal.ts';
import type { Day } from '../lib/calendar.ts';
import {
  type BasisPoints,
  type Cents,
  decimalAmount,
  decimalRate,
  LARGEST_AMOUNT,
  percentOf,
} from '../lib/money.ts';
import type { TaxIdType } from '../recipients/tax-ids/tax-id.ts';
import { type AppliedTax, type LineInput, onLine, type TaxContext, taxOfLine } from './line-tax.ts';
import type { AgencyTax, CatalogRow, Exemption, OperationClass, TaxCatalog } from './tax-catalog.ts';
import { type TaxType, taxTypes } from './tax-types.ts';

export type PricingRequest = {
  readonly lines: readonly LineInput[];
  readonly recargoEquivalencia: boolean;
  readonly type: 'complete' | 'simplified';
  readonly rectifying: {
    readonly method: 'differences' | 'substitution';
    readonly reason: 'correction' | 'insolvency' | 'uncollectible' | 'other';
  } | null;
  /** Null when there is no recipient, or none that could be identified: its rules are then not looked at. */
  readonly recipientTaxIdType: TaxIdType | null;
};

export type PricedTaxItem = {
  readonly type: TaxType;
  readonly name: string;
  readonly rate: BasisPoints;
  readonly amount: Cents;
};

/** A line with its amounts. Its first tax item is its tax; a second one is the equivalence surcharge. */
export type PricedLine = {
  readonly description: string;
  readonly sku: string | null;
  readonly quantity: number;
  readonly unitAmount: Cents;
  readonly subtotal: Cents;
  readonly tax: Cents;
  readonly total: Cents;
  readonly taxItems: readonly PricedTaxItem[];
};

/**
 * One detail of the agency's breakdown: all lines that it cannot tell apart, because tax, regime key, class or
 * exemption, declared rate and surcharge rate are the same. `type`, `name` and `rate` are those of the first such line; people are
 * shown `taxSummary` instead, which keeps types and rates apart.
 */
export type TaxDetail = {
  readonly type: TaxType;
  readonly name: string;
  readonly rate: BasisPoints;
  /** Net amount of the lines. */
  readonly base: Cents;
  /** Tax of the lines without surcharge. */
  readonly tax: Cents;
  readonly surchargeRate: BasisPoints | null;
  readonly surcharge: Cents | null;
  readonly agencyTax: AgencyTax;
  readonly regimeKey: string | null;
  readonly operationClass: OperationClass | null;
  readonly exemption: Exemption | null;
  readonly legalMention: string | null;
  /** BaseImponibleOimporteNoSujeto: the base, or with foreign VAT the gross amount, which is not subject here. */
  readonly declaredBase: Cents;
  /** TipoImpositivo and CuotaRepercutida; null where the agency forbids them (1237, 1238), 0 under S2 (1198). */
  readonly declaredRate: BasisPoints | null;
  readonly declaredTax: Cents | null;
};

/** What an invoice amounts to. Always total = subtotal + tax, each the sum of the lines. */
export type Pricing = {
  readonly lines: readonly PricedLine[];
  readonly subtotal: Cents;
  readonly tax: Cents;
  readonly total: Cents;
  readonly breakdown: readonly TaxDetail[];
};

/** The agency's schema admits 12 details; a thirteenth would sink a whole envelope (4102). */
const MOST_DETAILS = 12;
/** API.md rule 2; the agency rejects an F2 above it (1150). Inclusive. */
const SIMPLIFIED_LIMIT: Cents = 300_000;

/**
 * Prices an invoice: amounts of lines, totals and the breakdown to declare, all exact. `day` is the day of issue in
 * Madrid, which decides the rates in force. Refuses, in this order: lines without taxes (`invalid_request`;
 * `line_item_without_tax_items` on a rectificativa); line by line `invalid_recargo_equivalencia`, `invalid_tax_rate`,
 * `invalid_tax_data` and amounts beyond the agency's twelve digits (`invalid_request`); then
 * `simplified_incompatible_tax_type` and `simplified_amount_exceeded`; then `invalid_tax_data` for what only shows in
 * the breakdown. Sources: DECISIONS D2, API.md rules 2, 9 and 10, validations v1.2.2 sections 3.1.3.15 to 17.
 */
export function priceInvoice(request: PricingRequest, catalog: TaxCatalog, day: Day): Outcome<Pricing> {
  const { recargoEquivalencia, rectifying } = request;
  const context: TaxContext = { recargoEquivalencia, rectifying: rectifying !== null, catalog, day };
  const lines: PricedLine[] = [];
  let subtotal = 0;
  let tax = 0;
  let magnitude = 0;
  for (let index = 0; index < request.lines.length; index += 1) {
    const line = priceLine(request.lines[index]!, index, context);
    if (isRefusal(line)) return line;
    lines.push(line);
    subtotal += line.subtotal;
    tax += line.tax;
    magnitude += Math.abs(line.subtotal) + Math.abs(line.tax);
  }
  const total = subtotal + tax;
  // Below this no partial sum can have left the safe integers, whatever the order of the lines.
  if (magnitude > Number.MAX_SAFE_INTEGER || outOfRange(subtotal, tax, total)) return tooBig('lineItems');
  if (request.type === 'simplified') {
    const refusal = simplifiedRefusal(lines, total);
    if (refusal !== null) return refusal;
  }
  const breakdown = breakDown(lines, catalog);
  return breakdownRefusal(breakdown, request) ?? { lines, subtotal, tax, total, breakdown };
}

function outOfRange(...amounts: Cents[]): boolean {
  return amounts.some((amount) => amount > LARGEST_AMOUNT || amount < -LARGEST_AMOUNT);
}

function tooBig(field: string): Refusal {
  const limit = decimalAmount(LARGEST_AMOUNT);
  return invalidField(field, 'too_big', `amounts must lie between -${limit} and ${limit} EUR, tax included`);
}

/**
 * 400 `invalid_request` when a line's net amount is beyond what the agency can be told: the part of the amounts'
 * check that needs neither rates nor catalog, so that it can be answered with the faults of the body.
 */
export function oversizedLine(lines: readonly LineInput[]): Refusal | null {
  // A product beyond 2^53 is inexact but far above the limit: the comparison holds all the same.
  const index = lines.findIndex((line) => outOfRange(line.quantity * line.unitAmount));
  return index < 0 ? null : tooBig(`lineItems[${index}]`);
}

function priceLine(line: LineInput, index: number, context: TaxContext): Outcome<PricedLine> {
  const taxes = taxOfLine(line, index, context);
  if (isRefusal(taxes)) return taxes;
  const { description, quantity, unitAmount } = line;
  const subtotal = quantity * unitAmount || 0; // never -0
  if (outOfRange(subtotal)) return tooBig(`lineItems[${index}]`);

  const first = priceTax(taxes.tax, subtotal);
  if (first.amount === 0 && first.rate > 0 && subtotal !== 0) {
    const message = `${decimalRate(first.rate)} % of ${decimalAmount(subtotal)} rounds to no tax at all.`;
    return onLine('invalid_tax_data', index, message);
  }
  // A surcharge may round to nothing: the agency compares no signs there, and at 0.5 % an item below 1 EUR does.
  const second = taxes.surcharge === null ? null : priceTax(taxes.surcharge, subtotal);
  const tax = first.amount + (second?.amount ?? 0);
  const total = subtotal + tax;
  if (outOfRange(total)) return tooBig(`lineItems[${index}]`);
  const taxItems = second === null ? [first] : [first, second];
  return { description, sku: line.sku ?? null, quantity, unitAmount, subtotal, tax, total, taxItems };
}

function priceTax({ row, rate, name }: AppliedTax, subtotal: Cents): PricedTaxItem {
  return { type: row.taxType, name, rate, amount: percentOf(subtotal, rate) };
}

function simplifiedRefusal(lines: readonly PricedLine[], total: Cents): Refusal | null {
  for (const [index, { taxItems }] of lines.entries()) {
    const { type } = taxItems[0]!;
    if (taxTypes[type].needsIdentifiedRecipient) {
      return onLine('simplified_incompatible_tax_type', index, `${type} needs an identified recipient.`);
    }
  }
  if (total <= SIMPLIFIED_LIMIT) return null;
  const detail = `A simplified invoice is capped at 3000.00 EUR including tax; this one comes to ${decimalAmount(total)}.`;
  return new Refusal('simplified_amount_exceeded', detail);
}

type Group = { -readonly [Field in keyof TaxDetail]: TaxDetail[Field] };

/**
 * Joins the lines that the agency cannot tell apart, in the order of their first appearance. Amounts are sums of
 * rounded lines: 500 lines deviate by 2.50 at most from the rate on the sum, within the agency's 10.00 (code 1142).
 */
function breakDown(lines: readonly PricedLine[], catalog: TaxCatalog): Group[] {
  const groups: Group[] = [];
  for (const line of lines) {
    const item = line.taxItems[0]!;
    const surcharge = line.taxItems[1];
    const row = catalog.get(item.type)!;
    const rate = row.operationClass === 'S1' || row.operationClass === 'S2' ? item.rate : null;
    const surchargeRate = surcharge?.rate ?? null;
    let group = groups.find(
      (other) =>
        declaresAs(other, row) && other.declaredRate === rate && other.surchargeRate === surchargeRate,
    );
    if (group === undefined) {
      group = newGroup(row, item, rate, surchargeRate);
      groups.push(group);
      if (groups.length > MOST_DETAILS) return groups;
    } else if (row.legalMention !== null && row.legalMention !== group.legalMention) {
      group.legalMention = joinMentions(group.legalMention, row.legalMention);
    }
    group.base += line.subtotal;
    group.tax += item.amount;
    if (surcharge !== undefined) group.surcharge = (group.surcharge ?? 0) + surcharge.amount;
    if (rate !== null) group.declaredTax = (group.declaredTax ?? 0) + item.amount;
    // Foreign VAT has no field of its own (1207, 1237): it stands in the amount that is not subject here, so that the
    // record's total is that of the invoice and of its QR code.
    group.declaredBase += rate === null ? line.subtotal + item.amount : line.subtotal;
  }
  return groups;
}

function declaresAs(group: Group, row: CatalogRow): boolean {
  return (
    group.agencyTax === row.agencyTax &&
    group.regimeKey === row.regimeKey &&
    group.operationClass === row.operationClass &&
    group.exemption === row.exemption
  );
}

function newGroup(
  row: CatalogRow,
  item: PricedTaxItem,
  declaredRate: BasisPoints | null,
  surchargeRate: BasisPoints | null,
): Group {
  return {
    type: row.taxType,
    name: item.name,
    rate: item.rate,
    base: 0,
    tax: 0,
    surchargeRate,
    surcharge: surchargeRate === null ? null : 0,
    agencyTax: row.agencyTax,
    regimeKey: row.regimeKey,
    operationClass: row.operationClass,
    exemption: row.exemption,
    legalMention: row.legalMention,
    declaredBase: 0,
    declaredRate,
    declaredTax: declaredRate === null ? null : 0,
  };
}

/** Several types may share a detail and still each have their words on the paper. */
function joinMentions(mentions: string | null, further: string): string {
  if (mentions === null) return further;
  const known = mentions.split(MENTION_SEPARATOR);
  return known.includes(further) ? mentions : [...known, further].join(MENTION_SEPARATOR);
}

const MENTION_SEPARATOR = '; ';

function breakdownRefusal(breakdown: readonly TaxDetail[], request: PricingRequest): Refusal | null {
  if (breakdown.length > MOST_DETAILS) {
    return dataRefusal(`The agency takes at most ${MOST_DETAILS} different taxes and rates on an invoice.`);
  }
  const signsMayDiffer = isExemptFromSigns(request);
  for (const detail of breakdown) {
    const { declaredBase, tax, surcharge } = detail;
    if (outOfRange(detail.base, declaredBase, tax, surcharge ?? 0)) return tooBig('lineItems');
    if (!signsMayDiffer && detail.operationClass === 'S1' && detail.rate > 0) {
      // Agency code 1143: with small lines of both signs the rounded taxes can add up to another sign than the base.
      if (Math.sign(detail.base) !== Math.sign(tax)) return signRefusal(detail);
    }
    const refusal = recipientRefusal(detail, request);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Validations 3.1.3.15.7: the signs of base and tax are not compared on differences, nor on R2 and R3. */
function isExemptFromSigns({ rectifying, type }: PricingRequest): boolean {
  if (rectifying === null) return false;
  if (rectifying.method === 'differences') return true;
  // A simplified rectificativa registers as R5 whatever its reason.
  return type === 'complete' && (rectifying.reason === 'insolvency' || rectifying.reason === 'uncollectible');
}

function signRefusal({ name, base, tax }: TaxDetail): Refusal {
  const amounts = `a base of ${decimalAmount(base)} and a tax of ${decimalAmount(tax)}`;
  return dataRefusal(
    `The lines of ${name} add up to ${amounts}, which the agency rejects. Merge the small lines.`,
  );
}

/** What the agency demands of the recipient for a kind of operation. */
function recipientRefusal(detail: TaxDetail, request: PricingRequest): Refusal | null {
  const type = request.recipientTaxIdType;
  if (detail.regimeKey === '10') {
    // Agency code 1205: collections on behalf of third parties are F1 with a NIF.
    if (request.type === 'simplified' || request.rectifying !== null) {
      return dataRefusal(`${detail.name} under regime key 10 goes on complete original invoices only.`);
    }
    if (type !== null && type !== 'es_nif') {
      return dataRefusal(`${detail.name} under regime key 10 needs a recipient with a Spanish NIF.`);
    }
  }
  // Agency code 1289 with a NIF; the exemption itself (art. 25 LIVA) stands on the buyer's EU VAT number.
  if (detail.exemption === 'E5' && type !== null && type !== 'eu_vat') {
    return dataRefusal(`${detail.name} needs a recipient with an EU VAT number of another member state.`);
  }
  return null;
}

function dataRefusal(detail: string): Refusal {
  return new Refusal('invalid_tax_data', detail);
}
