import type { ReadInvoice } from '../invoice.ts';
import { isNif } from '../signer.ts';
import type { FacturaeBatch } from '../syntaxes/facturae.ts';
import { checkDays } from './en16931-forms.ts';
import { type Finding, Findings } from './finding.ts';
import { CENT, decimalText, magnitude, numberOf, numberOrZero, product, sumOf } from './numbers.ts';

/**
 * Rules that the format's schema states in its documentation: how amounts are computed, and what is required. The
 * format does not number rules, so each is named by its element.
 */
export function checkFacturae(batch: FacturaeBatch, invoices: readonly ReadInvoice[]): Finding[] {
  const findings = new Findings();
  const count = Number(batch.count);
  findings.require(
    count === invoices.length,
    'Facturae InvoicesCount',
    `It says ${batch.count}, and there are ${invoices.length}.`,
  );
  findings.require(
    batch.modality === (invoices.length > 1 ? 'L' : 'I'),
    'Facturae Modality',
    'A batch is modality L, a single invoice I.',
  );
  requireClose(
    findings,
    batch.total,
    sumOf(invoices.map(({ totals }) => totals.withVat)),
    'TotalInvoicesAmount',
  );
  requireClose(
    findings,
    batch.outstanding,
    sumOf(invoices.map(({ totals }) => totals.due)),
    'TotalOutstandingAmount of the batch',
  );
  for (const invoice of invoices) {
    checkInvoice(invoice, findings);
    checkDays(invoice, findings);
  }
  return findings.all;
}

/** Amounts have two to eight decimals, and most are rounded: half a cent is accepted as equal. */
function requireClose(
  findings: Findings,
  stated: string | null,
  due: bigint,
  element: string,
  margin = CENT / 2n,
): void {
  const value = numberOf(stated);
  const text = `It is ${stated ?? 'missing'}, and should be ${decimalText(due)}.`;
  findings.require(value !== null && magnitude(value - due) <= margin, `Facturae ${element}`, text);
}

function checkInvoice(invoice: ReadInvoice, findings: Findings): void {
  const { totals, taxes, withheld, lines, adjustments, number, issuedOn, seller, buyer } = invoice;
  findings.require(number !== null, 'Facturae InvoiceNumber', 'There must be one.');
  findings.require(issuedOn !== null, 'Facturae IssueDate', 'There must be one.');
  for (const [party, name] of [
    [seller, 'SellerParty'],
    [buyer, 'BuyerParty'],
  ] as const) {
    findings.require(party.name !== null, `Facturae ${name}`, 'It must have a name.');
    findings.require(party.vatId !== null, `Facturae ${name} TaxIdentificationNumber`, 'There must be one.');
    const nif = (party.vatId ?? '').replace(/^ES(?=.{9}$)/, '');
    // A passport number is also possible.
    const isOneByForm = party.address?.country === 'ESP' && /^[0-9A-Z]\d{7}[0-9A-Z]$/.test(nif);
    const text = `${party.vatId} is no NIF: its check character is another.`;
    findings.require(!isOneByForm || isNif(nif), `Facturae ${name} TaxIdentificationNumber`, text);
  }
  for (const [index, line] of lines.entries()) checkLine(line, line.id ?? String(index + 1), findings);
  const sum = (isCharge: boolean) =>
    sumOf(adjustments.filter((one) => one.isCharge === isCharge).map(({ amount }) => amount));
  const amount = (name: keyof typeof totals) => numberOrZero(totals[name]);
  requireClose(findings, totals.lines, sumOf(lines.map((line) => line.amount)), 'TotalGrossAmount');
  requireClose(findings, totals.allowances ?? '0', sum(false), 'TotalGeneralDiscounts');
  requireClose(findings, totals.charges ?? '0', sum(true), 'TotalGeneralSurcharges');
  const before = amount('lines') - amount('allowances') + amount('charges');
  requireClose(findings, totals.withoutVat, before, 'TotalGrossAmountBeforeTaxes');
  const outputs = sumOf(taxes.flatMap(({ tax, surcharge }) => [tax, surcharge?.tax ?? null]));
  requireClose(findings, totals.vat, outputs, 'TotalTaxOutputs');
  requireClose(findings, totals.withheld, sumOf(withheld.map(({ tax }) => tax)), 'TotalTaxesWithheld');
  const due = amount('withoutVat') + amount('vat') - amount('withheld');
  requireClose(findings, totals.withVat, due, 'InvoiceTotal');
  // The tax of each line may have been rounded individually.
  const margin = BigInt(lines.length + 1) * CENT;
  for (const { base, rate, tax } of [...taxes, ...withheld]) {
    requireClose(findings, tax, product(numberOrZero(base), numberOrZero(rate)) / 100n, 'TaxAmount', margin);
  }
}

function checkLine(line: ReadInvoice['lines'][number], name: string, findings: Findings): void {
  const { quantity, price, amount, adjustments } = line;
  const sign = (isCharge: boolean) => (isCharge ? 1n : -1n);
  const adjusted = adjustments.reduce(
    (sum, one) => sum + sign(one.isCharge) * numberOrZero(one.amount),
    product(numberOrZero(quantity), numberOrZero(price)),
  );
  requireClose(findings, amount, adjusted, `GrossAmount of line ${name}`, CENT);
  findings.require(line.name !== null, `Facturae ItemDescription of line ${name}`, 'There must be one.');
}
