/** The languages of the pages. */
export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language that somebody named, if it is one of ours. */
export function languageNamed(name: string | undefined): Language | null {
  return LANGUAGES.find((language) => language === name) ?? null;
}

/** The best of ours by an `Accept-Language` header (RFC 9110 section 12.5.4); `otherwise` when it wants none of them. */
export function preferredLanguage(header: string | undefined, otherwise: Language): Language {
  const accepted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .flatMap((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const language = languageNamed(tag.split('-')[0]);
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      const weight = quality === undefined ? 1 : Number(quality.slice(2));
      return language === null || !(weight > 0) ? [] : [{ language, weight }];
    });
  return accepted.sort((one, other) => other.weight - one.weight)[0]?.language ?? otherwise;
}
