import type { Evaluation } from './evaluate.ts';
import { NAMESPACES } from './shapes.ts';
import { soapAnswer } from './soap.ts';
import type { Invoice } from './store.ts';
import type { Submitted } from './submitted.ts';
import { timestampAt } from './time.ts';
import { escaped, optionalElement, rendered, textAt, type XmlElement } from './xml.ts';

/** One judged record, with what was held of its invoice before it came. */
export type AnsweredRecord = {
  readonly record: Submitted;
  readonly evaluation: Evaluation;
  readonly stored: Invoice | undefined;
};

/** What is the same for all records of an envelope. */
export type Receipt = {
  readonly requestId: string;
  readonly csv: string;
  readonly presenterNif: string;
  readonly now: Date;
  readonly incident: boolean;
};

/** The answer to an envelope, RespuestaSuministro.xsd. */
export function submissionAnswer(
  header: XmlElement | undefined,
  receipt: Receipt,
  answered: readonly AnsweredRecord[],
  waitSeconds: number | null,
): string {
  const state = envelopeState(answered);
  const accepted =
    state === 'Incorrecto'
      ? ''
      : `<tikR:CSV>${receipt.csv}</tikR:CSV><tikR:DatosPresentacion>` +
        `<tik:NIFPresentador>${escaped(receipt.presenterNif)}</tik:NIFPresentador>` +
        `<tik:TimestampPresentacion>${timestampAt(receipt.now)}</tik:TimestampPresentacion>` +
        '</tikR:DatosPresentacion>';
  const headerContent = header?.children.map((child) => rendered(child, 'tik')).join('') ?? '';
  return soapAnswer(
    `<tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR="${NAMESPACES.submissionAnswer}" ` +
      `xmlns:tik="${NAMESPACES.information}">${accepted}<tikR:Cabecera>${headerContent}</tikR:Cabecera>` +
      `<tikR:TiempoEsperaEnvio>${waitSeconds ?? ''}</tikR:TiempoEsperaEnvio>` +
      `<tikR:EstadoEnvio>${state}</tikR:EstadoEnvio>${answered.map(lineOf).join('')}` +
      '</tikR:RespuestaRegFactuSistemaFacturacion>',
  );
}

/** List L18: a flagged record makes the whole only partly right. */
function envelopeState(answered: readonly AnsweredRecord[]): string {
  if (answered.every(({ evaluation }) => evaluation.state === 'Correcto')) return 'Correcto';
  return answered.every(({ evaluation }) => evaluation.state === 'Incorrecto')
    ? 'Incorrecto'
    : 'ParcialmenteCorrecto';
}

function lineOf({ record, evaluation, stored }: AnsweredRecord): string {
  const { element } = record;
  const found = evaluation.finding;
  return (
    '<tikR:RespuestaLinea><tikR:IDFactura>' +
    `<tik:IDEmisorFactura>${escaped(record.nif)}</tik:IDEmisorFactura>` +
    `<tik:NumSerieFactura>${escaped(record.number)}</tik:NumSerieFactura>` +
    `<tik:FechaExpedicionFactura>${escaped(record.date)}</tik:FechaExpedicionFactura></tikR:IDFactura>` +
    `<tikR:Operacion><tik:TipoOperacion>${record.kind === 'alta' ? 'Alta' : 'Anulacion'}</tik:TipoOperacion>` +
    optionalElement('tik:Subsanacion', textAt(element, 'Subsanacion')) +
    optionalElement('tik:RechazoPrevio', textAt(element, 'RechazoPrevio')) +
    optionalElement('tik:SinRegistroPrevio', textAt(element, 'SinRegistroPrevio')) +
    '</tikR:Operacion>' +
    optionalElement('tikR:RefExterna', textAt(element, 'RefExterna')) +
    `<tikR:EstadoRegistro>${evaluation.state}</tikR:EstadoRegistro>` +
    optionalElement('tikR:CodigoErrorRegistro', found === null ? null : String(found.code)) +
    optionalElement('tikR:DescripcionErrorRegistro', found?.text) +
    (found?.code === 3000 && stored !== undefined ? duplicateOf(stored) : '') +
    '</tikR:RespuestaLinea>'
  );
}

/** What is held of the invoice whose record was refused as a duplicate. List L21 uses the feminine forms. */
function duplicateOf({ latest }: Invoice): string {
  const state =
    latest.kind === 'anulacion' ? 'Anulada' : latest.code === null ? 'Correcta' : 'AceptadaConErrores';
  return (
    '<tikR:RegistroDuplicado>' +
    `<tik:IdPeticionRegistroDuplicado>${latest.requestId}</tik:IdPeticionRegistroDuplicado>` +
    `<tik:EstadoRegistroDuplicado>${state}</tik:EstadoRegistroDuplicado>` +
    optionalElement('tik:CodigoErrorRegistro', latest.code === null ? null : String(latest.code)) +
    optionalElement('tik:DescripcionErrorRegistro', latest.description?.slice(0, 500)) +
    '</tikR:RegistroDuplicado>'
  );
}
