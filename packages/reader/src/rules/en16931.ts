import type { ReadInvoice } from '../invoice.ts';
import { checkCategories } from './en16931-categories.ts';
import { checkCodes, checkDays, checkDecimals } from './en16931-forms.ts';
import { type Finding, Findings } from './finding.ts';
import { decimalText, numberOf, numberOrZero, sumOf, toCents } from './numbers.ts';

/**
 * The rules of EN 16931-1:2017 (chapter 6.4) that can be checked without published schemas: required terms,
 * arithmetic, VAT categories, and the forms of amounts and codes. Implemented from the standard's text; a test
 * compares it with CEN's published validation.
 */
export function checkEn16931(invoice: ReadInvoice): Finding[] {
  const findings = new Findings();
  checkTerms(invoice, findings);
  checkParties(invoice, findings);
  checkLines(invoice, findings);
  checkAdjustments(invoice, findings);
  checkTotals(invoice, findings);
  checkCategories(invoice, findings);
  checkDecimals(invoice, findings);
  checkCodes(invoice, findings);
  checkDays(invoice, findings);
  return findings.all;
}

function checkTerms(invoice: ReadInvoice, findings: Findings): void {
  const { totals } = invoice;
  const must = (value: string | null, rule: string, subject: string) =>
    findings.require(value !== null, rule, `There must be ${subject}.`);
  must(invoice.specification, 'BR-01', 'a specification (BT-24)');
  must(invoice.number, 'BR-02', 'a number (BT-1)');
  must(invoice.issuedOn, 'BR-03', 'a day of issue (BT-2)');
  must(invoice.typeCode, 'BR-04', 'a type of document (BT-3)');
  must(invoice.currency, 'BR-05', 'a currency (BT-5)');
  must(totals.lines, 'BR-12', 'the sum of the lines (BT-106)');
  must(totals.withoutVat, 'BR-13', 'the total without VAT (BT-109)');
  must(totals.withVat, 'BR-14', 'the total with VAT (BT-112)');
  must(totals.due, 'BR-15', 'the amount due (BT-115)');
  findings.require(invoice.lines.length > 0, 'BR-16', 'There must be a line (BG-25).');
  findings.require(invoice.taxes.length > 0, 'BR-CO-18', 'There must be a VAT breakdown (BG-23).');
  findings.require(inOrder(invoice.period), 'BR-29', 'The invoicing period ends before it begins.');
  for (const { number } of invoice.preceding)
    must(number, 'BR-55', 'the number of a preceding invoice (BT-25)');
  for (const { reference } of invoice.attachments)
    must(reference, 'BR-52', 'a reference of each supporting document (BT-122)');
  for (const { code, account } of invoice.payment) {
    must(code, 'BR-49', 'a code for the means of payment (BT-81)');
    if (code === '30' || code === '58') must(account, 'BR-61', 'the account of a transfer (BT-84)');
  }
}

function inOrder(period: ReadInvoice['period']): boolean {
  return period?.from == null || period.to === null || period.to >= period.from;
}

function checkParties({ seller, buyer }: ReadInvoice, findings: Findings): void {
  const sides = [
    ['The seller', seller, ['BR-06', 'BR-08', 'BR-09', 'BR-62']],
    ['The buyer', buyer, ['BR-07', 'BR-10', 'BR-11', 'BR-63']],
  ] as const;
  for (const [label, party, [name, address, country, scheme]] of sides) {
    findings.require(party.name !== null, name, `${label} must have a name.`);
    findings.require(party.address !== null, address, `${label} must have a postal address.`);
    if (party.address !== null)
      findings.require(party.address.country !== null, country, `${label}’s address must have a country.`);
    const { electronicAddress } = party;
    findings.require(
      electronicAddress === null || electronicAddress.scheme !== null,
      scheme,
      `${label}’s electronic address must have a scheme.`,
    );
    const hasPrefix = party.vatId === null || /^[A-Z1][A-Z]/.test(party.vatId);
    findings.require(hasPrefix, 'BR-CO-09', `${label}’s VAT number must begin with a country.`);
  }
  const identified = seller.vatId ?? seller.legalId?.id ?? seller.identifiers[0]?.id ?? null;
  findings.require(identified !== null, 'BR-CO-26', 'Nothing identifies the seller.');
}

function checkLines({ lines }: ReadInvoice, findings: Findings): void {
  lines.forEach((line, index) => {
    const label = `Line ${line.id ?? index + 1}`;
    const must = (value: string | null, rule: string, subject: string) =>
      findings.require(value !== null, rule, `${label} must have ${subject}.`);
    must(line.id, 'BR-21', 'an identifier (BT-126)');
    must(line.quantity, 'BR-22', 'a quantity (BT-129)');
    must(line.unit, 'BR-23', 'a unit (BT-130)');
    must(line.amount, 'BR-24', 'an amount (BT-131)');
    must(line.name, 'BR-25', 'a name of the item (BT-153)');
    must(line.price, 'BR-26', 'a price (BT-146)');
    must(line.category, 'BR-CO-04', 'a VAT category (BT-151)');
    findings.require(numberOrZero(line.price) >= 0n, 'BR-27', `${label} has a negative price (BT-146).`);
    findings.require(
      numberOrZero(line.grossPrice) >= 0n,
      'BR-28',
      `${label} has a negative gross price (BT-148).`,
    );
    findings.require(inOrder(line.period), 'BR-30', `The period of line ${line.id} ends before it begins.`);
    for (const { isCharge, amount, reason, reasonCode } of line.adjustments) {
      must(amount, isCharge ? 'BR-43' : 'BR-41', 'an amount of each allowance and charge');
      must(reason ?? reasonCode, isCharge ? 'BR-44' : 'BR-42', 'a reason for each allowance and charge');
    }
  });
}

function checkAdjustments({ adjustments }: ReadInvoice, findings: Findings): void {
  for (const { isCharge, amount, category, reason, reasonCode } of adjustments) {
    const subject = isCharge ? 'charge' : 'allowance';
    const [first, second, third] = isCharge ? ['BR-36', 'BR-37', 'BR-38'] : ['BR-31', 'BR-32', 'BR-33'];
    findings.require(amount !== null, first!, `A ${subject} must have an amount.`);
    findings.require(category !== null, second!, `A ${subject} must have a VAT category.`);
    findings.require((reason ?? reasonCode) !== null, third!, `A ${subject} must have a reason.`);
  }
}

function checkTotals({ totals, lines, adjustments, taxes }: ReadInvoice, findings: Findings): void {
  const equal = (stated: string | null, due: bigint, rule: string, subject: string) => {
    const value = numberOf(stated);
    // A missing sum has a rule of its own.
    if (value === null) return;
    findings.require(value === due, rule, `${subject} is ${stated}, and should be ${decimalText(due)}.`);
  };
  const amounts = (isCharge: boolean) =>
    toCents(sumOf(adjustments.filter((one) => one.isCharge === isCharge).map(({ amount }) => amount)));
  const amount = (name: keyof typeof totals) => numberOrZero(totals[name]);
  equal(totals.lines, toCents(sumOf(lines.map((line) => line.amount))), 'BR-CO-10', 'The sum of the lines');
  equal(totals.allowances ?? '0', amounts(false), 'BR-CO-11', 'The sum of allowances');
  equal(totals.charges ?? '0', amounts(true), 'BR-CO-12', 'The sum of charges');
  equal(
    totals.withoutVat,
    toCents(amount('lines') - amount('allowances') + amount('charges')),
    'BR-CO-13',
    'The total without VAT',
  );
  if (taxes.length > 0) {
    equal(totals.vat, toCents(sumOf(taxes.map(({ tax }) => tax))), 'BR-CO-14', 'The total of VAT');
  }
  equal(totals.withVat, toCents(amount('withoutVat') + amount('vat')), 'BR-CO-15', 'The total with VAT');
  equal(
    totals.due,
    toCents(amount('withVat') - amount('paid') + amount('rounding')),
    'BR-CO-16',
    'The amount due',
  );
}
