import { centsOf } from '../amounts.ts';
import type { Submitted } from '../submitted.ts';
import { isNif } from '../tax-ids.ts';
import { dayOfAgencyDate } from '../time.ts';
import { childOf, childrenOf, textAt, type XmlElement } from '../xml.ts';
import { type Finding, finding, isOutOfLength } from './finding.ts';

/** TipoRectificativa, the invoices rectified or substituted, the rectified amounts (validations 3.1.3.3 to 3.1.3.6). */
export function* checkRectification({ element, invoiceType }: Submitted): Generator<Finding> {
  const rectifies = invoiceType?.startsWith('R') ?? false;
  const method = textAt(element, 'TipoRectificativa');
  if (rectifies && (method === null || method === '')) yield finding(1114);
  if (!rectifies && method !== null) yield finding(1115);
  if (method !== null && method !== 'S' && method !== 'I') yield finding(1107);
  const rectified = childOf(element, 'FacturasRectificadas');
  if (rectified !== undefined && !rectifies) yield finding(1117);
  const exchanged = childOf(element, 'FacturasSustituidas');
  if (exchanged !== undefined && invoiceType !== 'F3') yield finding(1116);
  for (const id of childrenOf(rectified, 'IDFacturaRectificada')) yield* checkReference(id);
  for (const id of childrenOf(exchanged, 'IDFacturaSustituida')) yield* checkReference(id);
  const amounts = childOf(element, 'ImporteRectificacion');
  if (method === 'S' && amounts === undefined) yield finding(1118);
  if (method !== 'S' && amounts !== undefined) yield finding(1119);
  for (const amount of amounts?.children ?? []) {
    if (centsOf(textAt(amount)) === null) yield finding(1100);
  }
}

function* checkReference(id: XmlElement): Generator<Finding> {
  if (!isNif(textAt(id, 'IDEmisorFactura') ?? '')) yield finding(1154);
  if (isOutOfLength(textAt(id, 'NumSerieFactura'), 60)) yield finding(1104);
  if (dayOfAgencyDate(textAt(id, 'FechaExpedicionFactura')) === null) yield finding(1145);
}
