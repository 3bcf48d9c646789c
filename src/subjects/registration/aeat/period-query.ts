import { agencyDate, type Day } from '../../../ground/lib/calendar.ts';
import { child, escapeXml, text, type XmlElement } from '../../../ground/lib/xml.ts';
import { AGENCY_LIMITS } from '../limits.ts';
import {
  type Fault,
  type Issuer,
  issuerXml,
  NAMESPACE,
  SoapReader,
  soapEnvelope,
  type Unreadable,
} from './soap.ts';

/** The identity of a chain at the agency: the producer, the software and the installation. */
export type Installation = {
  readonly producerName: string;
  readonly producerNif: string;
  readonly softwareId: string;
  readonly number: string;
};

/** The records of one installation that the agency files under a month, from an issue day on. */
export type Period = {
  /** `YYYY-MM`: the month of the operation, else of the issue. */
  readonly month: string;
  readonly from: Day;
  readonly to: Day;
  /** The last record of the previous page; null for the first page. */
  readonly after: AgencyInvoice | null;
};

export type AgencyInvoice = {
  readonly nif: string;
  readonly number: string;
  /** `dd-mm-yyyy`, as the agency writes it. */
  readonly issueDate: string;
  readonly fingerprint: string;
};

export type PeriodAnswer =
  | {
      readonly kind: 'held';
      readonly records: readonly AgencyInvoice[];
      /** The cursor of the next page; null when this was the last one. */
      readonly next: AgencyInvoice | null;
    }
  | Fault
  | Unreadable;

/** The envelope that requests a page of them, including the software block. */
export function periodQueryEnvelope(issuer: Issuer, installation: Installation, period: Period): string {
  const [year, month] = period.month.split('-');
  const { after } = period;
  return soapEnvelope(
    'con',
    NAMESPACE.query,
    `<con:ConsultaFactuSistemaFacturacion><con:Cabecera><sf:IDVersion>1.0</sf:IDVersion>${issuerXml(issuer)}` +
      '</con:Cabecera><con:FiltroConsulta>' +
      `<con:PeriodoImputacion><sf:Ejercicio>${year}</sf:Ejercicio><sf:Periodo>${month}</sf:Periodo></con:PeriodoImputacion>` +
      '<con:FechaExpedicionFactura><sf:RangoFechaExpedicion>' +
      `<sf:Desde>${agencyDate(period.from)}</sf:Desde><sf:Hasta>${agencyDate(period.to)}</sf:Hasta>` +
      '</sf:RangoFechaExpedicion></con:FechaExpedicionFactura>' +
      `<con:SistemaInformatico><sf:NombreRazon>${escapeXml(installation.producerName)}</sf:NombreRazon>` +
      `<sf:NIF>${escapeXml(installation.producerNif)}</sf:NIF>` +
      `<sf:IdSistemaInformatico>${escapeXml(installation.softwareId)}</sf:IdSistemaInformatico>` +
      `<sf:NumeroInstalacion>${escapeXml(installation.number)}</sf:NumeroInstalacion></con:SistemaInformatico>` +
      (after === null ? '' : `<con:ClavePaginacion>${invoiceXml(after)}</con:ClavePaginacion>`) +
      '</con:FiltroConsulta><con:DatosAdicionalesRespuesta><con:MostrarSistemaInformatico>S</con:MostrarSistemaInformatico>' +
      '</con:DatosAdicionalesRespuesta></con:ConsultaFactuSistemaFacturacion>',
  );
}

function invoiceXml({ nif, number, issueDate }: AgencyInvoice): string {
  return (
    `<sf:IDEmisorFactura>${escapeXml(nif)}</sf:IDEmisorFactura>` +
    `<sf:NumSerieFactura>${escapeXml(number)}</sf:NumSerieFactura>` +
    `<sf:FechaExpedicionFactura>${issueDate}</sf:FechaExpedicionFactura>`
  );
}

/**
 * Parses a page as it arrives; of its records only those of that installation are used. The XML is not kept in
 * memory. Never throws.
 */
export class PeriodReader {
  readonly #soap: SoapReader;
  readonly #records: AgencyInvoice[] = [];
  #last: AgencyInvoice | null = null;
  #broken = false;
  #count = 0;

  constructor(installation: Installation) {
    const take = (entry: XmlElement): void => {
      const read = readEntry(entry, installation);
      this.#count += 1;
      this.#broken ||= read === null;
      if (read === null) return;
      this.#last = read.record;
      if (read.isOurs && !this.#overfull()) this.#records.push(read.record);
    };
    this.#soap = new SoapReader('RespuestaConsultaFactuSistemaFacturacion', {
      name: 'RegistroRespuestaConsultaFactuSistemaFacturacion',
      take,
    });
  }

  /** Parses the next chunk. False: the page is rejected already, and the rest need not be read. */
  write(chunk: string | Uint8Array): boolean {
    return this.#soap.write(chunk) && !this.#overfull();
  }

  close(): PeriodAnswer {
    if (this.#overfull()) return { kind: 'unreadable', reason: 'a page holds more records than a page may' };
    const soap = this.#soap.close();
    if (soap.kind !== 'message') return soap;
    const result = text(soap.message, 'ResultadoConsulta');
    if (result !== 'ConDatos' && result !== 'SinDatos')
      return { kind: 'unreadable', reason: 'the query gives no result' };
    if (this.#broken) return { kind: 'unreadable', reason: 'a record in the query is not whole' };
    const hasMore = text(soap.message, 'IndicadorPaginacion') === 'S';
    if (hasMore && this.#last === null)
      return { kind: 'unreadable', reason: 'an empty page is followed by another' };
    return { kind: 'held', records: this.#records, next: hasMore ? this.#last : null };
  }

  #overfull(): boolean {
    return this.#count > AGENCY_LIMITS.agencyPage.value;
  }
}

function readEntry(
  entry: XmlElement,
  installation: Installation,
): { record: AgencyInvoice; isOurs: boolean } | null {
  const id = child(entry, 'IDFactura');
  const data = child(entry, 'DatosRegistroFacturacion');
  const software = child(data, 'SistemaInformatico');
  const nif = text(id, 'IDEmisorFactura');
  const number = text(id, 'NumSerieFactura');
  const issueDate = text(id, 'FechaExpedicionFactura');
  const fingerprint = text(data, 'Huella');
  if (nif === null || number === null || issueDate === null || fingerprint === null || software === null)
    return null;
  const isOurs =
    text(software, 'NIF') === installation.producerNif &&
    text(software, 'IdSistemaInformatico') === installation.softwareId &&
    text(software, 'NumeroInstalacion') === installation.number;
  return { record: { nif, number, issueDate, fingerprint }, isOurs };
}
