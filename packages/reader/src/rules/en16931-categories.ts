import type { ReadInvoice, ReadTax } from '../invoice.ts';
import type { Findings } from './finding.ts';
import { decimalText, magnitude, numberOf, numberOrZero, product, sumOf, toCents, UNIT } from './numbers.ts';

/** The requirements of a VAT category (EN 16931-1:2017, 6.4.3). */
type Category = {
  /** The letters in its rules' ids. */
  readonly name: string;
  readonly rate: 'above zero' | 'any' | 'zero' | 'none';
  /** Whether tax is charged, with a group for each rate; such a group must not have an exemption reason. */
  readonly isCharged: boolean;
  /** Whether a group must state why no tax is charged. */
  readonly needsReason: boolean;
  /** The identifiers that are required, or forbidden. */
  readonly ids: 'seller' | 'seller and buyer' | 'none';
};

const CATEGORIES: Readonly<Record<string, Category>> = {
  S: { name: 'S', rate: 'above zero', isCharged: true, needsReason: false, ids: 'seller' },
  Z: { name: 'Z', rate: 'zero', isCharged: false, needsReason: false, ids: 'seller' },
  E: { name: 'E', rate: 'zero', isCharged: false, needsReason: true, ids: 'seller' },
  AE: { name: 'AE', rate: 'zero', isCharged: false, needsReason: true, ids: 'seller and buyer' },
  K: { name: 'IC', rate: 'zero', isCharged: false, needsReason: true, ids: 'seller and buyer' },
  G: { name: 'G', rate: 'zero', isCharged: false, needsReason: true, ids: 'seller' },
  O: { name: 'O', rate: 'none', isCharged: false, needsReason: true, ids: 'none' },
  L: { name: 'AF', rate: 'any', isCharged: true, needsReason: false, ids: 'seller' },
  M: { name: 'AG', rate: 'any', isCharged: true, needsReason: false, ids: 'seller' },
};

export function checkCategories(invoice: ReadInvoice, findings: Findings): void {
  for (const [code, category] of Object.entries(CATEGORIES)) {
    const groups = invoice.taxes.filter((tax) => tax.category === code);
    const isUsed =
      invoice.lines.some((line) => line.category === code) ||
      invoice.adjustments.some((adjustment) => adjustment.category === code);
    if (isUsed) {
      const count = category.isCharged ? groups.length > 0 : groups.length === 1;
      const text = `The VAT breakdown must have a group of category ${code}${category.isCharged ? '' : ', and one only'}.`;
      findings.require(count, `BR-${category.name}-01`, text);
      checkIds(invoice, code, category, findings);
    }
    checkRates(invoice, code, category, findings);
    for (const group of groups) checkGroup(invoice, group, category, findings);
  }
  for (const tax of invoice.taxes) checkAmounts(tax, findings);
  checkSupplies(invoice, findings);
}

function checkIds(
  { seller, buyer, lines }: ReadInvoice,
  code: string,
  category: Category,
  findings: Findings,
): void {
  // The rule for allowances is the third, for charges the fourth; a category is rarely used in those alone.
  if (!lines.some((line) => line.category === code)) return;
  const rule = `BR-${category.name}-02`;
  const requires = `Category ${code} asks for`;
  if (category.ids === 'none') {
    const text = `With category ${code} there must be no VAT number.`;
    findings.require(seller.vatId === null && buyer.vatId === null, rule, text);
    return;
  }
  const isRegistered =
    seller.vatId !== null || (code !== 'K' && code !== 'G' && seller.taxRegistration !== null);
  findings.require(isRegistered, rule, `${requires} a VAT number of the seller.`);
  if (category.ids !== 'seller and buyer') return;
  const isKnown = buyer.vatId !== null || (code === 'AE' && buyer.legalId !== null);
  findings.require(isKnown, rule, `${requires} a VAT number of the buyer.`);
}

function checkRates(invoice: ReadInvoice, code: string, { name, rate }: Category, findings: Findings): void {
  const fits = (text: string | null): boolean => {
    if (rate === 'none') return text === null;
    const value = numberOf(text);
    if (value === null) return false;
    return rate === 'any' ? value >= 0n : rate === 'zero' ? value === 0n : value > 0n;
  };
  const check = (
    used: readonly { category: string | null; rate: string | null }[],
    rule: string,
    subject: string,
  ) => {
    const wrong = used.find((one) => one.category === code && !fits(one.rate));
    const text = `${subject} of category ${code} has the rate ${wrong?.rate ?? '(none)'}: it must be ${rate}.`;
    findings.require(wrong === undefined, rule, text);
  };
  check(invoice.lines, `BR-${name}-05`, 'A line');
  check(
    invoice.adjustments.filter(({ isCharge }) => !isCharge),
    `BR-${name}-06`,
    'An allowance',
  );
  check(
    invoice.adjustments.filter(({ isCharge }) => isCharge),
    `BR-${name}-07`,
    'A charge',
  );
}

function checkGroup(invoice: ReadInvoice, group: ReadTax, category: Category, findings: Findings): void {
  const { name, isCharged, needsReason } = category;
  const rate = numberOf(group.rate);
  const isOfGroup = (one: { category: string | null; rate: string | null }) =>
    one.category === group.category && (!isCharged || numberOf(one.rate) === rate);
  const adjusted = invoice.adjustments.filter(isOfGroup);
  const amounts = (isCharge: boolean) =>
    sumOf(adjusted.filter((one) => one.isCharge === isCharge).map(({ amount }) => amount));
  const due =
    sumOf(invoice.lines.filter(isOfGroup).map(({ amount }) => amount)) + amounts(true) - amounts(false);
  const base = numberOf(group.base);
  if (base !== null) {
    const difference = magnitude(base - due);
    const text = `The taxable amount of category ${group.category} is ${group.base}, and should be ${decimalText(due)}.`;
    // Charged tax is rounded by rate: the published rules accept a difference below one.
    findings.require(isCharged ? difference < UNIT : difference === 0n, `BR-${name}-08`, text);
  }
  const tax = numberOf(group.tax);
  if (tax !== null) {
    const text = `The VAT of category ${group.category} is ${group.tax}.`;
    findings.require(isCharged ? isTaxOf(group) : tax === 0n, `BR-${name}-09`, text);
  }
  const hasReason = group.reason !== null || group.reasonCode !== null;
  const must = needsReason ? 'must say why no VAT is charged' : 'must have no reason for an exemption';
  findings.require(hasReason === needsReason, `BR-${name}-10`, `Category ${group.category} ${must}.`);
}

/** Less than one away from rate × base. */
function isTaxOf({ rate, base, tax }: ReadTax): boolean {
  const due = toCents(product(magnitude(numberOrZero(base)), numberOrZero(rate)) / 100n);
  return magnitude(magnitude(numberOrZero(tax)) - due) < UNIT;
}

function checkAmounts(group: ReadTax, findings: Findings): void {
  const { category, rate, base, tax } = group;
  findings.require(
    base !== null,
    'BR-45',
    'A group of the VAT breakdown must have a taxable amount (BT-116).',
  );
  findings.require(tax !== null, 'BR-46', 'A group of the VAT breakdown must have an amount (BT-117).');
  findings.require(category !== null, 'BR-47', 'A group of the VAT breakdown must have a category (BT-118).');
  const hasRate = rate !== null || category === 'O';
  findings.require(hasRate, 'BR-48', 'A group of the VAT breakdown must have a rate (BT-119).');
  if (base === null || tax === null) return;
  const text = `The VAT on ${base} at ${rate ?? 'no rate'} is ${tax}.`;
  findings.require(isTaxOf(group), 'BR-CO-17', text);
}

/** Supplies to another member state must state day and country; what is not subject excludes other categories. */
function checkSupplies(
  { taxes, delivery, period, lines, adjustments }: ReadInvoice,
  findings: Findings,
): void {
  if (taxes.some(({ category }) => category === 'K')) {
    const isDated = delivery.on !== null || period !== null;
    findings.require(isDated, 'BR-IC-11', 'A supply to another state must say when it was delivered.');
    findings.require(
      delivery.country !== null,
      'BR-IC-12',
      'A supply to another state must say to which one.',
    );
  }
  if (!taxes.some(({ category }) => category === 'O')) return;
  const others = (used: readonly { category: string | null }[]) =>
    used.every(({ category }) => category === 'O');
  const text = 'Beside what is not subject to VAT there must be nothing else.';
  findings.require(taxes.length === 1, 'BR-O-11', text);
  findings.require(others(lines), 'BR-O-12', text);
  findings.require(others(adjustments.filter(({ isCharge }) => !isCharge)), 'BR-O-13', text);
  findings.require(others(adjustments.filter(({ isCharge }) => isCharge)), 'BR-O-14', text);
}
