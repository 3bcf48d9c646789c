import { Temporal } from 'temporal-polyfill';
import type { Day } from '../../../ground/lib/calendar.ts';
import { element, leaf, type XmlElement } from './canonical-xml.ts';
import type { Fields } from './fields.ts';
import { type SplitNumber, splitNumber } from './numbers.ts';
import type { CorrectedInvoice, FacturaeSource } from './source.ts';
import { CAUSES, METHODS, OF_PERIOD, REASONS } from './tables/corrections.ts';

const CURRENCY = 'EUR';
/** TextMax20Type of the schema. */
export const MAX_NUMBER_LENGTH = 20;

/** Group InvoiceHeader: number and series, kind of invoice, and what it corrects. */
export function invoiceHeader(source: FacturaeSource, fields: Fields): XmlElement {
  const at = 'Invoices/Invoice/InvoiceHeader';
  const isCorrective = source.rectification !== null;
  return element('InvoiceHeader', [
    ...numbered(at, splitNumber(source.number), fields),
    leaf('InvoiceDocumentType', source.type === 'complete' ? 'FC' : 'FA'),
    leaf('InvoiceClass', isCorrective ? 'OR' : 'OO'),
    corrective(`${at}/Corrective`, source, fields),
  ]);
}

function numbered(path: string, { series, number }: SplitNumber, fields: Fields): (XmlElement | null)[] {
  return [
    fields.text(path, 'InvoiceNumber', number, MAX_NUMBER_LENGTH),
    fields.text(path, 'InvoiceSeriesCode', series, MAX_NUMBER_LENGTH),
  ];
}

/**
 * The corrected invoice, reason and method. The group names one invoice, the one that states the whole operation;
 * its corrections in force are in the accompanying text.
 */
function corrective(
  path: string,
  { kind, rectification }: FacturaeSource,
  fields: Fields,
): XmlElement | null {
  if (rectification === null || (kind !== 'rectifying_differences' && kind !== 'rectifying_substitution'))
    return null;
  if (rectification.period != null) return periodDiscount(path, rectification.period, fields);
  const [first, ...others] = rectification.corrected;
  if (first === undefined) {
    fields.fault(
      `${path}/InvoiceNumber`,
      'required',
      'is demanded, and the invoice names none that it corrects',
    );
    return null;
  }
  const cause = rectification.reason ?? 'other';
  const method = METHODS[kind];
  const parts = [
    CAUSES[cause],
    ...others.map(({ number, issuedOn }) => `Rectifica también ${number} (${issuedOn})`),
  ];
  return element('Corrective', [
    ...numbered(path, splitNumber(first.number), fields),
    leaf('ReasonCode', REASONS[cause].code),
    leaf('ReasonDescription', REASONS[cause].text),
    taxPeriod(first),
    leaf('CorrectionMethod', method.code),
    leaf('CorrectionMethodDescription', method.text),
    fields.text(path, 'AdditionalReasonDescription', parts.join('. '), 2_500),
    leaf('InvoiceIssueDate', first.issuedOn),
  ]);
}

/** A volume discount names the period alone: number and day are those of a corrected invoice, of which there is none. */
function periodDiscount(
  path: string,
  of: { readonly from: Day; readonly to: Day },
  fields: Fields,
): XmlElement {
  const { code, text } = REASONS.volume_discount;
  return element('Corrective', [
    leaf('ReasonCode', code),
    leaf('ReasonDescription', text),
    period('TaxPeriod', of),
    leaf('CorrectionMethod', OF_PERIOD.code),
    leaf('CorrectionMethodDescription', OF_PERIOD.text),
    fields.text(path, 'AdditionalReasonDescription', CAUSES.volume_discount, 2_500),
  ]);
}

/** The month of the corrected operation, which is within the tax period whether that is a month or a quarter. */
function taxPeriod({ issuedOn, operationOn }: CorrectedInvoice): XmlElement {
  const day = Temporal.PlainDate.from(operationOn ?? issuedOn);
  const last = day.with({ day: day.daysInMonth });
  return period('TaxPeriod', { from: day.with({ day: 1 }).toString(), to: last.toString() });
}

function period(name: string, { from, to }: { readonly from: Day; readonly to: Day }): XmlElement {
  return element(name, [leaf('StartDate', from), leaf('EndDate', to)]);
}

/** Group InvoiceIssueData: days, currency, language, and the buyer's references to order, file and contract. */
export function issueData(source: FacturaeSource, fields: Fields): XmlElement {
  const at = 'Invoices/Invoice/InvoiceIssueData';
  const { purchaseOrder, contract, project } = source.references;
  return element('InvoiceIssueData', [
    leaf('IssueDate', source.issuedOn),
    leaf('OperationDate', source.operationOn),
    source.delivery === null ? null : period('InvoicingPeriod', source.delivery),
    leaf('InvoiceCurrencyCode', CURRENCY),
    leaf('TaxCurrencyCode', CURRENCY),
    leaf('LanguageName', source.language),
    fields.text(at, 'ReceiverTransactionReference', purchaseOrder, MAX_NUMBER_LENGTH),
    fields.text(at, 'FileReference', project, MAX_NUMBER_LENGTH),
    fields.text(at, 'ReceiverContractReference', contract, MAX_NUMBER_LENGTH),
  ]);
}
