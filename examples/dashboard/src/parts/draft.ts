import type { ResultOf, VariablesOf } from 'gql.tada';
import type { InvoiceDetail, IssueInvoice } from '../documents.ts';
import { typedCents, typedEuros } from '../format.ts';

type Issue = VariablesOf<typeof IssueInvoice>['input'];
type LineItem = Issue['lineItems'][number];
type TaxType = NonNullable<LineItem['taxItems']>[number]['type'];
export type Rectifies = NonNullable<Issue['rectifies']>;
export type Invoice = NonNullable<ResultOf<typeof InvoiceDetail>['invoice']>;
type IssuedLine = Invoice['lineItems'][number];

export type Tax = { readonly type: TaxType; readonly rate: number; readonly name: string };

export const VAT: readonly Tax[] = [21, 10, 4].map((rate) => ({ type: 'vat', rate, name: `${rate} %` }));

/** What somebody has typed so far: texts, as they stand in the form. */
export type Line = {
  /** Tells the rows of the form apart. */
  readonly key: number;
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly isGross: boolean;
  readonly tax: Tax;
  /** What the form has no field for, of a line that is corrected. */
  readonly kept: Pick<LineItem, 'sku' | 'unit'>;
};

export type Draft = {
  readonly type: 'complete' | 'simplified';
  readonly name: string;
  readonly taxId: string;
  readonly line1: string;
  readonly postalCode: string;
  readonly city: string;
  readonly lines: readonly Line[];
  /** What the form has no field for, of the invoice that is corrected. */
  readonly kept: Pick<Issue, 'recargoEquivalencia' | 'withholding'>;
};

let keys = 0;
export function aLine(given: Partial<Line> = {}): Line {
  keys += 1;
  const empty = { description: '', quantity: '1', price: '', isGross: false, tax: VAT[0]!, kept: {} };
  return { key: keys, ...empty, ...given };
}

export const emptyDraft = (): Draft => ({
  ...{ type: 'complete', name: '', taxId: '', line1: '', postalCode: '', city: '', kept: {} },
  lines: [aLine()],
});

/** The price of a unit in cents, as it was asked for: net or gross, whole or with decimals. */
export function priceOf(line: IssuedLine) {
  const { unitAmount, unitAmountDecimal, unitAmountGross, unitAmountGrossDecimal } = line;
  if (unitAmountGross === null) return { cents: unitAmountDecimal ?? unitAmount, isGross: false };
  return { cents: unitAmountGrossDecimal ?? unitAmountGross, isGross: true };
}

/** A draft that corrects an invoice: with its lines, or by differences with none yet; taxed as it was. */
export function draftFrom(invoice: Invoice, type: Draft['type'], method: Rectifies['method']): Draft {
  const lines = invoice.lineItems.map((line) => {
    const { cents, isGross } = priceOf(line);
    const [{ type, rate, name } = VAT[0]!] = line.taxItems;
    const tax = VAT.find((each) => each.type === type && each.rate === rate) ?? { type, rate, name };
    return aLine({
      ...{ isGross, tax, description: line.description, price: typedEuros(cents) },
      quantity: String(line.quantityDecimal ?? line.quantity),
      kept: { sku: line.sku, unit: line.unit },
    });
  });
  const hasSurcharge = invoice.lineItems.some(({ taxItems }) =>
    taxItems.some((tax) => tax.type === 'es_recargo_equivalencia'),
  );
  const kept = {
    ...(hasSurcharge ? { recargoEquivalencia: true } : {}),
    ...(invoice.withholding === null ? {} : { withholding: { rate: invoice.withholding.rate } }),
  };
  const [first] = lines;
  const others = [aLine(first === undefined ? {} : { tax: first.tax, isGross: first.isGross })];
  return { ...emptyDraft(), type, kept, lines: method === 'substitution' ? lines : others };
}

/** The request that a draft stands for. What is no number is sent as null: the service says what is wrong with it, and where. */
export function requestOf(draft: Draft, rectifies: Rectifies | null): Issue {
  const recipient = {
    name: draft.name,
    taxId: draft.taxId,
    taxIdType: 'es_nif' as const,
    address: { line1: draft.line1, postalCode: draft.postalCode, city: draft.city, country: 'ES' },
  };
  return {
    type: draft.type,
    ...draft.kept,
    // A correction is made out to whom the original was.
    ...(draft.type === 'complete' && rectifies === null ? { recipient } : {}),
    ...(rectifies === null ? {} : { rectifies }),
    lineItems: draft.lines.map(({ description, quantity, price, isGross, tax, kept }) => ({
      ...kept,
      description,
      ...quantityFrom(quantity),
      ...amountFrom(price),
      ...(isGross ? { pricesIncludeTax: true } : {}),
      taxItems: [{ type: tax.type, rate: tax.rate }],
    })),
  };
}

function quantityFrom(text: string): Pick<LineItem, 'quantity' | 'quantityDecimal'> {
  const typed = text.trim().replace(',', '.');
  if (/^\d{1,15}$/.test(typed)) return { quantity: Number(typed) };
  return /^\d+\.\d+$/.test(typed) ? { quantityDecimal: typed } : { quantity: null };
}

function amountFrom(text: string): Pick<LineItem, 'unitAmount' | 'unitAmountDecimal'> {
  const cents = typedCents(text);
  if (cents === null) return { unitAmount: null };
  return cents.includes('.') ? { unitAmountDecimal: cents } : { unitAmount: Number(cents) };
}

/** Whether there is enough of it to be asked what it would come to. */
export function isComplete({ lines }: Draft): boolean {
  return lines.every(({ description, price }) => description.trim() !== '' && typedCents(price) !== null);
}
