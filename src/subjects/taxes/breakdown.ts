import { invalidField, Refusal } from '../../ground/errors/refusal.ts';
import { type BasisPoints, type Cents, decimalAmount, LARGEST_AMOUNT } from '../../ground/lib/money.ts';
import type { TaxIdType } from '../tax-ids/types.ts';
import type { CatalogRow } from './catalog.ts';
import { classifiedAs } from './classification.ts';
import { onLine } from './line-tax.ts';
import type { AgencyTax, Exemption, OperationClass, TaxType } from './types.ts';

/**
 * One detail of the agency's breakdown: all lines that the agency does not distinguish, because tax, regime key,
 * class or exemption, declared rate and surcharge rate are the same. `type`, `name` and `rate` are those of the
 * first such line; people see `taxSummary` instead, which keeps types and rates separate.
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

/** A line with its tax and, as second item, its equivalence surcharge. */
type TaxedLine = {
  readonly subtotal: Cents;
  readonly taxItems: readonly {
    readonly type: TaxType;
    readonly name: string;
    readonly rate: BasisPoints;
    readonly amount: Cents;
    /** Set where a line of the invoice says its own classification. */
    readonly classified?: string | null | undefined;
    readonly regimeKey?: string | null | undefined;
  }[];
};

/** What of an invoice decides which breakdowns the agency takes. */
export type BreakdownRules = {
  readonly type: 'complete' | 'simplified';
  readonly rectifying: {
    readonly method: 'differences' | 'substitution';
    readonly reason: 'correction' | 'insolvency' | 'uncollectible' | 'other' | 'volume_discount';
  } | null;
  /** Null when there is no recipient, or none that could be identified: its rules are then not looked at. */
  readonly recipientTaxIdType: TaxIdType | null;
};

/** The agency's schema admits 12 details; a thirteenth would sink a whole envelope (4102). */
export const MAX_DETAILS = 12;

/** The breakdown of lines, each with its classification. */
export function breakDown(lines: readonly TaxedLine[], rows: readonly CatalogRow[]): TaxDetail[] {
  const details: TaxDetail[] = [];
  for (const [index, line] of lines.entries()) details.push(detailOf(line, rows[index]!));
  return joinDetails(details);
}

/**
 * The detail that declares lines of that type. Where a line says its own classification each line names it (`classifiedAs`); else a type has one, or
 * has joined that of another type. Undefined in a breakdown that does not match its lines.
 */
export function declaredDetail<
  Detail extends Pick<TaxDetail, 'type' | 'regimeKey' | 'operationClass' | 'exemption'>,
>(
  details: readonly Detail[],
  { type, classified }: { readonly type: string; readonly classified?: string | null | undefined },
): Detail | undefined {
  if (classified == null) return details.find((detail) => detail.type === type);
  const named = details.filter((detail) => classifiedAs(detail) === classified);
  return named.find((detail) => detail.type === type) ?? named[0];
}

function detailOf({ subtotal, taxItems }: TaxedLine, row: CatalogRow): TaxDetail {
  const item = taxItems[0]!;
  const surcharge = taxItems[1];
  const isDeclared = row.operationClass === 'S1' || row.operationClass === 'S2';
  return {
    type: row.taxType,
    name: item.name,
    rate: item.rate,
    base: subtotal,
    tax: item.amount,
    surchargeRate: surcharge?.rate ?? null,
    surcharge: surcharge?.amount ?? null,
    agencyTax: row.agencyTax,
    regimeKey: row.regimeKey,
    operationClass: row.operationClass,
    exemption: row.exemption,
    legalMention: row.legalMention,
    // Foreign VAT has no field of its own (1207, 1237): it stands in the amount that is not subject here, so that the
    // record's total is that of the invoice and of its QR code.
    declaredBase: isDeclared ? subtotal : subtotal + item.amount,
    declaredRate: isDeclared ? item.rate : null,
    declaredTax: isDeclared ? item.amount : null,
  };
}

/**
 * Joins the details that the agency cannot distinguish, in the order of their first appearance. Amounts are sums of
 * rounded lines: 500 lines deviate by 2.50 at most from the rate on the sum, within the agency's 10.00 (code 1142).
 * Stops at the first detail too many, which `breakdownRefusal` refuses.
 */
export function joinDetails(details: readonly TaxDetail[]): TaxDetail[] {
  const groups: { -readonly [Field in keyof TaxDetail]: TaxDetail[Field] }[] = [];
  for (const detail of details) {
    const group = groups.find((other) => isSameClassification(other, detail));
    if (group === undefined) {
      groups.push({ ...detail });
      if (groups.length > MAX_DETAILS) return groups;
      continue;
    }
    if (detail.legalMention !== null && detail.legalMention !== group.legalMention) {
      group.legalMention = joinMentions(group.legalMention, detail.legalMention);
    }
    group.base += detail.base;
    group.tax += detail.tax;
    if (detail.surcharge !== null) group.surcharge = (group.surcharge ?? 0) + detail.surcharge;
    if (detail.declaredTax !== null) group.declaredTax = (group.declaredTax ?? 0) + detail.declaredTax;
    group.declaredBase += detail.declaredBase;
  }
  return groups;
}

function isSameClassification(one: TaxDetail, other: TaxDetail): boolean {
  return (
    one.agencyTax === other.agencyTax &&
    one.regimeKey === other.regimeKey &&
    one.operationClass === other.operationClass &&
    one.exemption === other.exemption &&
    one.declaredRate === other.declaredRate &&
    one.surchargeRate === other.surchargeRate
  );
}

/** Several types may share a detail and still each have their words on the paper. */
function joinMentions(mentions: string | null, further: string): string {
  if (mentions === null) return further;
  const known = mentions.split(MENTION_SEPARATOR);
  const unknown = further.split(MENTION_SEPARATOR).filter((mention) => !known.includes(mention));
  return [...known, ...unknown].join(MENTION_SEPARATOR);
}

const MENTION_SEPARATOR = '; ';

/** Whether one of the amounts is beyond the agency's twelve digits. */
export function outOfRange(...amounts: Cents[]): boolean {
  for (const amount of amounts) if (Math.abs(amount) > LARGEST_AMOUNT) return true;
  return false;
}

/** 400 `invalid_request` for amounts beyond the agency's twelve digits. */
export function tooBig(field: string): Refusal {
  const limit = decimalAmount(LARGEST_AMOUNT);
  return invalidField(field, 'too_big', `amounts must lie between -${limit} and ${limit} EUR, tax included`);
}

/**
 * Why the agency would not take this breakdown on such an invoice, or null: `invalid_tax_data` for too many details,
 * signs that it rejects (1143) and operations that need another recipient (1205, 1289), of which the first of `lines` is named;
 * `invalid_request` for amounts beyond its digits.
 */
export function breakdownRefusal(
  breakdown: readonly TaxDetail[],
  rules: BreakdownRules,
  lines: readonly TaxedLine[] = [],
): Refusal | null {
  if (breakdown.length > MAX_DETAILS) {
    return dataRefusal(`The agency takes at most ${MAX_DETAILS} different taxes and rates on an invoice.`);
  }
  const signsMayDiffer = rules.rectifying !== null && isExemptFromSigns(rules.type, rules.rectifying);
  for (const detail of breakdown) {
    const { declaredBase, tax, surcharge } = detail;
    if (outOfRange(detail.base, declaredBase, tax, surcharge ?? 0)) return tooBig('lineItems');
    if (!signsMayDiffer && detail.operationClass === 'S1' && detail.rate > 0) {
      // Agency code 1143: with small lines of both signs the rounded taxes can add up to another sign than the base.
      if (Math.sign(detail.base) !== Math.sign(tax)) return signRefusal(detail);
    }
    const fault = recipientFault(detail, rules);
    if (fault !== null) return aboutLine(fault, detail, lines);
  }
  return null;
}

/** Validations 3.1.3.15.7: the signs of base and tax are not compared on differences, nor on R2 and R3. */
function isExemptFromSigns(
  type: BreakdownRules['type'],
  rectifying: NonNullable<BreakdownRules['rectifying']>,
): boolean {
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

/** Refuses the first of the lines that such a detail is made of; the whole, where it is not known of which. */
function aboutLine({ key, reason }: RecipientFault, detail: TaxDetail, lines: readonly TaxedLine[]): Refusal {
  const index = lines.findIndex(
    ({ taxItems: [tax] }) =>
      tax?.type === detail.type &&
      tax.rate === detail.rate &&
      (tax.classified == null || tax.classified === classifiedAs(detail)),
  );
  if (index < 0) return dataRefusal(reason);
  const isSaid = key && lines[index]!.taxItems[0]!.regimeKey != null;
  return onLine('invalid_tax_data', index, reason, isSaid ? 'taxItems[0].regimeKey' : undefined);
}

/** `key`: whether the regime key is at fault. */
type RecipientFault = { readonly key: boolean; readonly reason: string };

/** What the agency demands of the recipient for a kind of operation, where it is not so. */
function recipientFault(detail: TaxDetail, rules: BreakdownRules): RecipientFault | null {
  const type = rules.recipientTaxIdType;
  if (detail.regimeKey === '10') {
    // Agency code 1205: collections on behalf of third parties are F1 with a NIF.
    const source = '(validations 3.1.3.15.6.7)';
    if (rules.type === 'simplified' || rules.rectifying !== null) {
      const reason = `${detail.name} under regime key 10 goes on complete original invoices only ${source}.`;
      return { key: true, reason };
    }
    if (type !== null && type !== 'es_nif') {
      const reason = `${detail.name} under regime key 10 needs a recipient with a Spanish NIF ${source}.`;
      return { key: true, reason };
    }
  }
  // Agency code 1289 with a NIF; the exemption itself (art. 25 LIVA) stands on the buyer's EU VAT number. E5 of IGIC is an exemption at home.
  if (detail.agencyTax === '01' && detail.exemption === 'E5' && type !== null && type !== 'eu_vat') {
    const reason = `${detail.name} needs a recipient with an EU VAT number of another member state (LIVA art. 25).`;
    return { key: false, reason };
  }
  return null;
}

function dataRefusal(detail: string): Refusal {
  return new Refusal('invalid_tax_data', detail);
}
