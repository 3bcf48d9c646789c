import { locale } from './language.ts';

type Formats = ReturnType<typeof formatsOf>;

function formatsOf(written: string) {
  const euro = { style: 'currency', currency: 'EUR' } as const;
  return {
    money: new Intl.NumberFormat(written, euro),
    short: new Intl.NumberFormat(written, { ...euro, notation: 'compact', maximumFractionDigits: 2 }),
    /** Prices may have fractions of a cent. */
    price: new Intl.NumberFormat(written, { ...euro, maximumFractionDigits: 8 }),
    number: new Intl.NumberFormat(written),
    /** Days of invoices are days in Spain, wherever the page is looked at. */
    day: new Intl.DateTimeFormat(written, { dateStyle: 'medium', timeZone: 'Europe/Madrid' }),
    month: new Intl.DateTimeFormat(written, { month: 'short', timeZone: 'UTC' }),
    list: new Intl.ListFormat(written),
  };
}

const made = new Map<string, Formats>();

function formats(): Formats {
  const written = locale();
  const known = made.get(written) ?? formatsOf(written);
  made.set(written, known);
  return known;
}

/** Amounts are whole cents everywhere but before somebody's eyes. */
export const euros = (cents: number) => formats().money.format(cents / 100);
export const priceEuros = (cents: string | number) => formats().price.format(Number(cents) / 100);
export const shortEuros = (cents: number) => formats().short.format(cents / 100);
export const inNumbers = (value: number) => formats().number.format(value);
export const onDay = (time: string) => formats().day.format(new Date(time));
/** `2026-11` */
export const inMonth = (text: string) => formats().month.format(new Date(`${text}-01T00:00:00Z`));
export const inList = (texts: readonly string[]) => formats().list.format(texts);

/** Cents as people type them in the language of the page: `1234.5` is `12.345`, or `12,345`. */
export function typedEuros(cents: string | number): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(cents)) ?? [];
  const digits = whole.padStart(3, '0');
  const point = formats().number.format(1.5).includes(',') ? ',' : '.';
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
