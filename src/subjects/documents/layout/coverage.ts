import { families, fontOf } from './font-families.ts';

/**
 * Controls, format characters, line and paragraph separators, unassigned characters, and the replacement character.
 */
const NONE = /[\p{C}\p{Zl}\p{Zp}\ufffd]/u;

/** The characters that both weights of some family have, as ranges in hexadecimal: `20-7e a0`. */
export function drawableRanges(): string {
  const all = new Set<number>();
  for (const family of families) {
    const semibold = new Set(fontOf(family, 'semibold').characterSet);
    for (const codePoint of fontOf(family, 'regular').characterSet) {
      if (semibold.has(codePoint) && !NONE.test(String.fromCodePoint(codePoint))) all.add(codePoint);
    }
  }
  const ranges: [number, number][] = [];
  for (const codePoint of [...all].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === codePoint - 1) last[1] = codePoint;
    else ranges.push([codePoint, codePoint]);
  }
  return ranges
    .map(([first, last]) =>
      (first === last ? [first] : [first, last]).map((bound) => bound.toString(16)).join('-'),
    )
    .join(' ');
}
