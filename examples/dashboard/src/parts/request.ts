import { typedCents, wholeCents } from '../format.ts';
import type { Draft, Issue, Line, LineItem, Rectifies, TextName } from './draft.ts';

/** Texts under the names of the request; those that are empty are left out. */
function texts<Name extends string>(draft: Draft, names: Readonly<Record<Name, TextName>>) {
  const typed = Object.entries<TextName>(names).map(([name, text]) => [name, draft[text].trim()]);
  return Object.fromEntries(typed.filter(([, text]) => text !== '')) as Partial<Record<Name, string>>;
}

const isEmpty = (object: object) => Object.keys(object).length === 0;
const unlessEmpty = <Part extends object>(part: Part, given: object) => (isEmpty(given) ? {} : part);

/** The request that a draft stands for. What is no number is sent as null: the service says what is wrong with it, and where. */
export function requestOf(draft: Draft, rectifies: Rectifies | null): Issue {
  const lineItems = draft.lines.map(lineOf);
  const shared = { type: draft.type, ...draft.kept, ...termsOf(draft), lineItems };
  // A correction is made out to whom the original was, unless it names no invoice.
  if (rectifies !== null) {
    const named = namesInvoice(rectifies) ? {} : recipientOf(draft);
    return { ...shared, ...named, rectifies };
  }
  return { ...shared, ...recipientOf(draft), ...issuerOf(draft) };
}

/** Whether it corrects invoices of this service, which say to whom it is made out. */
export const namesInvoice = ({ period, external }: Rectifies) => period == null && external == null;

type TaxIdType = NonNullable<NonNullable<Issue['recipient']>['taxIdType']>;

/** To whom it is made out, as it was typed. */
export function partyOf(draft: Draft): NonNullable<Issue['recipient']> {
  const address = texts(draft, {
    ...{ line1: 'line1', line2: 'line2', postalCode: 'postalCode', city: 'city', country: 'country' },
  });
  const said = texts(draft, {
    ...{ name: 'name', companyName: 'companyName', givenName: 'givenName', surnames: 'surnames' },
    ...{ taxId: 'taxId', taxIdCountry: 'taxIdCountry', email: 'email' },
  });
  const taxIdType = draft.taxIdType === '' ? undefined : (draft.taxIdType as TaxIdType);
  return { ...said, ...(taxIdType === undefined ? {} : { taxIdType }), address };
}

function recipientOf(draft: Draft): Partial<Issue> {
  const isNamed = draft.type === 'complete';
  return {
    ...(isNamed ? { recipient: partyOf(draft) } : {}),
    ...texts(draft, { externalCustomerId: 'externalCustomerId' }),
    ...(isNamed && draft.isQualified ? { qualifiedSimplified: true } : {}),
    ...(isNamed && draft.isUnidentified ? { recipientUnidentified: true } : {}),
  };
}

function termsOf(draft: Draft): Partial<Issue> {
  const { deliveryFrom, deliveryTo, means, withholdingRate, withholdingBase, language } = draft;
  const payment = texts(draft, { iban: 'iban', reference: 'reference', terms: 'terms' });
  const references = texts(draft, { purchaseOrder: 'purchaseOrder' });
  const rate = Number(withholdingRate.replace(',', '.'));
  return {
    ...texts(draft, { dueDate: 'dueDate', operationDate: 'operationDate', notes: 'notes' }),
    ...texts(draft, { numberSeriesId: 'numberSeriesId' }),
    ...(language === '' ? {} : { language: language as NonNullable<Issue['language']> }),
    ...(deliveryFrom === '' && deliveryTo === '' ? {} : { delivery: { from: deliveryFrom, to: deliveryTo } }),
    ...(means === ''
      ? {}
      : { payment: { means: means as NonNullable<Issue['payment']>['means'], ...payment } }),
    ...unlessEmpty({ references }, references),
    ...(withholdingRate === ''
      ? {}
      : {
          withholding: {
            rate: Number.isNaN(rate) ? 0 : rate,
            ...(withholdingBase === '' ? {} : { base: wholeCents(withholdingBase) }),
          },
        }),
    ...(draft.currency === ''
      ? {}
      : {
          displayCurrency: {
            ...{ code: draft.currency.trim(), rate: draft.currencyRate.trim().replace(',', '.') },
            ...texts(draft, { source: 'currencySource' }),
          },
        }),
    ...(draft.hasSurcharge ? { recargoEquivalencia: true } : {}),
    ...(draft.disbursements.length === 0
      ? {}
      : {
          disbursements: draft.disbursements.map(({ description, amount, reference }) => ({
            ...{ description, amount: wholeCents(amount) ?? 0 },
            ...(reference === '' ? {} : { reference }),
          })),
        }),
  };
}

function issuerOf({ issuedBy, thirdPartyName: name, thirdPartyTaxId: taxId }: Draft): Partial<Issue> {
  if (issuedBy === '') return {};
  const is = { issuedBy: issuedBy as NonNullable<Issue['issuedBy']> };
  return issuedBy === 'third_party' ? { ...is, thirdParty: { name, taxId } } : is;
}

function lineOf({ description, quantity, price, unit, sku, isGross, tax, corrects }: Line): LineItem {
  const rate = Number(tax.rate.replace(',', '.'));
  return {
    ...(sku === '' ? {} : { sku }),
    ...(unit === '' ? {} : { unit }),
    description,
    ...quantityFrom(quantity),
    ...amountFrom(price),
    ...(isGross ? { pricesIncludeTax: true } : {}),
    ...(corrects === '' ? {} : { rectifiesInvoiceId: corrects }),
    taxItems: [
      { type: tax.type, ...(tax.rate === '' || Number.isNaN(rate) ? {} : { rate }), ...tax.treatment },
    ],
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
