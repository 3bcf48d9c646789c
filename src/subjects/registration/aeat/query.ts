import { agencyDate, type Day } from '../../../ground/lib/calendar.ts';
import { child, children, escapeXml, text } from '../../../ground/lib/xml.ts';
import {
  type Fault,
  type Issuer,
  issuerXml,
  NAMESPACE,
  type SoapBody,
  SoapReader,
  soapEnvelope,
  type Unreadable,
} from './soap.ts';

/** The agency's state of an invoice's number. */
export type AgencyRecordState = 'accepted' | 'flagged' | 'cancelled';

/**
 * One invoice to query. The agency files it under the month of its operation, which is that of the issue by
 * default.
 */
export type QueriedInvoice = {
  readonly number: string;
  readonly issuedOn: Day;
  readonly operationOn: Day | null;
};

/** A record at the agency, with the fingerprint that shows whether it is ours. */
export type AgencyRecord = {
  readonly number: string;
  readonly issueDate: string;
  readonly fingerprint: string;
  readonly state: AgencyRecordState;
  readonly code: string | null;
  readonly message: string | null;
};

export type QueryAnswer =
  | { readonly kind: 'held'; readonly records: readonly AgencyRecord[] }
  | Fault
  | Unreadable;

/** The envelope that queries what the agency has for one invoice's number. */
export function queryEnvelope(issuer: Issuer, invoice: QueriedInvoice): string {
  const [year, month] = (invoice.operationOn ?? invoice.issuedOn).split('-');
  return soapEnvelope(
    'con',
    NAMESPACE.query,
    `<con:ConsultaFactuSistemaFacturacion><con:Cabecera><sf:IDVersion>1.0</sf:IDVersion>${issuerXml(issuer)}` +
      '</con:Cabecera><con:FiltroConsulta><con:PeriodoImputacion>' +
      `<sf:Ejercicio>${year}</sf:Ejercicio><sf:Periodo>${month}</sf:Periodo></con:PeriodoImputacion>` +
      `<con:NumSerieFactura>${escapeXml(invoice.number)}</con:NumSerieFactura>` +
      '</con:FiltroConsulta></con:ConsultaFactuSistemaFacturacion>',
  );
}

/** The schemas state `Correcto`, the agency's own examples `Correcta`: both are accepted. */
const AGENCY_STATES: Record<string, AgencyRecordState> = {
  Correcto: 'accepted',
  Correcta: 'accepted',
  AceptadoConErrores: 'flagged',
  AceptadaConErrores: 'flagged',
  Anulado: 'cancelled',
  Anulada: 'cancelled',
};

/**
 * Parses the agency's answer to a query as it arrives; of its records only those of that invoice are used. Never throws.
 */
export class QueryReader {
  readonly #invoice: QueriedInvoice;
  readonly #soap = new SoapReader('RespuestaConsultaFactuSistemaFacturacion');

  constructor(invoice: QueriedInvoice) {
    this.#invoice = invoice;
  }

  /** Parses the next chunk. False: the answer is rejected already, and the rest need not be read. */
  write(chunk: string | Uint8Array): boolean {
    return this.#soap.write(chunk);
  }

  close(): QueryAnswer {
    return queryAnswerOf(this.#soap.close(), this.#invoice);
  }
}

function queryAnswerOf(soap: SoapBody, invoice: QueriedInvoice): QueryAnswer {
  if (soap.kind !== 'message') return soap;
  const result = text(soap.message, 'ResultadoConsulta');
  if (result !== 'ConDatos' && result !== 'SinDatos')
    return { kind: 'unreadable', reason: 'the query gives no result' };
  const records: AgencyRecord[] = [];
  for (const entry of children(soap.message, 'RegistroRespuestaConsultaFactuSistemaFacturacion')) {
    const id = child(entry, 'IDFactura');
    const number = text(id, 'NumSerieFactura');
    const issueDate = text(id, 'FechaExpedicionFactura');
    if (number !== invoice.number || issueDate !== agencyDate(invoice.issuedOn)) continue;
    const fingerprint = text(child(entry, 'DatosRegistroFacturacion'), 'Huella');
    const stateElement = child(entry, 'EstadoRegistro');
    const state = AGENCY_STATES[text(stateElement, 'EstadoRegistro') ?? ''];
    if (fingerprint === null || state === undefined) {
      return { kind: 'unreadable', reason: 'a record in the query lacks its fingerprint or its state' };
    }
    const code = text(stateElement, 'CodigoErrorRegistro');
    records.push({
      number,
      issueDate,
      fingerprint,
      state,
      code,
      message: text(stateElement, 'DescripcionErrorRegistro'),
    });
  }
  return { kind: 'held', records };
}
