import { z } from 'zod';
import { hasVisibleCharacter, PLAIN, undrawable } from './drawable.ts';

/**
 * Control characters, and characters that XML 1.0 cannot represent: neither the agency's records nor a page could contain
 * them.
 */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\ufffe\uffff]/u;
const UNPRINTABLE_BUT_LINE_BREAKS = /[^\P{Cc}\r\n\t]|[\ufffe\uffff]/u;

/** The length in characters, as people and JSON Schema count it, not in UTF-16 code units. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800) length -= 1;
  }
  return length;
}

/** Cuts a text to a number of characters without splitting one. */
export function truncateText(text: string, limit: number): string {
  // A character has at most two code units, so the rest of a long text need not be scanned.
  return text.length <= limit ? text : [...text.slice(0, 2 * limit)].slice(0, limit).join('');
}

/** A schema for one line of text of 1 to `max` characters, made fit (`fitLine`); not blank, without control characters. */
export function line(max: number, min = 1) {
  return z
    .string()
    .overwrite(fitLine)
    .superRefine((text, check) => inspect(text, check, { min, max, unprintable: UNPRINTABLE }))
    .meta({ minLength: min, maxLength: max });
}

/** The same for a line that is looked for without case and accents: accents without a letter would be found everywhere. */
export function searchedLine(max: number) {
  return line(max).refine((text) => text.normalize('NFD').replace(/[\u0300-\u036f\s]/g, '') !== '', {
    message: 'holds nothing to look for',
  });
}

/** A key of the caller's or an id: compared and stored as it is, so that no two become one; not blank, without control characters. */
export function exactLine(max: number) {
  return z
    .string()
    .superRefine((text, check) => inspect(text, check, { min: 1, max, unprintable: UNPRINTABLE }))
    .meta({ minLength: 1, maxLength: max });
}

/** A line that documents print, made fit: only characters that their fonts have. With a `min` of 0 it may be empty (`optionalText`). */
export function printedLine(max: number, min = 1) {
  const rule = { min, max, unprintable: UNPRINTABLE, isPrinted: true };
  return z
    .string()
    .overwrite(fitLine)
    .superRefine((text, check) => inspect(text, check, rule))
    .meta({ minLength: min, maxLength: max });
}

/** A number that documents print and that identifies something: what cannot be seen is refused instead of left out. */
export function printedNumber(max: number) {
  const rule = { min: 1, max, unprintable: UNPRINTABLE, isPrinted: true };
  return z
    .string()
    .superRefine((text, check) => {
      if (hasInvisible(text)) fail(check, INVISIBLE_FOUND);
      else inspect(text, check, rule);
    })
    .meta({ minLength: 1, maxLength: max });
}

/** A tax id as callers write it, in characters of any width. Which letters it may have is a rule of its type. */
export function taxIdLine(max: number) {
  const rule = { min: 1, max, unprintable: UNPRINTABLE, isPrinted: true };
  return z
    .string()
    .overwrite((text) => asciiWidth(fitLine(text)))
    .superRefine((text, check) => inspect(text, check, rule))
    .meta({ minLength: 1, maxLength: max });
}

/** A printed text with line breaks, made fit (`fitParagraph`). With a `min` of 0 it may be empty (`optionalText`). */
export function printedParagraph(max: number, min = 1) {
  const rule = { min, max, unprintable: UNPRINTABLE_BUT_LINE_BREAKS, isPrinted: true };
  return z
    .string()
    .overwrite(fitParagraph)
    .superRefine((text, check) => inspect(text, check, rule))
    .meta({ minLength: min, maxLength: max });
}

function inspectPrinted(text: string, check: z.RefinementCtx): void {
  const character = undrawable(text);
  if (character !== null) {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    const message = `must not contain U+${code}, which no font of the documents has`;
    fail(check, { reason: 'unprintable_characters', message });
  } else if (!hasVisibleCharacter(text)) {
    fail(check, { reason: 'unprintable_characters', message: 'must contain a visible character' });
  }
}

/**
 * A schema for a text of 1 to `max` characters that may have line breaks, made fit; not blank, in any script and with any symbols.
 */
export function paragraph(max: number) {
  const rule = { min: 1, max, unprintable: UNPRINTABLE_BUT_LINE_BREAKS };
  return z
    .string()
    .overwrite(fitParagraph)
    .superRefine((text, check) => inspect(text, check, rule))
    .meta({ minLength: 1, maxLength: max });
}

/**
 * A schema for a caller's own reference, stored and compared as it is: 1 to `max` characters, which may be blank, without
 * control characters.
 */
export function reference(max: number) {
  return z
    .string()
    .superRefine((text, check) => {
      const length = lengthOf(text);
      if (length === 0 || length > max) fail(check, length === 0 ? EMPTY : tooLong(max));
      else if (/\p{Cc}/u.test(text) || !text.isWellFormed()) fail(check, UNPRINTABLE_FOUND);
    })
    .meta({ minLength: 1, maxLength: max });
}

type Rule = { min: number; max: number; unprintable: RegExp; isPrinted?: boolean };

function inspect(text: string, check: z.RefinementCtx, { min, max, unprintable, isPrinted }: Rule): void {
  if (min === 0 && text === '') return;
  if (text.length > max && lengthOf(text) > max) fail(check, tooLong(max));
  else if (text.length < min || text.trim() === '') fail(check, EMPTY);
  else if (unprintable.test(text) || !text.isWellFormed()) fail(check, UNPRINTABLE_FOUND);
  else if (isPrinted === true && !PLAIN.test(text)) inspectPrinted(text, check);
}

type Fault = { readonly reason: string; readonly message: string };

const EMPTY: Fault = { reason: 'too_small', message: 'must not be empty' };
const UNPRINTABLE_FOUND: Fault = {
  reason: 'invalid_characters',
  message: 'must not contain control characters',
};
const INVISIBLE_FOUND: Fault = {
  reason: 'invalid_characters',
  message: 'must not contain characters that cannot be seen',
};
const tooLong = (max: number): Fault => ({
  reason: 'too_big',
  message: `must have at most ${max} characters`,
});

function fail(check: z.RefinementCtx, { reason, message }: Fault): void {
  check.addIssue({ code: 'custom', message, params: { reason } });
}

/** Scripts whose spelling needs joiners (Unicode 17, chapters 9, 12 and 13). */
const JOINING = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
];
const LETTER = `[${JOINING.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`;
/** The signs that take the vowel from a consonant; a joiner after one selects a form of the letter, also at the end of a word. */
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]';
/** An emoji with its modifier, which a joiner ties to the next one. */
const EMOJI = '\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]{0,2}';

const KEPT_JOINER = [
  `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
  `(?<=${VIRAMA})\\u200d`,
  `(?<=${EMOJI})\\u200d(?=\\p{Extended_Pictographic})`,
].join('|');

/** What selects a variant where there are any: of emoji and keycaps, of ideographs, and of letters of Mongolian. */
const KEPT_SELECTOR = [
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
].join('|');

/** Of the flag of a region: at most six letters and the end. */
const REGION_TAG = '(?<=\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{0,6})[\\u{e0061}-\\u{e007f}]';

/**
 * Zero-width characters, marks and embeddings of direction, soft hyphens, invisible operators and tags: all format characters but the joiners above,
 * the Arabic signs that are drawn around digits, and the tags of the flag of a region. Selectors of variants and the grapheme joiner are marks, and the
 * fillers of Hangul letters, that nobody sees.
 */
const INVISIBLE = new RegExp(
  `(?=[\\p{Cf}\\p{Variation_Selector}\\u034f\\u115f\\u1160\\u3164\\uffa0])(?!${KEPT_JOINER})(?!${KEPT_SELECTOR})(?!${REGION_TAG})[^\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2]`,
  'gu',
);

/** Almost every text consists of these only: nothing to do. */
const PLAIN_LINE = /^[\x20-\x7e¡-¬®-ÿ€]*$/;

const LINE_BREAKS = /\r\n|[\r\n\u2028\u2029]/g;

// Texts are made fit to be sealed, printed and sent, so that all of them show the same: what cannot be seen is left out, because two texts that
// look alike would not be equal, or one would read differently on paper than in the record.

/** One line: composed (NFC), tabs and line breaks as spaces, without what cannot be seen. Other control characters stay, to be refused. */
export function fitLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return visible(text.replace(LINE_BREAKS, ' ').replaceAll('\t', ' '));
}

/** The same for a text that may have line breaks and tabs. */
export function fitParagraph(text: string): string {
  if (PLAIN.test(text)) return text;
  return visible(text.replace(/[\u2028\u2029]/g, '\n'));
}

/**
 * Composing orders marks, which decide whether a joiner between them stays. Where it makes a difference the spelling is nobody's, and no joiner
 * stays: so the work is bounded, and what is fit once is fit for good.
 */
function visible(text: string): string {
  const fit = withoutInvisible(text);
  return withoutInvisible(fit) === fit ? fit : withoutInvisible(fit.replace(/[\u200c\u200d]/g, ''));
}

function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '').normalize();
}

/** Whether there is something in a text that `fitLine` leaves out: no part of a number or key that people read. */
export function hasInvisible(text: string): boolean {
  return !PLAIN_LINE.test(text) && text.replace(INVISIBLE, '') !== text;
}

/** Full-width characters, which keyboards of East Asia produce, as those of ASCII. Other letters that look alike stay what they are. */
export function asciiWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}
