import { fingerprintOf, type Submitted } from '../submitted.ts';
import { dayOfAgencyDate } from '../time.ts';
import { childOf, textAt, type XmlElement } from '../xml.ts';
import { type CheckContext, type Finding, finding, isOutOfLength } from './finding.ts';

const FINGERPRINT = /^[0-9A-F]{64}$/;

/** How far a record's clock may be ahead of the agency's; measured by third parties, the agency names no value. */
const MAX_CLOCK_DRIFT_SECONDS = 240;

/** `YYYY-MM-DDThh:mm:ss` with an offset in hours and minutes: fractions and offset seconds are refused. */
const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/;

/**
 * The link to the previous record (validations 18). The agency documents no check of the link itself: a link that
 * leads nowhere is stored, and `Store.linkOf` shows it, but it is not answered.
 */
export function* checkChain(record: Submitted, { store }: CheckContext): Generator<Finding> {
  const chain = childOf(record.element, 'Encadenamiento');
  const first = textAt(chain, 'PrimerRegistro');
  if (first !== null) {
    if (first !== 'S') yield finding(1274);
    if (store.acceptedIn(record.nif, record.installation) > 0) yield finding(2007);
    return;
  }
  const previous = childOf(chain, 'RegistroAnterior');
  if (previous === undefined) yield finding(1180);
  else yield* checkPrevious(previous, record.fingerprint);
}

function* checkPrevious(previous: XmlElement, ownFingerprint: string): Generator<Finding> {
  if (textAt(previous, 'IDEmisorFactura')?.length !== 9) yield finding(1269);
  if (isOutOfLength(textAt(previous, 'NumSerieFactura'), 60)) yield finding(1175);
  if (dayOfAgencyDate(textAt(previous, 'FechaExpedicionFactura')) === null) yield finding(1174);
  const fingerprint = textAt(previous, 'Huella') ?? '';
  if (!/^[0-9A-Za-z]*$/.test(fingerprint)) yield finding(1291);
  if (fingerprint.length !== 64) yield finding(2002);
  else if (!FINGERPRINT.test(fingerprint)) yield finding(2003);
  if (fingerprint === ownFingerprint) yield finding(2008);
}

/** The record's own fingerprint (validations 23). */
export function* checkFingerprint({ element, fingerprint }: Submitted): Generator<Finding> {
  if (textAt(element, 'TipoHuella') !== '01') yield finding(1247);
  if (fingerprint.length !== 64) yield finding(1262);
  if (!/^[0-9A-Za-z]*$/.test(fingerprint)) yield finding(1292);
  if (fingerprint !== fingerprintOf(element)) yield finding(2000);
}

/** When the record was generated: never ahead of the agency's clock (validations 20). */
export function* checkTimestamp({ element }: Submitted, { now }: CheckContext): Generator<Finding> {
  const text = textAt(element, 'FechaHoraHusoGenRegistro') ?? '';
  const [, year, month, date] = TIMESTAMP.exec(text) ?? [];
  const instant = Date.parse(text);
  // The parser takes 30 February for 2 March.
  const isDay = dayOfAgencyDate(`${date}-${month}-${year}`) !== null;
  if (!isDay || Number.isNaN(instant)) yield finding(1244);
  if (instant > now.getTime() + MAX_CLOCK_DRIFT_SECONDS * 1_000)
    yield finding(2004, ` ${MAX_CLOCK_DRIFT_SECONDS} segundos`);
}
