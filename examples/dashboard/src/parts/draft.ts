import type { FragmentOf, ResultOf, VariablesOf } from 'gql.tada';
import type { InvoiceDetail, IssueInvoice } from '../documents.ts';
import type { DraftContent } from '../documents-drafts.ts';
import { typedEuros } from '../format.ts';

export type Issue = VariablesOf<typeof IssueInvoice>['input'];
export type LineItem = Issue['lineItems'][number];
export type TaxItem = NonNullable<LineItem['taxItems']>[number];
export type Rectifies = NonNullable<Issue['rectifies']>;
export type Invoice = NonNullable<ResultOf<typeof InvoiceDetail>['invoice']>;
type IssuedLine = Invoice['lineItems'][number];
export type Stored = FragmentOf<typeof DraftContent>;

/** A tax of a line, with what is said of it beside its type's own treatment. */
export type Tax = {
  readonly type: TaxItem['type'];
  readonly rate: string;
  readonly treatment: Pick<TaxItem, 'regimeKey' | 'operationClass' | 'exemption'>;
};

/** What somebody has typed so far: texts, as they stand in the form. */
export type Line = {
  /** Tells the rows of the form apart. */
  readonly key: number;
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly unit: string;
  readonly sku: string;
  readonly isGross: boolean;
  readonly tax: Tax;
  /** The invoice that the line corrects, where there are several. */
  readonly corrects: string;
};

export type Disbursement = {
  readonly key: number;
  readonly description: string;
  readonly amount: string;
  readonly reference: string;
};

/** The names of what is typed as text, in the order of the form. */
export const TEXTS = [
  ...(['externalCustomerId', 'name', 'companyName', 'givenName', 'surnames', 'taxId', 'taxIdType'] as const),
  ...(['taxIdCountry', 'email', 'line1', 'line2', 'postalCode', 'city', 'country'] as const),
  ...(['dueDate', 'operationDate', 'deliveryFrom', 'deliveryTo', 'means', 'iban', 'reference'] as const),
  ...(['terms', 'withholdingRate', 'withholdingBase', 'issuedBy', 'thirdPartyName'] as const),
  ...(['thirdPartyTaxId', 'numberSeriesId', 'language', 'purchaseOrder', 'notes'] as const),
  ...(['currency', 'currencyRate', 'currencySource'] as const),
] as const;
export type TextName = (typeof TEXTS)[number];

export type Draft = Readonly<Record<TextName, string>> & {
  readonly type: 'complete' | 'simplified';
  readonly isQualified: boolean;
  readonly isUnidentified: boolean;
  readonly hasSurcharge: boolean;
  readonly lines: readonly Line[];
  readonly disbursements: readonly Disbursement[];
  /** What the form has no field for. */
  readonly kept: Pick<Issue, 'externalId' | 'metadata'>;
};

export const VAT: Tax = { type: 'vat', rate: '21', treatment: {} };

let keys = 0;
export const aKey = () => {
  keys += 1;
  return keys;
};

export function aLine(given: Partial<Line> = {}): Line {
  const texts = { description: '', quantity: '1', price: '', unit: '', sku: '', corrects: '' };
  return { key: aKey(), ...texts, isGross: false, tax: VAT, ...given };
}

export const emptyDraft = (): Draft => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, ''])) as Record<TextName, string>),
  ...{ country: 'ES', type: 'complete', isQualified: false, isUnidentified: false, hasSurcharge: false },
  ...{ lines: [aLine()], disbursements: [], kept: {} },
});

/** The price of a unit in cents, as it was asked for: net or gross, whole or with decimals. */
export function priceOf(line: IssuedLine) {
  const { unitAmount, unitAmountDecimal, unitAmountGross, unitAmountGrossDecimal } = line;
  if (unitAmountGross === null) return { cents: unitAmountDecimal ?? unitAmount, isGross: false };
  return { cents: unitAmountGrossDecimal ?? unitAmountGross, isGross: true };
}

type SentTax = {
  readonly [Name in keyof TaxItem]?: TaxItem[Name] | null | undefined;
};

function taxFrom(items: readonly SentTax[] | null | undefined): Tax {
  const [{ type, rate, ...said } = {}] = items ?? [];
  const treatment = {
    ...(said.regimeKey == null ? {} : { regimeKey: said.regimeKey }),
    ...(said.operationClass == null ? {} : { operationClass: said.operationClass }),
    ...(said.exemption == null ? {} : { exemption: said.exemption }),
  };
  return { type: type ?? 'vat', rate: rate == null ? '' : String(rate), treatment };
}

/** A draft that corrects an invoice: with its lines, or by differences with none yet; taxed as it was. */
export function draftFrom(invoice: Invoice, type: Draft['type'], method: Rectifies['method']): Draft {
  const lines = invoice.lineItems.map((line) => {
    const { cents, isGross } = priceOf(line);
    return aLine({
      ...{ isGross, tax: taxFrom(line.taxItems), description: line.description, price: typedEuros(cents) },
      quantity: String(line.quantityDecimal ?? line.quantity),
      ...{ sku: line.sku ?? '', unit: line.unit ?? '' },
    });
  });
  const hasSurcharge = invoice.lineItems.some(({ taxItems }) =>
    taxItems.some((tax) => tax.type === 'es_recargo_equivalencia'),
  );
  const [first] = lines;
  const others = [aLine(first === undefined ? {} : { tax: first.tax, isGross: first.isGross })];
  return {
    ...{ ...emptyDraft(), type, hasSurcharge },
    withholdingRate: invoice.withholding === null ? '' : String(invoice.withholding.rate),
    lines: method === 'substitution' ? lines : others,
  };
}

/** What the form shows of a stored draft. */
export function draftOf({ input }: Stored): Draft {
  const { recipient, payment, delivery, references, withholding, thirdParty, displayCurrency } = input;
  const said: Readonly<Partial<Record<TextName, string | number | null | undefined>>> = {
    ...{ ...recipient?.address, country: recipient?.address?.country ?? 'ES' },
    ...{ name: recipient?.name, companyName: recipient?.companyName, givenName: recipient?.givenName },
    ...{ surnames: recipient?.surnames, taxId: recipient?.taxId, taxIdType: recipient?.taxIdType },
    ...{ taxIdCountry: recipient?.taxIdCountry, email: recipient?.email, dueDate: input.dueDate },
    ...{ externalCustomerId: input.externalCustomerId, operationDate: input.operationDate },
    ...{ deliveryFrom: delivery?.from, deliveryTo: delivery?.to, means: payment?.means, iban: payment?.iban },
    ...{ reference: payment?.reference, terms: payment?.terms, withholdingRate: withholding?.rate },
    withholdingBase: withholding?.base == null ? '' : typedEuros(withholding.base),
    ...{ issuedBy: input.issuedBy, thirdPartyName: thirdParty?.name, thirdPartyTaxId: thirdParty?.taxId },
    ...{ numberSeriesId: input.numberSeriesId, language: input.language, notes: input.notes },
    ...{ purchaseOrder: references?.purchaseOrder, currency: displayCurrency?.code },
    ...{ currencyRate: displayCurrency?.rate, currencySource: displayCurrency?.source },
  };
  const texts = Object.fromEntries(TEXTS.map((name) => [name, String(said[name] ?? '')]));
  const { externalId, metadata } = input;
  return {
    ...(texts as Record<TextName, string>),
    type: input.type ?? 'complete',
    ...{ isQualified: input.qualifiedSimplified ?? false, hasSurcharge: input.recargoEquivalencia ?? false },
    isUnidentified: input.recipientUnidentified ?? false,
    lines: linesOf(input.lineItems),
    disbursements: (input.disbursements ?? []).map(({ description, amount, reference }) => ({
      ...{ key: aKey(), description: description ?? '', reference: reference ?? '' },
      amount: amount === null ? '' : typedEuros(amount),
    })),
    kept: {
      ...(externalId === null ? {} : { externalId }),
      ...(metadata === null ? {} : { metadata }),
    },
  };
}

function linesOf(items: Stored['input']['lineItems']): Line[] {
  const lines = (items ?? []).map((line) => {
    const cents = line.unitAmountDecimal ?? line.unitAmount;
    return aLine({
      ...{ description: line.description ?? '', sku: line.sku ?? '', unit: line.unit ?? '' },
      quantity: String(line.quantityDecimal ?? line.quantity ?? ''),
      ...{ price: cents === null ? '' : typedEuros(cents), isGross: line.pricesIncludeTax ?? false },
      tax: taxFrom(line.taxItems),
    });
  });
  return lines.length === 0 ? [aLine()] : lines;
}
