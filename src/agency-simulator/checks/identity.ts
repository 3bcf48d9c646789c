import { centsOf } from '../amounts.ts';
import type { Submitted } from '../submitted.ts';
import { dayOfAgencyDate, yearsFrom } from '../time.ts';
import { childrenOf, textAt } from '../xml.ts';
import { type CheckContext, type Finding, finding, isNotYesNo, isOutOfLength } from './finding.ts';

/** Entry into force of the Orden HAC/1177/2024; older invoices are not taken (validations 3.1.3.1). */
const FIRST_DAY = '2024-10-28';

const INVOICE_TYPES = new Set(['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5']);

/** Amounts from 100 million euros on, in cents (validations 3.1.3.10). */
const MACRODATO = 10_000_000_000;

/** Version, invoice id, dates of issue: common to alta and anulacion. */
export function* checkInvoiceId(record: Submitted, { issuerNif, today }: CheckContext): Generator<Finding> {
  if (textAt(record.element, 'IDVersion') !== '1.0') yield finding(1251);
  if (record.nif !== issuerNif) yield finding(1108);
  yield* checkNumber(record.number, record.kind === 'alta' ? 'NumSerieFactura' : 'NumSerieFacturaAnulada');
  if (record.issueDay === null) yield finding(1105);
  else if (record.issueDay > today) yield finding(1112);
  else if (record.issueDay < FIRST_DAY && record.kind === 'alta') yield finding(1152);
  const reference = textAt(record.element, 'RefExterna');
  if (reference !== null && reference.length > 60) yield finding(1253);
}

/** The form of an invoice number (validations 3.1.3.1). */
function* checkNumber(number: string, field: string): Generator<Finding> {
  if (isOutOfLength(number, 60)) yield finding(1104);
  if (/["'<>=]/.test(number)) {
    const banned = finding(1287);
    yield { ...banned, text: banned.text.replace('%s', field) };
  }
  if (!/^[ -~]*$/.test(number)) yield finding(1130);
}

/** Fields of an alta that are checked alone: enumerations, lengths, flags and their invoice types. */
export function* checkAltaFields({ element, invoiceType }: Submitted): Generator<Finding> {
  if (isOutOfLength(textAt(element, 'NombreRazonEmisor'), 120)) yield finding(1100);
  if (!INVOICE_TYPES.has(invoiceType ?? '')) yield finding(1106);
  if (isOutOfLength(textAt(element, 'DescripcionOperacion'), 500)) yield finding(1100);
  const simplified = invoiceType === 'F2' || invoiceType === 'R5';
  const qualified = textAt(element, 'FacturaSimplificadaArt7273');
  if (isNotYesNo(qualified)) yield finding(1136);
  if (qualified === 'S' && simplified) yield finding(1183);
  const withoutRecipient = textAt(element, 'FacturaSinIdentifDestinatarioArt61d');
  if (isNotYesNo(withoutRecipient)) yield finding(1184);
  if (withoutRecipient === 'S' && !simplified) yield finding(1185);
  const coupon = textAt(element, 'Cupon');
  if (isNotYesNo(coupon) || (coupon === 'S' && invoiceType !== 'R1' && invoiceType !== 'R5'))
    yield finding(1157);
  if ((textAt(element, 'NumRegistroAcuerdoFacturacion') ?? '') !== '') yield finding(1128);
  if ((textAt(element, 'IdAcuerdoSistemaInformatico') ?? '') !== '') yield finding(1242);
  if (textAt(element, 'TipoHuella') !== '01') yield finding(1247);
}

/** Macrodato follows the total (validations 3.1.3.10). */
export function* checkMacrodato({ element }: Submitted): Generator<Finding> {
  const flag = textAt(element, 'Macrodato');
  if (isNotYesNo(flag)) yield finding(1137);
  const total = Math.abs(centsOf(textAt(element, 'ImporteTotal')) ?? 0);
  if (flag === 'S' && total < MACRODATO) yield finding(1138);
  if (flag !== 'S' && total >= MACRODATO) yield finding(1139);
}

/** FechaOperacion: twenty years back to one year ahead, ahead only under keys 14 and 15 (validations 3.1.3.7). */
export function* checkOperationDate(record: Submitted, { today }: CheckContext): Generator<Finding> {
  if (record.operationDate === null) return;
  const day = dayOfAgencyDate(record.operationDate);
  if (day === null) {
    yield finding(1145);
    return;
  }
  if (day < yearsFrom(today, -20)) yield finding(1134);
  if (day > yearsFrom(today, 1)) yield finding(1125);
  const breakdown = childrenOf(
    record.element.children.find(({ name }) => name === 'Desglose'),
    'DetalleDesglose',
  );
  const mayBeAhead = breakdown.every((detail) => {
    const tax = textAt(detail, 'Impuesto') ?? '01';
    return !['', '01', '03'].includes(tax) || ['14', '15'].includes(textAt(detail, 'ClaveRegimen') ?? '');
  });
  if (mayBeAhead) return;
  if (day > today) yield finding(1173);
  if (record.issueDay !== null && day > record.issueDay) yield finding(1146);
}
