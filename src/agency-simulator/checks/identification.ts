import { isInCensus } from '../registers.ts';
import { isEuVat, isEuVatPrefix, isNif, isPersonNif, vatOutcome } from '../tax-ids.ts';
import type { Day } from '../time.ts';
import { childOf, textAt, type XmlElement } from '../xml.ts';
import { COUNTRIES } from './countries.ts';
import { type Finding, finding, isOutOfLength } from './finding.ts';

/** What a block of a person is refused with, where the agency has a code of the block's own. */
export type Block = {
  /** Name missing or too long. */
  readonly name: number;
  readonly nif: number;
  /** A NIF that the census does not know; null where it is not asked. */
  readonly census: number | null;
  readonly idType: number;
  /** Kinds of id that a Spanish person may have, and the code for any other. */
  readonly spanish: readonly [types: readonly string[], code: number];
};

const ID_TYPES = new Set(['02', '03', '04', '05', '06', '07']);

/** First day on which numbers beginning with GB are refused; before the year in which XI began they were the only ones. */
const GB_ENDS = '2021-02-01';
const XI_BEGINS = '2021-01-01';

/** A person named by NIF or by another identification, in the state of the registers on that day. */
export function* checkPerson(person: XmlElement | undefined, block: Block, day: Day): Generator<Finding> {
  const name = textAt(person, 'NombreRazon') ?? '';
  const nif = textAt(person, 'NIF');
  if (name === '' && nif !== null && isPersonNif(nif)) yield finding(1283);
  if (isOutOfLength(name, 120)) yield finding(block.name);
  if (nif !== null) {
    if (!isNif(nif)) yield finding(block.nif);
    if (block.census !== null && !isInCensus(nif, name))
      yield finding(block.census, ` NIF:${nif}. NOMBRE_RAZON:${name}`);
  }
  const other = childOf(person, 'IDOtro');
  if (other !== undefined) yield* checkOtherId(other, block, day);
}

function* checkOtherId(other: XmlElement, block: Block, day: Day): Generator<Finding> {
  const type = textAt(other, 'IDType') ?? '';
  const country = textAt(other, 'CodigoPais');
  const id = textAt(other, 'ID') ?? '';
  if (!ID_TYPES.has(type)) yield finding(block.idType);
  if (isOutOfLength(id, 20)) yield finding(1222);
  if (country !== null && !COUNTRIES.has(country)) yield finding(1101);
  if (country === null && type !== '02') yield finding(1111);
  if (type === '07' && country !== 'ES') yield finding(1126);
  const [spanishTypes, code] = block.spanish;
  if (country === 'ES' && !spanishTypes.includes(type)) yield finding(code);
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
