/** The agency's answers as its description of the service prints them, for servers of a test's own. */

const SCHEMAS =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';

/** What a reader makes of a whole answer, which it gets in chunks as they arrive. */
export function readWhole<Answer>(
  reader: { write(chunk: string): boolean; close(): Answer },
  text: string,
): Answer {
  for (let from = 0; from < text.length; from += CHUNK) {
    if (!reader.write(text.slice(from, from + CHUNK))) break;
  }
  return reader.close();
}

/** As much as Node reads of a connection at once. */
const CHUNK = 64 * 1_024;

export type AnswerLine = {
  readonly number: string;
  readonly date: string;
  readonly state: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';
  readonly operation?: 'Alta' | 'Anulacion';
  readonly code?: string;
  readonly message?: string;
};

export function envelope(body: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/">' +
    `<env:Header/><env:Body Id="Body">${body}</env:Body></env:Envelope>`
  );
}

/** `wait` as the agency would write it, the empty text included. */
export function answer(
  lines: readonly AnswerLine[],
  wait = '60',
  csv: string | null = 'A-1B2C3D4E5F6G7H',
): string {
  return envelope(
    `<tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR="${SCHEMAS}RespuestaSuministro.xsd" ` +
      `xmlns:tik="${SCHEMAS}SuministroInformacion.xsd">${csv === null ? '' : `<tikR:CSV>${csv}</tikR:CSV>`}` +
      '<tikR:Cabecera><tik:ObligadoEmision><tik:NombreRazon>X</tik:NombreRazon><tik:NIF>B72877814</tik:NIF>' +
      `</tik:ObligadoEmision></tikR:Cabecera><tikR:TiempoEsperaEnvio>${wait}</tikR:TiempoEsperaEnvio>` +
      `<tikR:EstadoEnvio>ParcialmenteCorrecto</tikR:EstadoEnvio>${lines.map(lineXml).join('')}` +
      '</tikR:RespuestaRegFactuSistemaFacturacion>',
  );
}

function lineXml(line: AnswerLine): string {
  const code =
    line.code === undefined ? '' : `<tikR:CodigoErrorRegistro>${line.code}</tikR:CodigoErrorRegistro>`;
  const message =
    line.message === undefined
      ? ''
      : `<tikR:DescripcionErrorRegistro>${line.message}</tikR:DescripcionErrorRegistro>`;
  return (
    '<tikR:RespuestaLinea><tikR:IDFactura><tik:IDEmisorFactura>B72877814</tik:IDEmisorFactura>' +
    `<tik:NumSerieFactura>${line.number}</tik:NumSerieFactura>` +
    `<tik:FechaExpedicionFactura>${line.date}</tik:FechaExpedicionFactura></tikR:IDFactura>` +
    `<tikR:Operacion><tik:TipoOperacion>${line.operation ?? 'Alta'}</tik:TipoOperacion></tikR:Operacion>` +
    `<tikR:EstadoRegistro>${line.state}</tikR:EstadoRegistro>${code}${message}</tikR:RespuestaLinea>`
  );
}

export function fault(code: string | null, message: string, side: 'Client' | 'Server' = 'Client'): string {
  return envelope(
    `<env:Fault><faultcode>env:${side}</faultcode>` +
      `<faultstring>${code === null ? '' : `Codigo[${code}].`}${message}</faultstring></env:Fault>`,
  );
}

export type HeldRecord = {
  readonly number: string;
  readonly date: string;
  readonly fingerprint: string;
  /** The agency's own word, of either gender. */
  readonly state: string;
  readonly code?: string;
  readonly message?: string;
};

export function queryAnswer(records: readonly HeldRecord[]): string {
  const entry = 'RegistroRespuestaConsultaFactuSistemaFacturacion';
  return envelope(
    `<tikLRRC:RespuestaConsultaFactuSistemaFacturacion xmlns:tikLRRC="${SCHEMAS}RespuestaConsultaLR.xsd" ` +
      `xmlns:tik="${SCHEMAS}SuministroInformacion.xsd"><tikLRRC:IndicadorPaginacion>N</tikLRRC:IndicadorPaginacion>` +
      `<tikLRRC:ResultadoConsulta>${records.length === 0 ? 'SinDatos' : 'ConDatos'}</tikLRRC:ResultadoConsulta>` +
      records.map((held) => `<tikLRRC:${entry}>${recordXml(held)}</tikLRRC:${entry}>`).join('') +
      '</tikLRRC:RespuestaConsultaFactuSistemaFacturacion>',
  );
}

function recordXml(held: HeldRecord): string {
  return (
    '<tikLRRC:IDFactura><tik:IDEmisorFactura>B72877814</tik:IDEmisorFactura>' +
    `<tik:NumSerieFactura>${held.number}</tik:NumSerieFactura>` +
    `<tik:FechaExpedicionFactura>${held.date}</tik:FechaExpedicionFactura></tikLRRC:IDFactura>` +
    '<tikLRRC:DatosRegistroFacturacion><tikLRRC:Encadenamiento><tikLRRC:RegistroAnterior>' +
    `<tik:Huella>${'0'.repeat(64)}</tik:Huella></tikLRRC:RegistroAnterior></tikLRRC:Encadenamiento>` +
    `<tikLRRC:Huella>${held.fingerprint}</tikLRRC:Huella></tikLRRC:DatosRegistroFacturacion>` +
    '<tikLRRC:EstadoRegistro><tikLRRC:TimestampUltimaModificacion>2026-11-20T10:00:00+01:00' +
    `</tikLRRC:TimestampUltimaModificacion><tikLRRC:EstadoRegistro>${held.state}</tikLRRC:EstadoRegistro>` +
    (held.code === undefined
      ? ''
      : `<tikLRRC:CodigoErrorRegistro>${held.code}</tikLRRC:CodigoErrorRegistro>`) +
    (held.message === undefined
      ? ''
      : `<tikLRRC:DescripcionErrorRegistro>${held.message}</tikLRRC:DescripcionErrorRegistro>`) +
    '</tikLRRC:EstadoRegistro>'
  );
}
