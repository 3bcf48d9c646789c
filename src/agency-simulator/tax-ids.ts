const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const NIE_DIGIT: Readonly<Record<string, string>> = { X: '0', Y: '1', Z: '2' };
const ENTITY_LETTERS = 'JABCDEFGHI';

/** Whether the text is the NIF of a natural person (DNI, NIE or K, L, M) with its right control letter. */
export function isPersonNif(nif: string): boolean {
  const [, first, digits, letter] = /^([XYZKLM\d])(\d{7})([A-Z])$/.exec(nif) ?? [];
  if (first === undefined || digits === undefined) return false;
  const leading = NIE_DIGIT[first] ?? (/\d/.test(first) ? first : '');
  return DNI_LETTERS[Number(leading + digits) % 23] === letter;
}

/** Whether the text is the NIF of an entity with a right control, given as digit or as letter. */
function isEntityNif(nif: string): boolean {
  const [, digits, control] = /^[ABCDEFGHJNPQRSUVW](\d{7})([\dA-J])$/.exec(nif) ?? [];
  if (digits === undefined || control === undefined) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].entries()) {
    const value = Number(digit);
    const doubled = value * 2;
    sum += index % 2 === 1 ? value : Math.floor(doubled / 10) + (doubled % 10);
  }
  const expected = (10 - (sum % 10)) % 10;
  return control === String(expected) || control === ENTITY_LETTERS[expected];
}

/** Whether the text is a well-formed Spanish NIF, control character included. */
export function isNif(nif: string): boolean {
  return isPersonNif(nif) || isEntityNif(nif);
}

/** Form of the number after the country prefix (validations v1.2.2, note 1, p. 17-18); XI is Northern Ireland. */
const EU_VAT: ReadonlyMap<string, RegExp> = new Map([
  ['AT', /^[A-Z0-9]{9}$/],
  ['BE', /^\d{10}$/],
  ['BG', /^\d{9,10}$/],
  ['CY', /^[A-Z0-9]{9}$/],
  ['CZ', /^\d{8,10}$/],
  ['DE', /^\d{9}$/],
  ['DK', /^\d{8}$/],
  ['EE', /^\d{9}$/],
  ['EL', /^\d{9}$/],
  ['FI', /^\d{8}$/],
  ['FR', /^[A-Z0-9]{11}$/],
  ['GB', /^([A-Z0-9]{5}|[A-Z0-9]{9}|[A-Z0-9]{12})$/],
  ['HR', /^\d{11}$/],
  ['HU', /^\d{8}$/],
  ['IE', /^[A-Z0-9]{8,9}$/],
  ['IT', /^\d{11}$/],
  ['LT', /^(\d{9}|\d{12})$/],
  ['LU', /^\d{8}$/],
  ['LV', /^\d{11}$/],
  ['MT', /^\d{8}$/],
  ['NL', /^[A-Z0-9]{12}$/],
  ['PL', /^\d{10}$/],
  ['PT', /^\d{9}$/],
  ['RO', /^[1-9]\d{1,9}$/],
  ['SE', /^\d{12}$/],
  ['SI', /^\d{8}$/],
  ['SK', /^\d{10}$/],
  ['XI', /^([A-Z0-9]{5}|[A-Z0-9]{9}|[A-Z0-9]{12})$/],
]);

/** Whether a number without its prefix has the form of that country (`EL` for Greece). */
export function isEuVat(country: string, number: string): boolean {
  return EU_VAT.get(country)?.test(number) ?? false;
}

/** Whether the two letters are a prefix of EU VAT numbers. */
export function isEuVatPrefix(country: string): boolean {
  return EU_VAT.has(country);
}

/** The registers' fixed answers: a number ending in 200 is unknown, one in 300 gets no answer. */
export function vatOutcome(number: string): 'registered' | 'unknown' | 'unavailable' {
  if (number.endsWith('300')) return 'unavailable';
  return number.endsWith('200') ? 'unknown' : 'registered';
}
