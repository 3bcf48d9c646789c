/**
 * Makes texts fit to be sealed, printed and sent, so that all of them show the same: what cannot be seen is left out, because two texts that look alike
 * would not be equal, or one would read differently on paper than in the record.
 */

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
const PLAIN_PARAGRAPH = /^[\x20-\x7e¡-¬®-ÿ€\r\n\t]*$/;

const LINE_BREAKS = /\r\n|[\r\n\u2028\u2029]/g;

/** One line: composed (NFC), tabs and line breaks as spaces, without what cannot be seen. Other control characters stay, to be refused. */
export function fitLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return visible(text.replace(LINE_BREAKS, ' ').replaceAll('\t', ' '));
}

/** The same for a text that may have line breaks and tabs. */
export function fitParagraph(text: string): string {
  if (PLAIN_PARAGRAPH.test(text)) return text;
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
