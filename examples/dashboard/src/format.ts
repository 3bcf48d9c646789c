import { locale } from './language.ts';

/** Made once for a language, when it is first needed: a browser takes a while for each. */
function inLanguage<Made>(make: (written: string) => Made): () => Made {
  const made = new Map<string, Made>();
  return () => {
    const written = locale();
    const known = made.get(written) ?? make(written);
    made.set(written, known);
    return known;
  };
}

const EURO = { style: 'currency', currency: 'EUR' } as const;
const SHORT = { ...EURO, notation: 'compact', maximumFractionDigits: 2 } as const;
/** Days of invoices are days in Spain, wherever the page is looked at. */
const DAY = { dateStyle: 'medium', timeZone: 'Europe/Madrid' } as const;

const money = inLanguage((written) => new Intl.NumberFormat(written, EURO));
const short = inLanguage((written) => new Intl.NumberFormat(written, SHORT));
/** Prices may have fractions of a cent. */
const price = inLanguage((written) => new Intl.NumberFormat(written, { ...EURO, maximumFractionDigits: 8 }));
const number = inLanguage((written) => new Intl.NumberFormat(written));
const day = inLanguage((written) => new Intl.DateTimeFormat(written, DAY));
const month = inLanguage((written) => new Intl.DateTimeFormat(written, { month: 'short', timeZone: 'UTC' }));
const list = inLanguage((written) => new Intl.ListFormat(written));

/** Amounts are whole cents everywhere but before somebody's eyes. */
export const euros = (cents: number) => money().format(cents / 100);
export const priceEuros = (cents: string | number) => price().format(Number(cents) / 100);
export const shortEuros = (cents: number) => short().format(cents / 100);
export const inNumbers = (value: number) => number().format(value);
export const onDay = (time: string) => day().format(new Date(time));
/** `2026-11` */
export const inMonth = (text: string) => month().format(new Date(`${text}-01T00:00:00Z`));
export const inList = (texts: readonly string[]) => list().format(texts);

/** Cents as people type them in the language of the page: `1234.5` is `12.345`, or `12,345`. */
export function typedEuros(cents: string | number): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(cents)) ?? [];
  const digits = whole.padStart(3, '0');
  const point = number().format(1.5).includes(',') ? ',' : '.';
  return `${sign}${digits.slice(0, -2)}${point}${digits.slice(-2)}${rest}`;
}

/** `12.5` or `12,50` as cents, with decimals where it has more than two; null for what is no amount. */
export function typedCents(text: string): string | null {
  const match = /^(-?)(\d{1,10})(?:[.,](\d{1,8}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole, part = ''] = match;
  const cents = `${sign}${Number(`${whole}${part.slice(0, 2).padEnd(2, '0')}`)}`;
  return part.length > 2 ? `${cents}.${part.slice(2)}` : cents;
}

/** The same as a number of whole cents; null for what is none. */
export function wholeCents(text: string): number | null {
  const cents = typedCents(text);
  return cents === null || cents.includes('.') ? null : Number(cents);
}
