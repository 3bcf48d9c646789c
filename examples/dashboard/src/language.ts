import { useSyncExternalStore } from 'react';
import { TEXTS_ES, WORDS_EN, WORDS_ES } from './texts-es.ts';

export type Language = 'en' | 'es';
/** A text of the page, in English; one without a translation does not compile. */
export type Text = keyof typeof TEXTS_ES;

const KEPT = 'language';
const listeners = new Set<() => void>();
let language = firstLanguage();

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept === 'en' || kept === 'es') return kept;
  return navigator.language.startsWith('es') ? 'es' : 'en';
}

export function setLanguage(chosen: Language): void {
  language = chosen;
  localStorage.setItem(KEPT, chosen);
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
  );
}

/** How numbers and days are written: as the browser prefers it in the language of the page. */
export function locale(): string {
  return (
    navigator.languages.find((each) => each.startsWith(language)) ?? { en: 'en-GB', es: 'es-ES' }[language]
  );
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
