import { useSyncExternalStore } from 'react';
import { begin } from './begin.ts';
import { TEXTS_ES } from './texts-es.ts';
import { WORDS_EN, WORDS_ES } from './words.ts';

export type Language = 'en' | 'es';
/** A text of the page, in English; one without a translation does not compile. */
export type Text = keyof typeof TEXTS_ES;

/** A language, and those that a browser prefers, the first one most: numbers and days are written by them. */
export type Spoken = { readonly language: Language; readonly preferred: readonly string[] };

/** A cookie, so that the page's server knows too what was chosen. */
const KEPT = 'language';
const KEPT_SECONDS = 31_536_000;
const listeners = new Set<() => void>();
let { language, preferred } = begin?.spoken ?? firstSpoken();

function firstSpoken(): Spoken {
  return typeof document === 'undefined' ? spokenBy('', []) : spokenBy(document.cookie, navigator.languages);
}

/** The language that was chosen, or else the one that the browser prefers. */
export function spokenBy(cookies: string, preferred: readonly string[]): Spoken {
  const kept = new RegExp(`(?:^|; )${KEPT}=(en|es)(?:;|$)`).exec(cookies)?.[1];
  return { language: (kept ?? preferred[0])?.startsWith('es') ? 'es' : 'en', preferred };
}

/** What is drawn next is drawn so: on the server each page has its own. */
export function speak(spoken: Spoken): void {
  ({ language, preferred } = spoken);
}

export function setLanguage(chosen: Language): void {
  language = chosen;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has `cookieStore`, and none outside of secure contexts
  document.cookie = `${KEPT}=${chosen}; Path=/; Max-Age=${KEPT_SECONDS}; SameSite=Strict`;
  for (const listener of listeners) listener();
}

/** The language of the page, for those who draw nothing. */
export const currentLanguage = (): Language => language;

/** The language of the page. Whoever uses it is drawn anew when another one is chosen. */
export function useLanguage(): Language {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => language,
    () => language,
  );
}

/** How numbers and days are written: as the browser prefers it in the language of the page. */
export function locale(): string {
  return preferred.find((each) => each.startsWith(language)) ?? { en: 'en-GB', es: 'es-ES' }[language];
}

/** A text in the language of the page, with values in the place of `{name}`. */
export function t(text: Text, values: Readonly<Record<string, string | number>> = {}): string {
  const said: string = language === 'es' ? TEXTS_ES[text] : text;
  return said.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: WORDS_EN, es: WORDS_ES };

/** Values of enumerations, for people; those that are not known yet as they are. */
export function words(value: string): string {
  return WORDS[language][value] ?? value.replaceAll('_', ' ');
}
