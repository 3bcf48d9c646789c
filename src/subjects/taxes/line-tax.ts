import { NOT_SUPPORTED } from '../../ground/errors/not-supported.ts';
import {
  type FieldIssue,
  invalidField,
  isRefusal,
  type Outcome,
  Refusal,
} from '../../ground/errors/refusal.ts';
import { snakeCase } from '../../ground/lib/case.ts';
import { type BasisPoints, decimalRate } from '../../ground/lib/money.ts';
import type { CatalogRow, TaxCatalog } from './catalog.ts';
import { classified, saidOf } from './classification.ts';
import type { LinePrice } from './line-amount.ts';
import { acceptedRate, acceptedRates, type RatesDay } from './rates.ts';
import { SURCHARGE, surchargeRate } from './surcharge.ts';
import { type Said, type TaxType, taxTypes } from './types.ts';

/** A tax on a line as the caller sends it; the rate is a percentage (21 means 21 %). */
export type TaxItemInput = Said & { readonly type: TaxType; readonly rate?: number | null | undefined };

/** A line in a request; its price is negative for a discount. */
export type LineInput = LinePrice & {
  readonly description: string;
  readonly sku?: string | null | undefined;
  readonly unit?: string | null | undefined;
  /** Whether its price includes taxes, if that differs from the invoice. */
  readonly pricesIncludeTax?: boolean | null | undefined;
  readonly taxItems?: readonly TaxItemInput[] | null | undefined;
};

/** A tax of a line: its classification, its exact rate and its printed name (`IVA 21%`, `R.E. 5,2%`). */
export type AppliedTax = {
  readonly row: CatalogRow;
  readonly rate: BasisPoints;
  readonly name: string;
  /** What the line says of its classification; null if nothing. */
  readonly said: Said | null;
};

/** The taxes of a line: one indirect tax and, if it applies to the invoice, the equivalence surcharge. */
export type LineTax = { readonly tax: AppliedTax; readonly surcharge: AppliedTax | null };

/** The facts that apply to all lines of an invoice. */
export type TaxContext = {
  readonly recargoEquivalencia: boolean;
  /** Whether prices include taxes. */
  readonly pricesIncludeTax: boolean;
  readonly rectifying: boolean;
  readonly catalog: TaxCatalog;
  /** The day that decides the rates in force: that of the issue, or of an earlier operation that is corrected. */
  readonly on: RatesDay;
};

/** A refusal that names the line, counted from 1, and its field: by default its taxes. */
export function onLine(code: Refusal['code'], index: number, message: string, field = 'taxItems'): Refusal {
  return new Refusal(code, `Line ${index + 1}: ${message}`).about(`lineItems[${index}].${field}`);
}

/**
 * The taxes of the line at `index`. Refuses, in this order: no tax at all (`invalid_request`, on a rectificativa
 * `line_item_without_tax_items`); a surcharge sent by the caller (`invalid_recargo_equivalencia`); a rate that its
 * type does not have that day (`invalid_tax_rate`); with the surcharge flag anything but one vat with a pair
 * (`invalid_recargo_equivalencia`); several taxes, a type without a catalog row, and regime key 11 with another
 * rate than 21 % (`invalid_tax_data`). Sources: docs/contract.md#lines, docs/contract.md#issuing; agency code 1206.
 */
export function taxOfLine(line: LineInput, index: number, context: TaxContext): Outcome<LineTax> {
  const items = line.taxItems ?? [];
  const item = items[0];
  if (item === undefined) return withoutTax(index, context);
  for (const [place, sent] of items.entries()) {
    const isTaken = sent.type !== SURCHARGE && acceptedRate(sent.type, sent.rate, context.on) !== null;
    if (!isTaken) return rateFault(sent, index, place, context.on);
  }
  const rate = acceptedRate(item.type, item.rate, context.on)!;
  const surcharge = context.recargoEquivalencia ? surchargeOf(items, rate, index, context) : null;
  if (isRefusal(surcharge)) return surcharge;
  if (items.length > 1)
    return onLine('invalid_tax_data', index, 'a line bears one tax only; split it into lines.');

  const row = classification(item, rate, index, context.catalog);
  return isRefusal(row) ? row : { tax: applied(row, rate, saidOf(item)), surcharge };
}

/**
 * The classification of a tax at that rate: by the catalog, and by what the line says of it. `invalid_tax_data` for a type without a row, for what does
 * not go together (`classificationFaults`), and with regime key 11 of VAT for another rate than 21 % (agency code 1206).
 */
export function classification(
  item: Pick<TaxItemInput, 'type'> & Said,
  rate: BasisPoints,
  index: number,
  catalog: TaxCatalog,
): Outcome<CatalogRow> {
  const own = catalog.get(item.type);
  if (own === undefined) return unclassified(item.type, index);
  const said = saidOf(item);
  const found = classified(own, said);
  if ('faults' in found) return unlawful(found.faults, said, index);
  const { row } = found;
  if (row.regimeKey !== '11' || row.agencyTax !== '01' || rate === 2100) return row;
  const message =
    'under regime key 11 (leases of premises) only 21 % is declared (validations 3.1.3.15.6.8).';
  return onLine(
    'invalid_tax_data',
    index,
    message,
    said?.regimeKey === undefined ? undefined : 'taxItems[0].regimeKey',
  );
}

const sentence = ({ field, message }: FieldIssue) => `${snakeCase(field)} ${message}.`;

/** The first fault in words, and each at what the line says: of what it does not say, the row is right. */
function unlawful(faults: readonly FieldIssue[], said: Said | null, index: number): Refusal {
  const spoken = Object.keys(said ?? {});
  const errors = faults.map((fault) => {
    const field = spoken.includes(fault.field) ? fault.field : spoken[0];
    const path = `lineItems[${index}].taxItems[0]${field === undefined ? '' : `.${field}`}`;
    return { field: path, code: 'invalid_tax_data', message: sentence(fault) };
  });
  return new Refusal('invalid_tax_data', `Line ${index + 1}: ${sentence(faults[0]!)}`, { errors });
}

function withoutTax(index: number, { rectifying }: TaxContext): Refusal {
  if (rectifying) {
    return onLine('line_item_without_tax_items', index, 'every line of a rectificativa declares its tax.');
  }
  return invalidField(`lineItems[${index}].taxItems`, 'required', 'is required');
}

function rateFault(item: TaxItemInput, index: number, itemIndex: number, on: RatesDay): Refusal {
  if (item.type === SURCHARGE) {
    const message = `es_recargo_equivalencia is never sent: the flag recargo_equivalencia adds it. That of tobacco, 1.75 %, is not supported (${NOT_SUPPORTED}).`;
    return onLine('invalid_recargo_equivalencia', index, message, `taxItems[${itemIndex}].type`);
  }
  const message = `${item.type} takes ${acceptedRates(item.type, on)} on ${on.day}.`;
  return onLine('invalid_tax_rate', index, message, `taxItems[${itemIndex}].rate`);
}

function surchargeOf(
  items: readonly TaxItemInput[],
  taxRate: BasisPoints,
  index: number,
  { catalog, on }: TaxContext,
): Outcome<AppliedTax> {
  const rate = items.length === 1 ? surchargeRate(items[0]!.type, taxRate, on.day) : null;
  if (rate === null) {
    const message = 'with recargo_equivalencia it must carry exactly one vat tax whose rate has a surcharge.';
    return onLine('invalid_recargo_equivalencia', index, message);
  }
  const row = catalog.get(SURCHARGE);
  return row === undefined ? unclassified(SURCHARGE, index) : applied(row, rate, null);
}

/** `invalid_tax_data`: the catalog has no row for the type. */
function unclassified(type: TaxType, index: number): Refusal {
  return onLine('invalid_tax_data', index, `${type} has no classification in the company's tax catalog.`);
}

/** The tax as it is printed on a line. */
export function applied(row: CatalogRow, rate: BasisPoints, said: Said | null): AppliedTax {
  if (!taxTypes[row.taxType].rated) return { row, rate, name: row.label, said };
  return { row, rate, name: `${row.label} ${decimalRate(rate).replace('.', ',')}%`, said };
}
