import type { Day } from '../../lib/calendar.ts';
import type { BasisPoints, Cents } from '../../lib/money.ts';
import { words } from './words.ts';

const NO_BREAK_SPACE = '\u00a0';

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, '.');
}

/** `1.234,56`. Intl would leave four digits ungrouped in Spanish, and columns of amounts would not line up. */
export function amount(cents: Cents): string {
  const absolute = Math.abs(cents);
  const decimals = String(absolute % 100).padStart(2, '0');
  return `${cents < 0 ? '-' : ''}${grouped(String(Math.floor(absolute / 100)))},${decimals}`;
}

/** `1.234,56 €`; a currency without a sign of its own is written as its code. */
export function money(cents: Cents, currency: string): string {
  return `${amount(cents)}${NO_BREAK_SPACE}${currency === 'eur' ? '€' : currency.toUpperCase()}`;
}

/** A whole number, `1.000.000`. */
export function count(value: number): string {
  return `${value < 0 ? '-' : ''}${grouped(String(Math.abs(value)))}`;
}

/** `5,2 %` from 520. */
export function rate(basisPoints: BasisPoints): string {
  const decimals = String(basisPoints % 100)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${Math.floor(basisPoints / 100)}${decimals === '' ? '' : `,${decimals}`}${NO_BREAK_SPACE}%`;
}

/** `31/12/2026`. */
export function date(day: Day): string {
  return day.split('-').reverse().join('/');
}

const countries = new Intl.DisplayNames([words.language], { type: 'region', fallback: 'code' });

/** The country's name, or what was given when it is no country code. */
export function country(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
}
