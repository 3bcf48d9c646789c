import { agencyDate, type Day } from '../../../ground/lib/calendar.ts';
import { type Issuer, issuerXml, NAMESPACE, soapEnvelope } from './soap.ts';

/** The schema's limit of records in one envelope (SuministroLR.xsd; 4113 beyond it). */
export const ENVELOPE_LIMIT = 1_000;

/**
 * The envelope that registers records: their XML exactly as sealed, in the given order, all of one issuer.
 * `lastDay` states that the issuer gives up VERI*FACTU with it (art. 17.3; validations 3.1.1.3), `incident` that the sending was delayed by a technical incident (Orden HAC/1177/2024 art. 16.4). Throws
 * for a number of records that the schema does not allow.
 */
export function registrationEnvelope(
  issuer: Issuer,
  records: readonly string[],
  incident: boolean,
  lastDay: Day | null = null,
): string {
  if (records.length === 0 || records.length > ENVELOPE_LIMIT) {
    throw new Error(`an envelope holds 1 to ${ENVELOPE_LIMIT} records, not ${records.length}`);
  }
  const end = lastDay === null ? '' : `<sf:FechaFinVeriFactu>${agencyDate(lastDay)}</sf:FechaFinVeriFactu>`;
  const delayed = incident ? '<sf:Incidencia>S</sf:Incidencia>' : '';
  const remission = end + delayed;
  const voluntary = remission === '' ? '' : `<sf:RemisionVoluntaria>${remission}</sf:RemisionVoluntaria>`;
  const body = records.map((xml) => `<lr:RegistroFactura>${xml}</lr:RegistroFactura>`).join('');
  return soapEnvelope(
    'lr',
    NAMESPACE.submission,
    `<lr:RegFactuSistemaFacturacion><lr:Cabecera>${issuerXml(issuer)}${voluntary}</lr:Cabecera>` +
      `${body}</lr:RegFactuSistemaFacturacion>`,
  );
}
