import { createHash } from 'node:crypto';
import { type Day, dayOfAgencyDate } from './time.ts';
import { childOf, textAt, type XmlElement } from './xml.ts';

/** One record of an envelope with the values that several checks need. Absent elements are null. */
export type Submitted = {
  readonly kind: 'alta' | 'anulacion';
  readonly element: XmlElement;
  readonly nif: string;
  readonly number: string;
  /** `dd-mm-yyyy` as written. */
  readonly date: string;
  readonly issueDay: Day | null;
  readonly operationDate: string | null;
  readonly invoiceType: string | null;
  readonly installation: string;
  readonly fingerprint: string;
  readonly previousFingerprint: string | null;
};

/** Reads a RegistroAlta or RegistroAnulacion whose structure was found right. */
export function submittedRecord(element: XmlElement): Submitted {
  const cancels = element.name === 'RegistroAnulacion';
  const suffix = cancels ? 'Anulada' : '';
  const id = childOf(element, 'IDFactura');
  const date = textAt(id, `FechaExpedicionFactura${suffix}`) ?? '';
  return {
    kind: cancels ? 'anulacion' : 'alta',
    element,
    nif: textAt(id, `IDEmisorFactura${suffix}`) ?? '',
    number: textAt(id, `NumSerieFactura${suffix}`) ?? '',
    date,
    issueDay: dayOfAgencyDate(date),
    operationDate: textAt(element, 'FechaOperacion'),
    invoiceType: textAt(element, 'TipoFactura'),
    installation: installationOf(childOf(element, 'SistemaInformatico')),
    fingerprint: textAt(element, 'Huella') ?? '',
    previousFingerprint: textAt(element, 'Encadenamiento', 'RegistroAnterior', 'Huella'),
  };
}

/** What makes one computer system of an issuer: producer, system code and installation (FAQ 4, p. 9). */
function installationOf(software: XmlElement | undefined): string {
  const producer = textAt(software, 'NIF') ?? textAt(software, 'IDOtro', 'ID') ?? '';
  return [producer, textAt(software, 'IdSistemaInformatico'), textAt(software, 'NumeroInstalacion')].join(
    '/',
  );
}

const ALTA_FIELDS = [
  ['IDEmisorFactura', 'IDFactura', 'IDEmisorFactura'],
  ['NumSerieFactura', 'IDFactura', 'NumSerieFactura'],
  ['FechaExpedicionFactura', 'IDFactura', 'FechaExpedicionFactura'],
  ['TipoFactura', 'TipoFactura'],
  ['CuotaTotal', 'CuotaTotal'],
  ['ImporteTotal', 'ImporteTotal'],
  ['Huella', 'Encadenamiento', 'RegistroAnterior', 'Huella'],
  ['FechaHoraHusoGenRegistro', 'FechaHoraHusoGenRegistro'],
] as const;

const ANULACION_FIELDS = [
  ['IDEmisorFacturaAnulada', 'IDFactura', 'IDEmisorFacturaAnulada'],
  ['NumSerieFacturaAnulada', 'IDFactura', 'NumSerieFacturaAnulada'],
  ['FechaExpedicionFacturaAnulada', 'IDFactura', 'FechaExpedicionFacturaAnulada'],
  ['Huella', 'Encadenamiento', 'RegistroAnterior', 'Huella'],
  ['FechaHoraHusoGenRegistro', 'FechaHoraHusoGenRegistro'],
] as const;

/**
 * The fingerprint that a record should carry: SHA-256 over the trimmed texts of its own elements, in capitals
 * (fingerprint specification v0.1.2, sections 3 to 5).
 */
export function fingerprintOf(record: XmlElement): string {
  const fields = record.name === 'RegistroAnulacion' ? ANULACION_FIELDS : ALTA_FIELDS;
  const input = fields.map(([name, ...path]) => `${name}=${textAt(record, ...path) ?? ''}`).join('&');
  return createHash('sha256').update(input, 'utf8').digest('hex').toUpperCase();
}
