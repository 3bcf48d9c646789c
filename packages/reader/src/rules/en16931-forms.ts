import { whereAlpha2 } from 'iso-3166-1';
import type { ReadInvoice } from '../invoice.ts';
import type { Findings } from './finding.ts';
import { numberOf } from './numbers.ts';
import { isUnitCode } from './unit-codes.ts';

/** Amounts with more than two decimals (BR-DEC), by the term. */
export function checkDecimals({ totals, adjustments, taxes, lines }: ReadInvoice, findings: Findings): void {
  const check = (amount: string | null, rule: string, subject: string) => {
    if (amount === null) return;
    findings.require(numberOf(amount) !== null, 'decimal', `${subject}, ${amount}, is no number.`);
    findings.require(!/\.\d{3}/.test(amount), rule, `${subject}, ${amount}, has more than two decimals.`);
  };
  check(totals.lines, 'BR-DEC-09', 'The sum of the lines');
  check(totals.allowances, 'BR-DEC-10', 'The sum of allowances');
  check(totals.charges, 'BR-DEC-11', 'The sum of charges');
  check(totals.withoutVat, 'BR-DEC-12', 'The total without VAT');
  check(totals.vat, 'BR-DEC-13', 'The total of VAT');
  check(totals.withVat, 'BR-DEC-14', 'The total with VAT');
  check(totals.paid, 'BR-DEC-16', 'The amount paid');
  check(totals.rounding, 'BR-DEC-17', 'The rounding');
  check(totals.due, 'BR-DEC-18', 'The amount due');
  for (const { isCharge, amount, base } of adjustments) {
    check(amount, isCharge ? 'BR-DEC-05' : 'BR-DEC-01', 'The amount of an allowance or charge');
    check(base, isCharge ? 'BR-DEC-06' : 'BR-DEC-02', 'The base of an allowance or charge');
  }
  for (const { base, tax } of taxes) {
    check(base, 'BR-DEC-19', 'A taxable amount');
    check(tax, 'BR-DEC-20', 'An amount of VAT');
  }
  for (const line of lines) {
    check(line.amount, 'BR-DEC-23', 'The amount of a line');
    for (const { isCharge, amount, base } of line.adjustments) {
      check(amount, isCharge ? 'BR-DEC-27' : 'BR-DEC-24', 'The amount of an allowance or charge of a line');
      check(base, isCharge ? 'BR-DEC-28' : 'BR-DEC-25', 'The base of an allowance or charge of a line');
    }
  }
}

/** Dates that do not exist; the standard leaves them to the schemas. */
export function checkDays(invoice: ReadInvoice, findings: Findings): void {
  const { issuedOn, dueOn, period, delivery, preceding } = invoice;
  const days = [
    issuedOn,
    dueOn,
    period?.from,
    period?.to,
    delivery.on,
    ...preceding.map((one) => one.issuedOn),
  ];
  for (const day of days) {
    // A time zone may follow.
    const isDay = day == null || isExistingDay(day.replace(/(Z|[+-]\d\d:\d\d)$/, ''));
    findings.require(isDay, 'day', `${day} is no day.`);
  }
}

function isExistingDay(text: string): boolean {
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${text}T`);
}

/** BT-3: the types of UNTDID 1001 in the standard's code lists. */
const TYPES = new Set(
  (
    '71 80 81 82 83 84 102 130 202 203 204 211 218 219 261 262 295 296 308 325 326 331 380 381 382 383 384 385 386 ' +
    '387 388 389 390 393 394 395 396 420 456 457 458 471 472 473 500 501 502 503 527 532 553 575 623 633 751 780 817 ' +
    '870 875 876 877 935'
  ).split(' '),
);
const CATEGORIES = new Set(['AE', 'L', 'M', 'E', 'S', 'Z', 'G', 'O', 'K', 'B']);
/** Kosovo and Northern Ireland, which the standard accepts in addition to ISO 3166-1. */
const FURTHER_COUNTRIES = new Set(['1A', 'XI']);
/** Codes of packages in UN/ECE Recommendation 21 are prefixed with X. */
const PACKAGE = /^X[0-9A-Z]{2}$/;

/** Codes that are in no list (BR-CL). */
export function checkCodes(invoice: ReadInvoice, findings: Findings): void {
  const { typeCode, currency, seller, buyer, delivery } = invoice;
  const check = (code: string | null, isListed: (code: string) => boolean, rule: string, subject: string) =>
    findings.require(code === null || isListed(code), rule, `${code} is no ${subject}.`);
  check(typeCode, (code) => TYPES.has(code), 'BR-CL-01', 'type of document');
  check(currency, isCurrency, 'BR-CL-04', 'currency');
  for (const country of [seller.address?.country, buyer.address?.country, delivery.country])
    check(country ?? null, isCountry, 'BR-CL-14', 'country');
  for (const { category } of invoice.taxes)
    check(category, (code) => CATEGORIES.has(code), 'BR-CL-17', 'VAT category');
  for (const { category, unit } of invoice.lines) {
    check(category, (code) => CATEGORIES.has(code), 'BR-CL-18', 'VAT category');
    check(unit, (code) => isUnitCode(code) || PACKAGE.test(code), 'BR-CL-23', 'unit');
  }
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

function isCountry(code: string): boolean {
  return FURTHER_COUNTRIES.has(code) || whereAlpha2(code)?.alpha2 === code;
}
