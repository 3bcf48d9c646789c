import type { Day } from '../../ground/lib/calendar.ts';
import type { RegisteredInvoice } from '../invoices/store/read-register.ts';
import type { TaxIdType } from '../tax-ids/types.ts';
import type { TaxDetail } from '../taxes/breakdown.ts';
import { type BookRow, type Cell, FINAL_CONSUMER, LONGEST_NAME } from './layout.ts';

/** The taxpayer's activity, which invoices do not contain: code, type, and group of the IAE (validation 16). */
export type Activity = { readonly code: string; readonly type: string; readonly group: string };

/**
 * An invoice as rows of the book: one for each tax, rate and class (validation 7). Invoices that a substitution or
 * exchange replaces are followed by the same rows with negative amounts (validation 8), so that the rows of a
 * period add up to what is in force of it.
 */
export function rowsOf(invoice: RegisteredInvoice, activity: Activity | null): BookRow[] {
  const common = commonOf(invoice, activity);
  const rows = (sign: 1 | -1) =>
    invoice.breakdown.map((detail) => ({ ...common, ...amountsOf(detail, sign) }));
  return invoice.replaced ? [...rows(1), ...rows(-1)] : rows(1);
}

const text = (value: string | null): Cell => (value === null || value === '' ? null : { text: value });

function commonOf(invoice: RegisteredInvoice, activity: Activity | null): BookRow {
  const { issuedOn, operationOn } = invoice;
  const [, series = '', digits = ''] = /^(.*?)(\d*)$/s.exec(invoice.number)!;
  return {
    ...periodOf(operationOn ?? issuedOn),
    activityCode: text(activity?.code ?? null),
    activityType: text(activity?.type ?? null),
    activityGroup: text(activity?.group ?? null),
    invoiceType: { text: typeOf(invoice) },
    issuedOn: { day: issuedOn },
    operationOn: operationOn === null || operationOn === issuedOn ? null : { day: operationOn },
    // Joined they are the number as it is registered.
    series: digits === '' ? null : text(series),
    number: { text: digits === '' ? invoice.number : digits },
    ...recipientOf(invoice),
  };
}

/** The quarter of the operation's day (validation 11). */
function periodOf(day: Day): Pick<BookRow, 'year' | 'quarter'> {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return { year: { whole: year }, quarter: { text: `${Math.ceil(month / 3)}T` } };
}

/**
 * As registered (Orden HAC/1177/2024, annex L2), but for exchange invoices: type F3 is for those "without a negative entry"
 * for the tickets (validation 9), and adds nothing to the return; ours come with it, so they are F1. What was issued after an exchange
 * is F3: of a return the return has the R5, and of a wrong recipient nothing (AEAT answers to developers v1.3, 27).
 */
function typeOf({
  type,
  kind,
  reason,
  recipientUnidentified = false,
  afterExchange,
}: RegisteredInvoice): string {
  const namesNobody = type === 'simplified' || recipientUnidentified;
  if (kind === 'exchange') return afterExchange ? 'F3' : 'F1';
  if (kind === 'original') return namesNobody ? 'F2' : 'F1';
  if (namesNobody) return 'R5';
  return { correction: 'R1', insolvency: 'R2', uncollectible: 'R3', other: 'R4', volume_discount: 'R1' }[
    reason ?? 'correction'
  ];
}

/** Validation 2. A NIF has no type, whether or not it is in the census. */
const DOCUMENTS: Readonly<Record<TaxIdType, string | null>> = {
  es_nif: null,
  not_registered: null,
  eu_vat: '02',
  passport: '03',
  official_document: '04',
  residence_certificate: '05',
  other: '06',
};

function recipientOf({ taxId, taxIdType, taxIdCountry, recipientName }: RegisteredInvoice): BookRow {
  const type = taxIdType === null ? null : DOCUMENTS[taxIdType];
  const name = taxId === null && recipientName === null ? FINAL_CONSUMER : (recipientName ?? '');
  return {
    taxIdType: text(type),
    // A VAT number contains its country.
    taxIdCountry: type === null || type === '02' ? null : text(taxIdCountry),
    taxId: text(taxId),
    recipientName: text([...name].slice(0, LONGEST_NAME).join('')),
  };
}

/** The amounts of a detail; those of a row add up to its total (validation 37). */
function amountsOf(detail: TaxDetail, sign: 1 | -1): BookRow {
  const { agencyTax, base, tax, surcharge, surchargeRate, regimeKey, operationClass, exemption } = detail;
  const signed = (cents: number): Cell => ({ hundredths: cents === 0 ? 0 : sign * cents });
  const gross = base + tax + (surcharge ?? 0);
  const untaxed = (amount: number, key: string | null, class_: string | null, exempt: string | null) => ({
    regimeKey: text(key),
    operationClass: text(class_),
    exemption: text(exempt),
    total: signed(amount),
    base: signed(amount),
  });
  // Not VAT: what is subject to IGIC or IPSI has a key of its own, with N2 alone (validations 6 and 24).
  if (agencyTax === '02' || agencyTax === '03') return untaxed(gross, '08', 'N2', null);
  // Any other tax is no part of what VAT is due on.
  if (agencyTax === '05') return untaxed(gross, '01', 'N1', null);
  const isTaxed = operationClass === 'S1' || operationClass === 'S2';
  // Foreign VAT is within what is not subject here, as it is registered.
  if (!isTaxed) return untaxed(detail.declaredBase, regimeKey, operationClass, exemption);
  return {
    regimeKey: text(regimeKey),
    operationClass: text(operationClass),
    total: signed(gross),
    base: signed(base),
    rate: { hundredths: detail.declaredRate ?? 0 },
    tax: signed(tax),
    surchargeRate: surchargeRate === null ? null : { hundredths: surchargeRate },
    surcharge: surcharge === null ? null : signed(surcharge),
  };
}
