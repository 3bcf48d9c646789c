import type { IncomingHttpHeaders } from 'node:http';
import { type Language, preferredLanguage } from '../src/ground/lib/language.ts';

/** The language in which a caller is told what is refused: English unless `Accept-Language` prefers Spanish. */
export function languageOf(headers: IncomingHttpHeaders): Language {
  return preferredLanguage(headers['accept-language'], 'en');
}
