import type { Day } from '../../ground/lib/calendar.ts';
import { eurosOf } from '../../ground/lib/decimal.ts';
import type { Language } from '../../ground/lib/language.ts';
import { type Cents, decimalAmount } from '../../ground/lib/money.ts';

const LOCALES = { es: 'es-ES', en: 'en-GB' } as const;
const ZONE = 'Europe/Madrid';

/** Made when a page first needs it: all of them together take as long as a start may notice. */
function forEach<T>(make: (locale: string) => T): Readonly<Record<Language, T>> {
  const made: Partial<Record<Language, T>> = {};
  const of = (language: Language) => (made[language] ??= make(LOCALES[language]));
  return {
    get es() {
      return of('es');
    },
    get en() {
      return of('en');
    },
  };
}

const euros = forEach(
  // Intl would leave four digits ungrouped in Spanish, and columns of amounts would not line up.
  (locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR', useGrouping: 'always' }),
);
const prices = forEach(
  (locale) =>
    new Intl.NumberFormat(locale, {
      ...{ style: 'currency', currency: 'EUR', useGrouping: 'always', maximumFractionDigits: 8 },
    }),
);
const decimals = forEach(
  (locale) => new Intl.NumberFormat(locale, { useGrouping: 'always', maximumFractionDigits: 6 }),
);
const counts = forEach((locale) => new Intl.NumberFormat(locale, { useGrouping: 'always' }));
const days = forEach(
  (locale) =>
    new Intl.DateTimeFormat(locale, { timeZone: ZONE, day: 'numeric', month: 'short', year: 'numeric' }),
);
const times = forEach(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: ZONE, hour: '2-digit', minute: '2-digit' }),
);
const regions = forEach((locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }));
const collators = forEach((locale) => new Intl.Collator(locale));

/** An amount in euros, exact to the cent. */
export function money(cents: Cents, language: Language): string {
  return euros[language].format(decimalAmount(cents) as `${number}`);
}

/** A price in cents with decimals, in euros. */
export function price(cents: string, language: Language): string {
  return prices[language].format(eurosOf(cents) as `${number}`);
}

/** A decimal number in plain digits, of at most six decimals. */
export function decimal(plain: string, language: Language): string {
  return decimals[language].format(plain as `${number}`);
}

export function count(value: number, language: Language): string {
  return counts[language].format(value);
}

/** A calendar day. */
export function day(day: Day, language: Language): string {
  return days[language].format(new Date(`${day}T12:00:00Z`));
}

/** The time of day in Madrid. */
export function time(instant: Date, language: Language): string {
  return times[language].format(instant);
}

export function countryName(code: string, language: Language): string {
  return /^[A-Z]{2}$/.test(code) ? (regions[language].of(code) ?? code) : code;
}

/** The countries with their names, in the order of the language. */
export function countriesByName(
  codes: readonly string[],
  language: Language,
): readonly (readonly [string, string])[] {
  const { compare } = collators[language];
  return codes
    .map((code) => [code, countryName(code, language)] as const)
    .sort(([, one], [, other]) => compare(one, other));
}
