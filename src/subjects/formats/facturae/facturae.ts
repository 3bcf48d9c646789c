import type { Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { type Cents, decimalAmount } from '../../../ground/lib/money.ts';
import { lengthOf } from '../../../ground/lib/text.ts';
import { sumOf } from '../../extensions/disbursements.ts';
import { canonical, element, leaf, type XmlElement } from './canonical-xml.ts';
import { Fields } from './fields.ts';
import { invoiceHeader, issueData, MAX_NUMBER_LENGTH } from './header.ts';
import { items, type TreatedLine } from './lines.ts';
import { splitNumber } from './numbers.ts';
import { parties } from './parties.ts';
import { paymentDetails } from './payment.ts';
import { noClass, notRepresentable } from './refusal.ts';
import { additionalData, legalLiterals } from './remarks.ts';
import type { FacturaeSource, SourceLine } from './source.ts';
import { detailOf, treatmentOf } from './tables/taxes.ts';
import { mergeTaxGroups, taxesOutputs, taxesWithheld, taxOfLine } from './tax-groups.ts';

/** The namespace of the root; its descendants are in none (elementFormDefault of the schema). */
const NAMESPACES = { fe: 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml' };

/** The name of a Facturae file that is to be read by a program, before anything that follows the root's start. */
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A document as the bytes of a file. */
export function textOf(document: XmlElement): string {
  return DECLARATION + canonical(document);
}

/**
 * The invoice as a Facturae 3.2.2 document, unsigned. A pure function: the same invoice gives the same document.
 * Refuses with `format_not_applicable`, with an issue for every element that cannot represent the invoice.
 */
export function facturaeOf(source: FacturaeSource): Outcome<XmlElement> {
  const refusal = stateRefusal(source);
  if (refusal !== null) return refusal;
  const fields = new Fields();
  const lines = source.lines.map((line) => treated(line, source));
  const document = element(
    'fe:Facturae',
    [fileHeader(source), parties(source, fields), element('Invoices', [invoice(source, lines, fields)])],
    {},
    NAMESPACES,
  );
  return fields.faults.length === 0 ? document : notRepresentable(fields.faults);
}

/** Why none of the format's classes fits the invoice. */
function stateRefusal({ imported, voidedOn, issuedBy }: FacturaeSource): Refusal | null {
  if (issuedBy === 'third_party')
    return noClass(
      'a third party issued it, whose address the format demands and the invoice does not state',
    );
  if (imported) return noClass('another system issued the invoice, and made its original');
  if (voidedOn !== null) return noClass(`the invoice was voided on ${voidedOn}, and no class says so`);
  return null;
}

function treated(line: SourceLine, { breakdown }: FacturaeSource): TreatedLine {
  const detail = detailOf(line.tax, breakdown);
  if (detail === undefined) throw new Error(`the breakdown has no detail for lines of ${line.tax.type}`);
  const treatment = treatmentOf(
    detail.type === line.tax.type ? detail : { ...detail, type: line.tax.type as typeof detail.type },
  );
  return { line, treatment, tax: taxOfLine(line, treatment.code) };
}

/** The amount due after income tax withheld by the buyer. */
function outstanding({ total, withholding }: FacturaeSource): Cents {
  return total - (withholding?.amount ?? 0);
}

/** The same with what was paid in the buyer's name, which the format adds to nothing else. */
function executable(source: FacturaeSource): Cents {
  return outstanding(source) + sumOf(source.disbursements);
}

/** A single invoice (modality I), issued by the seller itself or the buyer: the batch is the invoice. */
function fileHeader(source: FacturaeSource): XmlElement {
  const { series, number } = splitNumber(source.number);
  const sum = (name: string, cents: Cents): XmlElement =>
    element(name, [leaf('TotalAmount', decimalAmount(cents))]);
  return element('FileHeader', [
    leaf('SchemaVersion', '3.2.2'),
    leaf('Modality', 'I'),
    leaf('InvoiceIssuerType', source.issuedBy === 'recipient' ? 'RE' : 'EM'),
    element('Batch', [
      leaf('BatchIdentifier', `${source.issuer.nif}${number}${series ?? ''}`),
      leaf('InvoicesCount', '1'),
      sum('TotalInvoicesAmount', outstanding(source)),
      sum('TotalOutstandingAmount', outstanding(source)),
      sum('TotalExecutableAmount', executable(source)),
      leaf('InvoiceCurrencyCode', 'EUR'),
    ]),
  ]);
}

function invoice(source: FacturaeSource, lines: readonly TreatedLine[], fields: Fields): XmlElement {
  return element('Invoice', [
    invoiceHeader(source, fields),
    issueData(source, fields),
    taxesOutputs(mergeTaxGroups(lines.map(({ tax }) => tax))),
    taxesWithheld(source.withholding),
    totals(source),
    items(lines, fields),
    paymentDetails(source, executable(source), fields),
    legalLiterals(source),
    additionalData(source, fields),
  ]);
}

/**
 * Group InvoiceTotals. The format subtracts the withheld income tax from the total of the invoice; the sealed total
 * includes it.
 */
function totals(source: FacturaeSource): XmlElement {
  const { subtotal, tax, withholding, disbursements } = source;
  const sum = (name: string, cents: Cents): XmlElement => leaf(name, decimalAmount(cents));
  const due = outstanding(source);
  return element('InvoiceTotals', [
    sum('TotalGrossAmount', subtotal),
    sum('TotalGrossAmountBeforeTaxes', subtotal),
    sum('TotalTaxOutputs', tax),
    sum('TotalTaxesWithheld', withholding?.amount ?? 0),
    sum('InvoiceTotal', due),
    disbursements.length === 0
      ? null
      : element(
          'ReimbursableExpenses',
          disbursements.map(({ amount, reference }) => reimbursable(amount, reference)),
        ),
    sum('TotalOutstandingAmount', due),
    sum('TotalExecutableAmount', executable(source)),
    disbursements.length === 0 ? null : sum('TotalReimbursableExpenses', sumOf(disbursements)),
  ]);
}

/** Group ReimbursableExpenses: what was paid stands in the accompanying text, and so does a document that is too long for a number. */
function reimbursable(cents: Cents, reference: string | undefined): XmlElement {
  const fits = reference !== undefined && lengthOf(reference) <= MAX_NUMBER_LENGTH;
  return element('ReimbursableExpenses', [
    leaf('InvoiceNumber', fits ? reference : null),
    leaf('ReimbursableExpensesAmount', decimalAmount(cents)),
  ]);
}
