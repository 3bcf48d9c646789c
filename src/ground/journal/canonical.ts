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
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) {
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
    }
  }
  return `{${text}}`;
}

/** SHA-256 of the text in UTF-8, in lower-case hexadecimal digits. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
