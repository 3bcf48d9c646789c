import { LIMITS } from '../src/ground/lib/limits.ts';

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Why a body is not worth parsing as JSON, or null. It is looked at as bytes, in a few milliseconds for the largest:
 * parsed, a megabyte of brackets alone would take the process a fifth of a second and a hundred times its size.
 */
export function jsonError(bytes: Buffer): string | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > LIMITS.bodyDepth.value)
        return `The body is nested more than ${LIMITS.bodyDepth.value} levels deep.`;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return values > LIMITS.bodyValues.value
    ? `The body holds more than ${LIMITS.bodyValues.value} objects and lists.`
    : null;
}

/** Where the text ends that begins at `start`: at its closing quote, or with the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
