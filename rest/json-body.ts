import { Refusal } from '../src/ground/errors/refusal.ts';
import { MAX_LINES } from '../src/subjects/issuing/request.ts';
import { REQUEST_LIMITS } from './limits.ts';

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The name of lines at the outermost level of a body; no other body has a field with that name. */
const LINES = Buffer.from('line_items');

/** How many objects and lists a body may have, and how many fields all of its objects together. */
export type JsonBounds = { readonly values: number; readonly fields: number };

/** The same, with the maximum size of the body. */
export type BodyBounds = JsonBounds & { readonly bytes: number };

/**
 * Why a body should not be parsed as JSON, or null. It is scanned as bytes, in a few milliseconds for the largest: parsing
 * a megabyte of brackets alone would take a fifth of a second and a hundred times its size in memory, and thousands of
 * lines, of which only the number would be reported, or of fields that no object has, some hundred milliseconds.
 */
export function jsonRefusal(bytes: Buffer, bounds: JsonBounds): Refusal | null {
  let depth = 0;
  let values = 0;
  let allFields = 0;
  /** Of the objects that are open, by their level. */
  const fields = new Uint32Array(REQUEST_LIMITS.bodyDepth.value + 1);
  /** Lines counted so far, from the name on; -1 outside of them. */
  let lines = -1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      if (depth === 1) lines = isName(bytes, at + 1, end) ? 0 : -1;
      at = end;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth === 2 && byte === OPEN_OBJECT) lines = -1;
      if (depth === 3 && lines >= 0) lines += 1;
      if (lines > MAX_LINES) return tooManyLines();
      if (depth > REQUEST_LIMITS.bodyDepth.value)
        return tooMuch(`is nested more than ${REQUEST_LIMITS.bodyDepth.value} levels deep`);
      if (values > bounds.values) return tooMuch(`has more than ${bounds.values} objects and lists`);
      fields[depth] = 0;
    } else if (byte === COLON) {
      fields[depth] = (fields[depth] ?? 0) + 1;
      allFields += 1;
      if (allFields > bounds.fields) return tooMuch(`has more than ${bounds.fields} fields`);
      if (fields[depth]! > REQUEST_LIMITS.objectFields.value)
        return tooMuch(`has an object with more than ${REQUEST_LIMITS.objectFields.value} fields`);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return null;
}

const tooMuch = (fault: string) => new Refusal('invalid_request', `The body ${fault}.`);

/** The same message as that of the request's schema. */
function tooManyLines(): Refusal {
  const [field, message] = ['line_items', `must have at most ${MAX_LINES} elements`];
  const errors = [{ field, code: 'too_big', message }];
  return new Refusal('invalid_request', `${field} ${message}.`, { errors });
}

function isName(bytes: Buffer, start: number, end: number): boolean {
  return end - start === LINES.length && bytes.compare(LINES, 0, LINES.length, start, end) === 0;
}

/** The end of the string that begins at `start`: its closing quote, or the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
