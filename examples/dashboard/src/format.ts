const money = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'EUR' });
const short = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'EUR',
  notation: 'compact',
  maximumFractionDigits: 2,
});
/** Days of invoices are days in Spain, wherever the page is looked at. */
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'Europe/Madrid' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
/** Prices may have fractions of a cent. */
const price = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'EUR',
  maximumFractionDigits: 8,
});

/** Amounts are whole cents everywhere but before somebody's eyes. */
export const euros = (cents: number) => money.format(cents / 100);
export const priceEuros = (cents: string | number) => price.format(Number(cents) / 100);
export const shortEuros = (cents: number) => short.format(cents / 100);
export const onDay = (time: string) => day.format(new Date(time));
/** `2026-11` */
export const inMonth = (text: string) => month.format(new Date(`${text}-01T00:00:00Z`));

/** Cents as people type them: `1234.5` is `12.345`. */
export function typedEuros(cents: string | number): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(cents)) ?? [];
  const digits = whole.padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}${rest}`;
}

/** `12.5` or `12,50` as cents, with decimals where it has more than two; null for what is no amount. */
export function typedCents(text: string): string | null {
  const match = /^(-?)(\d{1,10})(?:[.,](\d{1,8}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole, part = ''] = match;
  const cents = `${sign}${Number(`${whole}${part.slice(0, 2).padEnd(2, '0')}`)}`;
  return part.length > 2 ? `${cents}.${part.slice(2)}` : cents;
}

/** Values of enumerations, for people; those that are not known yet as they are. */
export const words = (value: string) => value.replaceAll('_', ' ');
