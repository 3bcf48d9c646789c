import { createHash } from 'node:crypto';
import { agencyDate, fiscalTimestamp, madridDay } from '../../../src/ground/lib/calendar.ts';
import { clock } from '../../../src/ground/lib/clock.ts';

/** Records and envelopes written by hand, as the agency's documents show them: no code of the service has a part in it. */

const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws';
export const SF = `${BASE}/SuministroInformacion.xsd`;
const LR = `${BASE}/SuministroLR.xsd`;
const CON = `${BASE}/ConsultaLR.xsd`;

export const ISSUER = { name: 'EMISORA DE PRUEBA SL', nif: 'B00000000' };

export type Previous = { nif: string; number: string; date: string; fingerprint: string };

/** Values of an alta's elements; a block is given as XML, and an empty text leaves its element out. */
export type AltaValues = {
  nif: string;
  number: string;
  date: string;
  reference: string;
  flags: string;
  type: string;
  rectification: string;
  operationDate: string;
  description: string;
  afterDescription: string;
  recipients: string;
  details: string;
  quotaTotal: string;
  total: string;
  previous: Previous | null;
  installation: string;
  software: string;
  timestamp: string;
  fingerprint: string;
};

const element = (name: string, text: string) => (text === '' ? '' : `<sf:${name}>${text}</sf:${name}>`);
const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&');

export const RECIPIENT = person('CLIENTE DE PRUEBA SL', '<sf:NIF>A39200019</sf:NIF>');
export const DETAIL = detail({});

/** One IDDestinatario. */
export function person(name: string, identification: string): string {
  return `<sf:IDDestinatario><sf:NombreRazon>${name}</sf:NombreRazon>${identification}</sf:IDDestinatario>`;
}

/** One IDOtro. */
export function otherId(type: string, id: string, country = ''): string {
  return `<sf:IDOtro>${element('CodigoPais', country)}<sf:IDType>${type}</sf:IDType><sf:ID>${id}</sf:ID></sf:IDOtro>`;
}

/** One DetalleDesglose of 100.00 at 21 % unless said otherwise; an empty text leaves its element out. */
export function detail(values: {
  tax?: string;
  key?: string;
  operation?: string;
  exemption?: string;
  rate?: string;
  base?: string;
  quota?: string;
  surcharge?: readonly [rate: string, amount: string];
}): string {
  const untaxed = values.exemption !== undefined || /^N/.test(values.operation ?? '');
  return (
    `<sf:DetalleDesglose>${element('Impuesto', values.tax ?? '01')}${element('ClaveRegimen', values.key ?? '01')}` +
    element('CalificacionOperacion', values.operation ?? (values.exemption === undefined ? 'S1' : '')) +
    element('OperacionExenta', values.exemption ?? '') +
    element('TipoImpositivo', values.rate ?? (untaxed ? '' : '21')) +
    element('BaseImponibleOimporteNoSujeto', values.base ?? '100.00') +
    element('CuotaRepercutida', values.quota ?? (untaxed ? '' : '21.00')) +
    element('TipoRecargoEquivalencia', values.surcharge?.[0] ?? '') +
    `${element('CuotaRecargoEquivalencia', values.surcharge?.[1] ?? '')}</sf:DetalleDesglose>`
  );
}

export const SOFTWARE =
  '<sf:NombreRazon>PRODUCTORA SL</sf:NombreRazon><sf:NIF>B00000000</sf:NIF>' +
  '<sf:NombreSistemaInformatico>Prueba</sf:NombreSistemaInformatico><sf:IdSistemaInformatico>P1</sf:IdSistemaInformatico>' +
  '<sf:Version>1.0</sf:Version>';

/** The agency's date of the clock's day. */
export const today = () => agencyDate(madridDay(clock.now()));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase();

/** A record with what a later one says of it. */
export type Built = { readonly xml: string; readonly id: Previous };

/** An alta that the agency accepts, but for the values given. */
export function alta(values: Partial<AltaValues> = {}): Built {
  const full: AltaValues = {
    ...{ nif: ISSUER.nif, number: 'F-1', date: today(), reference: '', flags: '', type: 'F1' },
    ...{ rectification: '', operationDate: '', description: 'Servicios de prueba', afterDescription: '' },
    ...{ recipients: RECIPIENT, details: DETAIL, quotaTotal: '21.00', total: '121.00' },
    ...{ previous: null, installation: 'I-1', software: SOFTWARE, fingerprint: '' },
    timestamp: fiscalTimestamp('Europe/Madrid', clock.now()),
    ...values,
  };
  const { nif, number, date, type, quotaTotal, total, timestamp, previous } = full;
  const fingerprint =
    full.fingerprint ||
    sha256(
      `IDEmisorFactura=${nif}&NumSerieFactura=${unescaped(number)}&FechaExpedicionFactura=${date}&TipoFactura=${type}` +
        `&CuotaTotal=${quotaTotal}&ImporteTotal=${total}&Huella=${previous?.fingerprint ?? ''}` +
        `&FechaHoraHusoGenRegistro=${timestamp}`,
    );
  const xml =
    `<sf:RegistroAlta xmlns:sf="${SF}"><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura>` +
    `<sf:IDEmisorFactura>${nif}</sf:IDEmisorFactura><sf:NumSerieFactura>${number}</sf:NumSerieFactura>` +
    `<sf:FechaExpedicionFactura>${date}</sf:FechaExpedicionFactura></sf:IDFactura>` +
    `${element('RefExterna', full.reference)}<sf:NombreRazonEmisor>${ISSUER.name}</sf:NombreRazonEmisor>${full.flags}` +
    `<sf:TipoFactura>${type}</sf:TipoFactura>${full.rectification}${element('FechaOperacion', full.operationDate)}` +
    `<sf:DescripcionOperacion>${full.description}</sf:DescripcionOperacion>${full.afterDescription}` +
    `${element('Destinatarios', full.recipients)}<sf:Desglose>${full.details}</sf:Desglose>` +
    `<sf:CuotaTotal>${quotaTotal}</sf:CuotaTotal><sf:ImporteTotal>${total}</sf:ImporteTotal>` +
    `${ending(full)}<sf:Huella>${fingerprint}</sf:Huella></sf:RegistroAlta>`;
  return { xml, id: { nif, number, date, fingerprint } };
}

type Ending = Pick<AltaValues, 'previous' | 'software' | 'installation' | 'timestamp'>;

function ending({ previous, software, installation, timestamp }: Ending): string {
  const link =
    previous === null
      ? '<sf:PrimerRegistro>S</sf:PrimerRegistro>'
      : `<sf:RegistroAnterior><sf:IDEmisorFactura>${previous.nif}</sf:IDEmisorFactura>` +
        `<sf:NumSerieFactura>${previous.number}</sf:NumSerieFactura>` +
        `<sf:FechaExpedicionFactura>${previous.date}</sf:FechaExpedicionFactura>` +
        `<sf:Huella>${previous.fingerprint}</sf:Huella></sf:RegistroAnterior>`;
  return (
    `<sf:Encadenamiento>${link}</sf:Encadenamiento><sf:SistemaInformatico>${software}` +
    `<sf:NumeroInstalacion>${installation}</sf:NumeroInstalacion>` +
    '<sf:TipoUsoPosibleSoloVerifactu>S</sf:TipoUsoPosibleSoloVerifactu>' +
    '<sf:TipoUsoPosibleMultiOT>S</sf:TipoUsoPosibleMultiOT><sf:IndicadorMultiplesOT>N</sf:IndicadorMultiplesOT>' +
    `</sf:SistemaInformatico><sf:FechaHoraHusoGenRegistro>${timestamp}</sf:FechaHoraHusoGenRegistro>` +
    '<sf:TipoHuella>01</sf:TipoHuella>'
  );
}

/** An anulacion of an invoice. */
export function anulacion(
  cancelled: Previous,
  values: Partial<Pick<AltaValues, 'flags' | 'previous' | 'timestamp'>> = {},
): Built {
  const full = {
    flags: '',
    previous: cancelled,
    timestamp: fiscalTimestamp('Europe/Madrid', clock.now()),
    ...values,
  };
  const fingerprint = sha256(
    `IDEmisorFacturaAnulada=${cancelled.nif}&NumSerieFacturaAnulada=${cancelled.number}` +
      `&FechaExpedicionFacturaAnulada=${cancelled.date}&Huella=${full.previous?.fingerprint ?? ''}` +
      `&FechaHoraHusoGenRegistro=${full.timestamp}`,
  );
  const xml =
    `<sf:RegistroAnulacion xmlns:sf="${SF}"><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura>` +
    `<sf:IDEmisorFacturaAnulada>${cancelled.nif}</sf:IDEmisorFacturaAnulada>` +
    `<sf:NumSerieFacturaAnulada>${cancelled.number}</sf:NumSerieFacturaAnulada>` +
    `<sf:FechaExpedicionFacturaAnulada>${cancelled.date}</sf:FechaExpedicionFacturaAnulada></sf:IDFactura>` +
    `${full.flags}${ending({ ...full, software: SOFTWARE, installation: 'I-1' })}` +
    `<sf:Huella>${fingerprint}</sf:Huella></sf:RegistroAnulacion>`;
  return { xml, id: { ...cancelled, fingerprint } };
}

/** Makes altas of one installation, each linked to the one before; their numbers begin with the installation's name. */
export function chainOf(installation: string): (number: string, values?: Partial<AltaValues>) => Built {
  let tail: Previous | null = null;
  return (number, values = {}) => {
    const built = alta({ number: `${installation}-${number}`, installation, previous: tail, ...values });
    tail = built.id;
    return built;
  };
}

/** A SOAP 1.1 document around its content. */
export function soap(content: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">' +
    `<soapenv:Header/><soapenv:Body>${content}</soapenv:Body></soapenv:Envelope>`
  );
}

/** An envelope of records of one issuer; `remission` is what follows ObligadoEmision in the header. */
export function envelope(records: readonly Built[], issuer = ISSUER, remission = ''): string {
  const wrapped = records.map(({ xml }) => `<lr:RegistroFactura>${xml}</lr:RegistroFactura>`).join('');
  return soap(
    `<lr:RegFactuSistemaFacturacion xmlns:lr="${LR}" xmlns:sf="${SF}"><lr:Cabecera><sf:ObligadoEmision>` +
      `<sf:NombreRazon>${issuer.name}</sf:NombreRazon><sf:NIF>${issuer.nif}</sf:NIF></sf:ObligadoEmision>${remission}` +
      `</lr:Cabecera>${wrapped}</lr:RegFactuSistemaFacturacion>`,
  );
}

/** A query of the issuer for a month, with further filters and with what more is wanted as XML. */
export function consulta(year: string, month: string, filters = '', extras = '', nif = ISSUER.nif): string {
  return soap(
    `<con:ConsultaFactuSistemaFacturacion xmlns:con="${CON}" xmlns:sf="${SF}"><con:Cabecera>` +
      '<sf:IDVersion>1.0</sf:IDVersion><sf:ObligadoEmision>' +
      `<sf:NombreRazon>${ISSUER.name}</sf:NombreRazon><sf:NIF>${nif}</sf:NIF></sf:ObligadoEmision></con:Cabecera>` +
      `<con:FiltroConsulta><con:PeriodoImputacion><sf:Ejercicio>${year}</sf:Ejercicio><sf:Periodo>${month}</sf:Periodo>` +
      `</con:PeriodoImputacion>${filters}</con:FiltroConsulta>${extras}</con:ConsultaFactuSistemaFacturacion>`,
  );
}
