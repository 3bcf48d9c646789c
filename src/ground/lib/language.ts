/** The languages of the pages. */
export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language that somebody named, if it is one of ours. */
export function languageNamed(name: string | undefined): Language | null {
  return LANGUAGES.find((language) => language === name) ?? null;
}

/**
 * The best of ours by an `Accept-Language` header (RFC 9110 section 12.5.4); `otherwise` when it wants none of them: English,
 * the language of programs, where nobody says more.
 */
export function preferredLanguage(header = '', otherwise: Language = 'en'): Language {
  let best = otherwise;
  let bestWeight = 0;
  for (const range of header.slice(0, 500).toLowerCase().split(',')) {
    const [, language] = LANGUAGE_RANGE.exec(range) ?? [];
    const [, quality = '1'] = QUALITY.exec(range) ?? [];
    if (language === undefined || !(Number(quality) > bestWeight)) continue;
    best = language as Language;
    bestWeight = Number(quality);
  }
  return best;
}

const LANGUAGE_RANGE = new RegExp(`^\\s*(${LANGUAGES.join('|')})(?:-[^;]*)?\\s*(?:;|$)`);
const QUALITY = /;\s*q=([^;]*)/;
