import type { Submitted } from '../submitted.ts';
import { childOf, childrenOf, textAt } from '../xml.ts';
import { effectiveDay, type Finding, finding } from './finding.ts';
import { type Block, checkPerson } from './identification.ts';

const RECIPIENT: Block = { name: 1239, nif: 1123, census: 1110, idType: 1102, spanish: [['03', '07'], 1234] };
const THIRD_PARTY: Block = { name: 1178, nif: 1123, census: 1110, idType: 1102, spanish: [['03'], 1232] };

/** Who the invoice is for (validations 3.1.3.13). */
export function* checkRecipients(record: Submitted): Generator<Finding> {
  const { element, invoiceType } = record;
  const recipients = childrenOf(childOf(element, 'Destinatarios'), 'IDDestinatario');
  const simplified = invoiceType === 'F2' || invoiceType === 'R5';
  if (simplified && recipients.length > 0) yield finding(1190);
  if (!simplified && recipients.length === 0) yield finding(1189);
  for (const recipient of recipients) {
    const idType = textAt(recipient, 'IDOtro', 'IDType');
    if (invoiceType === 'R3' && idType !== null && idType !== '07') yield finding(1191);
    if (invoiceType === 'R2' && idType !== null && idType !== '07' && idType !== '02') yield finding(1192);
    yield* checkPerson(recipient, RECIPIENT, effectiveDay(record));
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
  yield* checkPerson(third, THIRD_PARTY, effectiveDay(record));
}

/** Who generated a cancellation (validations 3.1.4.2 and 3). */
export function* checkGenerator(record: Submitted): Generator<Finding> {
  const by = textAt(record.element, 'GeneradoPor');
  const generator = childOf(record.element, 'Generador');
  if ((by === null) !== (generator === undefined)) yield finding(1224);
  if (by !== null && !['E', 'D', 'T'].includes(by)) yield finding(1225);
  if (generator === undefined) return;
  const nif = textAt(generator, 'NIF');
  if (nif === '') yield finding(1228);
  if (by === 'E' && nif === null) yield finding(1227);
  if (by === 'T' && textAt(generator, 'IDOtro', 'IDType') === '07') yield finding(1229);
  // The text makes no exception for the issuer itself, without which E could never be said.
  if (nif === record.nif && by !== 'E') yield finding(1259);
  const spanish: Block['spanish'] = by === 'T' ? [['03'], 1232] : [['03', '07'], 1230];
  const block: Block = { name: 1273, nif: 1258, census: 1259, idType: 1231, spanish };
  yield* checkPerson(generator, block, effectiveDay(record));
}
