import { type Issuer, issuerXml, NAMESPACE, soapEnvelope } from './soap.ts';

/** The schema's limit of records in one envelope (SuministroLR.xsd; 4113 beyond it). */
export const ENVELOPE_LIMIT = 1_000;

/**
 * The envelope that registers records: their XML exactly as sealed, in the given order, all of one issuer.
 * `incident` states that the sending was delayed by a technical incident (Orden HAC/1177/2024 art. 16.4). Throws
 * for a number of records that the schema does not allow.
 */
export function registrationEnvelope(issuer: Issuer, records: readonly string[], incident: boolean): string {
  if (records.length === 0 || records.length > ENVELOPE_LIMIT) {
    throw new Error(`an envelope holds 1 to ${ENVELOPE_LIMIT} records, not ${records.length}`);
  }
  const voluntary = incident
    ? '<sf:RemisionVoluntaria><sf:Incidencia>S</sf:Incidencia></sf:RemisionVoluntaria>'
    : '';
  const body = records.map((xml) => `<lr:RegistroFactura>${xml}</lr:RegistroFactura>`).join('');
  return soapEnvelope(
    'lr',
    NAMESPACE.submission,
    `<lr:RegFactuSistemaFacturacion><lr:Cabecera>${issuerXml(issuer)}${voluntary}</lr:Cabecera>` +
      `${body}</lr:RegFactuSistemaFacturacion>`,
  );
}
