import { child, children, text, type XmlElement } from '../../../ground/lib/xml.ts';
import { type Fault, type SoapBody, SoapReader, type Unreadable } from './soap.ts';

/** The agency's result for one record. */
export type AnsweredRecord = {
  readonly operation: 'registration' | 'cancellation';
  readonly number: string;
  /** `dd-mm-yyyy`, as the agency writes it. */
  readonly issueDate: string;
  readonly state: 'accepted' | 'flagged' | 'rejected';
  readonly code: string | null;
  readonly message: string | null;
};

/** An envelope that the agency has processed, record by record. */
export type Processed = {
  readonly kind: 'processed';
  /** Its receipt (CSV), which cannot be requested later; null when nothing was accepted. */
  readonly receipt: string | null;
  /** Seconds to wait before the next envelope; null leaves the wait unchanged. */
  readonly waitSeconds: number | null;
  readonly records: readonly AnsweredRecord[];
};

export type Answer = Processed | Fault | Unreadable;

/**
 * Parses the agency's answer to an envelope as it arrives. Never throws: an answer that cannot be parsed completely is
 * `unreadable`.
 */
export class AnswerReader {
  readonly #soap = new SoapReader('RespuestaRegFactuSistemaFacturacion');

  /** Parses the next chunk. False: the answer is rejected already, and the rest need not be read. */
  write(chunk: string | Uint8Array): boolean {
    return this.#soap.write(chunk);
  }

  close(): Answer {
    return answerOf(this.#soap.close());
  }
}

function answerOf(soap: SoapBody): Answer {
  if (soap.kind !== 'message') return soap;
  const records: AnsweredRecord[] = [];
  for (const line of children(soap.message, 'RespuestaLinea')) {
    const record = readLine(line);
    if (record === null)
      return { kind: 'unreadable', reason: 'a line of the answer lacks its invoice or its state' };
    records.push(record);
  }
  return {
    kind: 'processed',
    receipt: text(soap.message, 'CSV'),
    waitSeconds: readWait(text(soap.message, 'TiempoEsperaEnvio')),
    records,
  };
}

const STATES: Record<string, AnsweredRecord['state']> = {
  Correcto: 'accepted',
  AceptadoConErrores: 'flagged',
  Incorrecto: 'rejected',
};

function readLine(line: XmlElement): AnsweredRecord | null {
  const invoice = child(line, 'IDFactura');
  const number = text(invoice, 'NumSerieFactura');
  const issueDate = text(invoice, 'FechaExpedicionFactura');
  const state = STATES[text(line, 'EstadoRegistro') ?? ''];
  if (number === null || issueDate === null || state === undefined) return null;
  const operation = text(child(line, 'Operacion'), 'TipoOperacion');
  return {
    operation: operation === 'Anulacion' ? 'cancellation' : 'registration',
    number,
    issueDate,
    state,
    code: text(line, 'CodigoErrorRegistro'),
    message: text(line, 'DescripcionErrorRegistro'),
  };
}

/** Up to four digits, possibly none (Tipo6Type); anything else leaves the wait unchanged. */
function readWait(value: string | null): number | null {
  return value !== null && /^\d{1,4}$/.test(value) ? Number(value) : null;
}
