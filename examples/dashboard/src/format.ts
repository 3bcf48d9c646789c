const money = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'EUR' });
const short = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'EUR',
  notation: 'compact',
  maximumFractionDigits: 2,
});
/** Days of invoices are days in Spain, wherever the page is looked at. */
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'Europe/Madrid' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: '2-digit', timeZone: 'UTC' });

/** Amounts are whole cents everywhere but before somebody's eyes. */
export const euros = (cents: number) => money.format(cents / 100);
export const shortEuros = (cents: number) => short.format(cents / 100);
export const onDay = (time: string) => day.format(new Date(time));
/** `2026-11` */
export const inMonth = (text: string) => month.format(new Date(`${text}-01T00:00:00Z`));

/** `12.5` or `12,50` as cents; null for what is no amount. */
export function cents(text: string): number | null {
  const match = /^(-?)(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', part = ''] = match;
  return (sign === '-' ? -1 : 1) * (Number(whole) * 100 + Number(part.padEnd(2, '0')));
}

/** Values of enumerations, for people; those that are not known yet as they are. */
export const words = (value: string) => value.replaceAll('_', ' ');
