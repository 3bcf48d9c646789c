import { hash } from 'node:crypto';

/**
 * The canonical text of a JSON value by RFC 8785 (JSON Canonicalization Scheme): names of an object ordered by UTF-16 code
 * units, no white space, strings and numbers as ECMAScript writes them. `undefined` is omitted, as in any JSON.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const written = (value as { toJSON?: () => unknown }).toJSON;
  if (typeof written === 'function') return canonicalJson(written.call(value));
  let text = '';
  const names = Object.keys(value);
  // Objects of ours are mostly written in this order already.
  if (!isSorted(names)) names.sort();
  for (const name of names) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) {
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
    }
  }
  return `{${text}}`;
}

function isSorted(names: readonly string[]): boolean {
  for (let at = 1; at < names.length; at += 1) if (names[at - 1]! > names[at]!) return false;
  return true;
}

/** SHA-256 of the text in UTF-8, in lower-case hexadecimal digits. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
