import { isInCensus } from '../registers.ts';
import type { Submitted } from '../submitted.ts';
import { isEuVat, isEuVatPrefix, isNif, isPersonNif, vatOutcome } from '../tax-ids.ts';
import { type Day, dayOfAgencyDate } from '../time.ts';
import { childOf, childrenOf, textAt, type XmlElement } from '../xml.ts';
import { COUNTRIES } from './countries.ts';
import { effectiveDay, type Finding, finding, isOutOfLength } from './finding.ts';

const ID_TYPES = new Set(['02', '03', '04', '05', '06', '07']);

/** First day on which numbers beginning with GB are refused; before the year in which XI began they were the only ones. */
const GB_ENDS = '2021-02-01';
const XI_BEGINS = '2021-01-01';

/** Who the invoice is for (validations 3.1.3.13). */
export function* checkRecipients(record: Submitted): Generator<Finding> {
  const { element, invoiceType } = record;
  const recipients = childrenOf(childOf(element, 'Destinatarios'), 'IDDestinatario');
  const simplified = invoiceType === 'F2' || invoiceType === 'R5';
  if (simplified && recipients.length > 0) yield finding(1190);
  if (!simplified && recipients.length === 0) yield finding(1189);
  const day = effectiveDay(dayOfAgencyDate(record.operationDate), record.issueDay);
  for (const recipient of recipients) {
    const idType = textAt(recipient, 'IDOtro', 'IDType');
    if (invoiceType === 'R3' && idType !== null && idType !== '07') yield finding(1191);
    if (invoiceType === 'R2' && idType !== null && idType !== '07' && idType !== '02') yield finding(1192);
    yield* checkParty(recipient, day);
    if (idType === '07') yield finding(2001);
  }
}

/** Who issued it in the issuer's stead (validations 3.1.3.11 and 12). */
export function* checkThirdParty(record: Submitted): Generator<Finding> {
  const { element } = record;
  const by = textAt(element, 'EmitidaPorTerceroODestinatario');
  const third = childOf(element, 'Tercero');
  if (by !== null && by !== 'T' && by !== 'D') yield finding(1151);
  if (by === 'T' && third === undefined) yield finding(1186);
  if (by === 'D' && childOf(element, 'Destinatarios') === undefined) yield finding(1158);
  if (third === undefined) return;
  if (by === null) yield finding(1155);
  if (by === 'D') yield finding(1159);
  if (textAt(third, 'NIF') === record.nif) yield finding(1188);
  if (textAt(third, 'IDOtro', 'IDType') === '07') yield finding(1211);
  yield* checkParty(third, effectiveDay(dayOfAgencyDate(record.operationDate), record.issueDay));
}

/** Who generated a cancellation (validations 3.1.4.2 and 3). */
export function* checkGenerator(record: Submitted): Generator<Finding> {
  const by = textAt(record.element, 'GeneradoPor');
  const generator = childOf(record.element, 'Generador');
  if ((by === null) !== (generator === undefined)) yield finding(1224);
  if (by !== null && !['E', 'D', 'T'].includes(by)) yield finding(1225);
  if (generator === undefined) return;
  const nif = textAt(generator, 'NIF');
  const idType = textAt(generator, 'IDOtro', 'IDType');
  if (by === 'E' && nif === null) yield finding(1227);
  if (by === 'T' && idType === '07') yield finding(1229);
  if (nif !== null && nif === record.nif && by !== 'E') yield finding(1259);
  yield* checkParty(generator, record.issueDay ?? '');
}

/** A person named by NIF or by another identification, in the state of the registers on that day. */
function* checkParty(party: XmlElement, day: Day): Generator<Finding> {
  const name = textAt(party, 'NombreRazon') ?? '';
  if (name === '') yield finding(1283);
  if (isOutOfLength(name, 120)) yield finding(1239);
  const nif = textAt(party, 'NIF');
  if (nif !== null) {
    if (!isNif(nif)) yield finding(1123);
    if (!isInCensus(nif, name)) yield finding(1110, ` NIF:${nif}. NOMBRE_RAZON:${name}`);
  }
  const other = childOf(party, 'IDOtro');
  if (other !== undefined) yield* checkOtherId(other, day);
}

function* checkOtherId(other: XmlElement, day: Day): Generator<Finding> {
  const type = textAt(other, 'IDType') ?? '';
  const country = textAt(other, 'CodigoPais');
  const id = textAt(other, 'ID') ?? '';
  if (!ID_TYPES.has(type)) yield finding(1102);
  if (isOutOfLength(id, 20)) yield finding(1222);
  if (country !== null && !COUNTRIES.has(country)) yield finding(1101);
  if (country === null && type !== '02') yield finding(1111);
  if (type === '07' && country !== 'ES') yield finding(1126);
  if (country === 'ES' && type !== '03' && type !== '07') yield finding(1234);
  if (type === '02') yield* checkEuVat(id, country, day);
  if (type === '07') {
    if (!isNif(id)) yield finding(1290);
    if (!isPersonNif(id)) yield finding(1131);
  }
}

function* checkEuVat(id: string, country: string | null, day: Day): Generator<Finding> {
  const prefix = id.slice(0, 2);
  if (!isEuVatPrefix(prefix) || !isEuVat(prefix, id.slice(2))) yield finding(1103);
  if (country !== null && country !== prefix) yield finding(1122);
  if (prefix === 'XI' && day < XI_BEGINS) yield finding(1254);
  if (prefix === 'GB' && day >= GB_ENDS) yield finding(1255);
  if (vatOutcome(id) === 'unknown') yield finding(1121);
}
