/** Almost every text consists of these only. */
const PLAIN = /^[\x20-\x7e¡-¬®-ÿ€]*$/;

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

/** The grapheme clusters, in order. */
export function graphemesOf(text: string): string[] {
  return PLAIN.test(text) ? text.split('') : Array.from(graphemes.segment(text), ({ segment }) => segment);
}

const KEYCAP = /^[#*\d]\ufe0f?\u20e3$/u;
const EMOJI = /^(?![#*\d])\p{Emoji}/u;
const IN_PICTURES = /\p{Emoji_Presentation}|\ufe0f/u;
const IN_TEXT = '\ufe0e';
const MAY_HAVE_PICTURES = /\p{Emoji_Presentation}|\ufe0f|\u20e3/u;

/** Whether a text has characters that are shown as emoji; almost none has. */
export function mayHavePictures(text: string): boolean {
  return MAY_HAVE_PICTURES.test(text);
}

/**
 * Whether a grapheme is shown as one emoji: a keycap, or what Unicode shows as a picture unless it is asked for text. `©` is text, as an emoji it
 * is followed by a selector.
 */
export function isPicture(grapheme: string): boolean {
  if (KEYCAP.test(grapheme)) return true;
  return EMOJI.test(grapheme) && IN_PICTURES.test(grapheme) && !grapheme.includes(IN_TEXT);
}
