import { centsOf, decimalsOf } from './amounts.ts';
import { html, type Markup, page } from './html.ts';
import type { Store } from './store.ts';
import { isNif } from './tax-ids.ts';
import { dayOfAgencyDate } from './time.ts';

/** The four values of a printed code's address; null when missing. */
type Question = Readonly<Record<'nif' | 'numserie' | 'fecha' | 'importe', string | null>>;

type Fault = { readonly code: string; readonly text: string };

/** The check's outcome: `00` found, `01` not found or cancelled, or what is wrong with the question. */
export type QrAnswer = {
  readonly question: Question;
  readonly faults: readonly Fault[];
  readonly result: '00' | '01' | null;
};

/** Words of the QR specification v0.5.0, section 10. */
const FAULTS = {
  1001: 'No se ha remitido el parámetro: nif (El parámetro "nif" es el número de identificación fiscal (NIF) del obligado a expedir la factura)',
  1002: 'No se ha remitido el parámetro: numserie (El parámetro "numserie" es el número de serie y número de factura que identifica a la factura emitida)',
  1003: 'No se ha remitido el parámetro: fecha (El parámetro "fecha" es la fecha de expedición de la factura)',
  1004: 'No se ha remitido el parámetro: importe (El parámetro "importe" es el importe total de la factura)',
  2001: 'El NIF tiene un formato erróneo o no es válido',
  2002: 'El número de serie excede el número máximo de caracteres',
  2003: 'El número de serie contiene caracteres no permitidos',
  2004: 'La fecha de expedición tiene formato inválido y debe tener el formato DD-MM-AAAA',
  2005: 'El importe tiene un formato incorrecto',
  2006: 'El importe excede el número máximo de caracteres',
} as const;

/** Looks up the invoice of a printed code. All four values are the key, the amount included. */
export function checkQr(parameters: URLSearchParams, store: Store): QrAnswer {
  const question: Question = {
    nif: parameters.get('nif'),
    numserie: parameters.get('numserie'),
    fecha: parameters.get('fecha'),
    importe: parameters.get('importe'),
  };
  const faults = faultsOf(question).map((code) => ({ code: String(code), text: FAULTS[code] }));
  if (faults.length > 0) return { question, faults, result: null };
  const { nif, numserie, fecha, importe } = question;
  const stored = store.invoice(nif ?? '', (numserie ?? '').trim(), fecha ?? '');
  const isActive = stored !== undefined && stored.latest.kind === 'alta';
  const found = isActive && centsOf(stored.latest.total) === centsOf(importe);
  return { question, faults, result: found ? '00' : '01' };
}

function faultsOf({ nif, numserie, fecha, importe }: Question): (keyof typeof FAULTS)[] {
  const faults: (keyof typeof FAULTS)[] = [];
  if (!nif) faults.push(1001);
  if (!numserie) faults.push(1002);
  if (!fecha) faults.push(1003);
  if (!importe) faults.push(1004);
  if (nif && !isNif(nif)) faults.push(2001);
  if (numserie && numserie.length > 60) faults.push(2002);
  if (numserie && (!/^[ -~]*$/.test(numserie) || /["'<>=]/.test(numserie))) faults.push(2003);
  if (fecha && dayOfAgencyDate(fecha) === null) faults.push(2004);
  if (importe && !/^[+-]?\d+(\.\d*)?$/.test(importe)) faults.push(2005);
  else if (importe && centsOf(importe) === null) faults.push(2006);
  return faults;
}

/** The answer for machines (`formato=json`), in the specification's form. */
export function qrJson({ question, faults, result }: QrAnswer): Record<string, unknown> {
  if (result === null) {
    return {
      status: 'KO',
      mensaje: faults.map(({ text }) => text).join('.'),
      visible: 'S',
      crashlytics: 'N',
      codigo_error: faults.map(({ code }) => code).join('.'),
    };
  }
  return {
    status: 'OK',
    mensaje: result === '00' ? 'Encontrada' : 'No encontrada',
    visible: 'N',
    crashlytics: 'N',
    respuesta: {
      resultado: result,
      nif: question.nif,
      numserie: question.numserie,
      fecha: question.fecha,
      importe: decimalsOf(centsOf(question.importe) ?? 0),
    },
  };
}

/** The answer to a scan of the code. */
export function qrPage(answer: QrAnswer): string {
  const { question } = answer;
  const content = html`<h1>Cotejo de factura</h1>
${resultOf(answer)}
<dl>
<dt>NIF del emisor</dt><dd>${question.nif ?? '—'}</dd>
<dt>Número de factura</dt><dd>${question.numserie ?? '—'}</dd>
<dt>Fecha de expedición</dt><dd>${question.fecha ?? '—'}</dd>
<dt>Importe total</dt><dd>${question.importe ?? '—'}</dd>
</dl>
<p class="note">Esta página imita el servicio de cotejo de la AEAT. Solo conoce los registros que ha recibido este
simulador: las facturas de un entorno de pruebas no se envían, así que aquí no constan. Lo que muestra no tiene
ningún valor fiscal.</p>`;
  return page(
    'es',
    'Cotejo de factura (simulador)',
    'SIMULADOR: esta página no es de la Agencia Tributaria',
    content,
    true,
  );
}

function resultOf({ faults, result }: QrAnswer): Markup {
  if (result === '00') {
    return html`<p class="result good"><strong>Factura encontrada.</strong> Los datos coinciden con un registro recibido.</p>`;
  }
  if (result === '01') {
    return html`<p class="result open"><strong>Factura no encontrada.</strong> No consta ningún registro vigente con estos
datos: no se ha recibido, está anulado o algún dato no coincide.</p>`;
  }
  const list = faults.map(({ code, text }) => html`<li>${text} (${code})</li>`);
  return html`<div class="result bad"><strong>La consulta no es correcta.</strong><ul>${list}</ul></div>`;
}
