/**
 * The Spanish NIF: its format and its control character. The format of entities' numbers is in Orden EHA/451/2008
 * arts. 2 to 5; that of persons in Real Decreto 1065/2007 arts. 19 to 21. Only the census knows whether a number is
 * assigned.
 */

/** The control letter of persons' numbers, by the number modulo 23. */
const PERSON_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
/** The control letter of entities' numbers, by the control digit. */
const ENTITY_LETTERS = 'JABCDEFGHI';
const LENGTH = 9;

/**
 * Whether a normalized text (upper case, no separators, no ES prefix) is a NIF of a person or an entity with a
 * valid control character. An entity's control may be a digit or a letter, whatever its kind: the Order does not
 * define the algorithm, and refusing a number that the census knows would be worse than querying it.
 */
export function isSpanishNif(id: string): boolean {
  return isPersonNif(id) || isEntityNif(id);
}

/**
 * Whether it is the number of a natural person: DNI (8 digits), NIE (X, Y, Z) or one assigned to those without
 * either (K, L, M). Only these may be declared as not in the census (agency code 1131).
 */
export function isPersonNif(id: string): boolean {
  if (id.length !== LENGTH) return false;
  const prefix = PERSON_PREFIXES[id[0]!];
  const number = wholeNumber(prefix === undefined ? id.slice(0, 8) : prefix + id.slice(1, 8));
  return number !== null && id[8] === PERSON_LETTERS[number % 23];
}

/** What the first letter counts as; the numbers of a DNI have none. */
const PERSON_PREFIXES: Readonly<Record<string, string>> = { X: '0', Y: '1', Z: '2', K: '', L: '', M: '' };

const ENTITY_KINDS = 'ABCDEFGHJNPQRSUVW';

function isEntityNif(id: string): boolean {
  if (id.length !== LENGTH || !ENTITY_KINDS.includes(id[0]!)) return false;
  if (wholeNumber(id.slice(1, 8)) === null) return false;
  const control = entityControl(id);
  return id[8] === String(control) || id[8] === ENTITY_LETTERS[control];
}

/**
 * Digits in odd positions are doubled and the digits of the product added; the control completes the sum to a
 * multiple of ten.
 */
function entityControl(id: string): number {
  let sum = 0;
  for (let position = 1; position <= 7; position += 1) {
    const digit = id.charCodeAt(position) - ZERO;
    const weighed = position % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return (10 - (sum % 10)) % 10;
}

const ZERO = '0'.charCodeAt(0);

/** The number in a text of ASCII digits, or null for any other text. */
function wholeNumber(digits: string): number | null {
  let value = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return null;
    value = value * 10 + digit;
  }
  return value;
}
