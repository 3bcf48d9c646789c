import { widthOf } from './fonts.ts';
import { graphemesOf } from './graphemes.ts';
import type { TextStyle } from './style.ts';

/** Characters after which a word that is too long for its line should be split. */
const GOOD_BREAK = /[-/\\_.,;:@|+]/;

/** Breaks a printable text into lines no wider than `width`; a word that is wider than a line is split. */
export function wrap(text: string, style: TextStyle, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const space = widthOf(' ', style);
  for (const word of text.split(' ')) {
    if (word === '') continue;
    const wide = widthOf(word, style);
    if (line !== '' && used + space + wide <= width) {
      line += ` ${word}`;
      used += space + wide;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = wide <= width ? [word] : broken(word, style, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
    used = pieces.length === 1 ? wide : widthOf(line, style);
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Splits a word into pieces that fit, preferably after punctuation in the second half of a line. */
function broken(word: string, style: TextStyle, width: number): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let used = 0;
  let goodBreak = 0;
  for (const grapheme of graphemesOf(word)) {
    const wide = widthOf(grapheme, style);
    if (used + wide > width && piece.length > 0) {
      const cut = goodBreak * 2 > piece.length ? goodBreak : piece.length;
      pieces.push(piece.slice(0, cut).join(''));
      piece = piece.slice(cut);
      used = widthOf(piece.join(''), style);
      goodBreak = 0;
    }
    piece.push(grapheme);
    used += wide;
    if (GOOD_BREAK.test(grapheme)) goodBreak = piece.length;
  }
  pieces.push(piece.join(''));
  return pieces;
}

/** The first `max` lines; if lines were left out, the last one ends in an ellipsis. */
export function atMost(lines: readonly string[], max: number): readonly string[] {
  if (lines.length <= max) return lines;
  return [...lines.slice(0, max - 1), `${lines[max - 1]?.slice(0, -1) ?? ''}…`];
}

/** The text in one line, cut with an ellipsis when it is wider than `width`. */
export function oneLine(text: string, style: TextStyle, width: number): string {
  if (widthOf(text, style) <= width) return text;
  const [first = ''] = broken(text.replaceAll(' ', '\u00a0'), style, width - widthOf('…', style));
  return `${first}…`;
}
