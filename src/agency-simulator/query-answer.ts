import { NAMESPACES } from './shapes.ts';
import { soapAnswer } from './soap.ts';
import type { Entry, Invoice } from './store.ts';
import { timestampAt } from './time.ts';
import { childOf, escaped, optionalElement, rendered, textAt, trimmed, type XmlElement } from './xml.ts';

export type QueryPage = { readonly invoices: readonly Invoice[]; readonly hasMore: boolean };

/** Fields that are returned only on request (DatosAdicionalesRespuesta). */
export type Extras = { readonly issuerName: boolean; readonly software: boolean };

/** A record's elements in the order in which the answer's schema wants them. */
const SHOWN = [
  'NombreRazonEmisor',
  'RefExterna',
  'Subsanacion',
  'RechazoPrevio',
  'SinRegistroPrevio',
  'GeneradoPor',
  'Generador',
  'TipoFactura',
  'TipoRectificativa',
  'FacturasRectificadas',
  'FacturasSustituidas',
  'ImporteRectificacion',
  'FechaOperacion',
  'DescripcionOperacion',
  'FacturaSimplificadaArt7273',
  'FacturaSinIdentifDestinatarioArt61d',
  'Macrodato',
  'EmitidaPorTerceroODestinatario',
  'Tercero',
  'Destinatarios',
  'Cupon',
  'Desglose',
  'CuotaTotal',
  'ImporteTotal',
  'Encadenamiento',
  'SistemaInformatico',
  'FechaHoraHusoGenRegistro',
  'NumRegistroAcuerdoFacturacion',
  'IdAcuerdoSistemaInformatico',
  'TipoHuella',
  'Huella',
] as const;

/** Blocks whose direct children the answer's own schema declares; deeper ones are SuministroInformacion's. */
const OWN_BLOCKS = new Set([
  'FacturasRectificadas',
  'FacturasSustituidas',
  'Destinatarios',
  'Encadenamiento',
]);

/** The answer to a query, RespuestaConsultaLR.xsd. */
export function queryAnswer(
  header: XmlElement | undefined,
  filter: XmlElement | undefined,
  page: QueryPage,
  recordOf: (entry: Entry) => XmlElement,
  extras: Extras,
): string {
  const last = page.hasMore ? page.invoices.at(-1) : undefined;
  return soapAnswer(
    `<tikLRRC:RespuestaConsultaFactuSistemaFacturacion xmlns:tikLRRC="${NAMESPACES.queryAnswer}" ` +
      `xmlns:tik="${NAMESPACES.information}">` +
      `<tikLRRC:Cabecera>${header?.children.map((child) => rendered(child, 'tik')).join('') ?? ''}</tikLRRC:Cabecera>` +
      '<tikLRRC:PeriodoImputacion>' +
      optionalElement('tikLRRC:Ejercicio', textAt(filter, 'PeriodoImputacion', 'Ejercicio')) +
      optionalElement('tikLRRC:Periodo', textAt(filter, 'PeriodoImputacion', 'Periodo')) +
      '</tikLRRC:PeriodoImputacion>' +
      `<tikLRRC:IndicadorPaginacion>${page.hasMore ? 'S' : 'N'}</tikLRRC:IndicadorPaginacion>` +
      `<tikLRRC:ResultadoConsulta>${page.invoices.length > 0 ? 'ConDatos' : 'SinDatos'}</tikLRRC:ResultadoConsulta>` +
      page.invoices.map((invoice) => invoiceOf(invoice, recordOf(invoice.latest), extras)).join('') +
      (last === undefined ? '' : `<tikLRRC:ClavePaginacion>${idOf(last.latest)}</tikLRRC:ClavePaginacion>`) +
      '</tikLRRC:RespuestaConsultaFactuSistemaFacturacion>',
  );
}

function idOf({ nif, number, date }: Entry): string {
  return (
    `<tik:IDEmisorFactura>${escaped(nif)}</tik:IDEmisorFactura>` +
    `<tik:NumSerieFactura>${escaped(number)}</tik:NumSerieFactura>` +
    `<tik:FechaExpedicionFactura>${escaped(date)}</tik:FechaExpedicionFactura>`
  );
}

function invoiceOf({ latest }: Invoice, record: XmlElement, extras: Extras): string {
  const timestamp = timestampAt(new Date(latest.receivedAt));
  const state = latest.kind === 'anulacion' ? 'Anulado' : latest.state;
  return (
    '<tikLRRC:RegistroRespuestaConsultaFactuSistemaFacturacion>' +
    `<tikLRRC:IDFactura>${idOf(latest)}</tikLRRC:IDFactura>` +
    `<tikLRRC:DatosRegistroFacturacion>${dataOf(record, latest, extras)}</tikLRRC:DatosRegistroFacturacion>` +
    '<tikLRRC:DatosPresentacion>' +
    `<tik:NIFPresentador>${escaped(latest.presenterNif)}</tik:NIFPresentador>` +
    `<tik:TimestampPresentacion>${timestamp}</tik:TimestampPresentacion>` +
    `<tik:IdPeticion>${latest.requestId}</tik:IdPeticion></tikLRRC:DatosPresentacion>` +
    '<tikLRRC:EstadoRegistro>' +
    `<tikLRRC:TimestampUltimaModificacion>${timestamp}</tikLRRC:TimestampUltimaModificacion>` +
    `<tikLRRC:EstadoRegistro>${state}</tikLRRC:EstadoRegistro>` +
    optionalElement('tikLRRC:CodigoErrorRegistro', latest.code === null ? null : String(latest.code)) +
    optionalElement('tikLRRC:DescripcionErrorRegistro', latest.description?.slice(0, 500)) +
    '</tikLRRC:EstadoRegistro></tikLRRC:RegistroRespuestaConsultaFactuSistemaFacturacion>'
  );
}

function dataOf(record: XmlElement, latest: Entry, extras: Extras): string {
  const parts: string[] = [];
  for (const name of SHOWN) {
    if (name === 'NombreRazonEmisor' && !extras.issuerName) continue;
    if (name === 'SistemaInformatico' && !extras.software) continue;
    const element = childOf(record, name);
    if (element !== undefined) parts.push(shownElement(element));
  }
  if (latest.incident) parts.push('<tikLRRC:Incidencia>S</tikLRRC:Incidencia>');
  return parts.join('');
}

function shownElement(element: XmlElement): string {
  const own = OWN_BLOCKS.has(element.name);
  const content =
    element.children.length === 0
      ? escaped(trimmed(element.rawText))
      : element.children.map((child) => (own ? ownChild(child) : rendered(child, 'tik'))).join('');
  return `<tikLRRC:${element.name}>${content}</tikLRRC:${element.name}>`;
}

function ownChild(child: XmlElement): string {
  const content =
    child.children.length === 0
      ? escaped(trimmed(child.rawText))
      : child.children.map((inner) => rendered(inner, 'tik')).join('');
  return `<tikLRRC:${child.name}>${content}</tikLRRC:${child.name}>`;
}
