import type { Day } from '../../../ground/lib/calendar.ts';
import { eurosOf } from '../../../ground/lib/decimal.ts';
import type { BasisPoints, Cents } from '../../../ground/lib/money.ts';
import type { Texts } from '../texts/texts.ts';

/** The formats of a language for figures, days and countries. */
export type Format = {
  /** `1.234,56`. Intl would leave four digits ungrouped in Spanish, and columns of amounts would not align. */
  readonly amount: (cents: Cents) => string;
  /** `1.234,56 €`; a currency without a symbol is written as its code. */
  readonly money: (cents: Cents, currency: string) => string;
  /** A whole number, `1.000.000`. */
  readonly count: (value: number) => string;
  /** `1.234,5` from `1234.5`. */
  readonly decimal: (plain: string) => string;
  /** `12,345` from `1234.5` cents: at least two decimals. */
  readonly price: (cents: string) => string;
  /** The same with its currency. */
  readonly priceMoney: (cents: string, currency: string) => string;
  /** `1.234,50 USD` from `1234.50`. */
  readonly foreign: (plain: string, code: string) => string;
  /** `5,2 %` from 520. */
  readonly rate: (basisPoints: BasisPoints) => string;
  /** `31/12/2026`. */
  readonly date: (day: Day) => string;
  /** The country's name, or the value itself when it is not a country code. */
  readonly country: (code: string) => string;
};

/** The formats of a language. */
export function formatOf({ locale, figures }: Pick<Texts, 'locale' | 'figures'>): Format {
  const { decimal, group } = figures;
  const countries = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' });
  const sign = (value: number) => (value < 0 ? '-' : '');
  const whole = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, group);
  const figure = (cents: Cents) => {
    const absolute = Math.abs(cents);
    return `${whole(Math.floor(absolute / 100))}${decimal}${String(absolute % 100).padStart(2, '0')}`;
  };
  const signOf = (plain: string) => (plain.startsWith('-') ? '-' : '');
  const unsigned = (plain: string) => {
    const [integer = '', decimals] = plain.replace('-', '').split('.');
    const grouped = integer.replace(/\B(?=(\d{3})+$)/g, group);
    return decimals === undefined ? grouped : `${grouped}${decimal}${decimals}`;
  };
  const symbol = (currency: string) => (currency === 'eur' ? '€' : currency.toUpperCase());
  return {
    amount: (cents) => `${sign(cents)}${figure(cents)}`,
    money: (cents, currency) => figures.money(sign(cents), figure(cents), symbol(currency)),
    count: (value) => `${sign(value)}${whole(Math.abs(value))}`,
    decimal: (plain) => `${signOf(plain)}${unsigned(plain)}`,
    price: (cents) => `${signOf(cents)}${unsigned(eurosOf(cents))}`,
    priceMoney: (cents, currency) => figures.money(signOf(cents), unsigned(eurosOf(cents)), symbol(currency)),
    foreign: (plain, code) => figures.money(signOf(plain), unsigned(plain), symbol(code)),
    rate: (basisPoints) => {
      const decimals = String(basisPoints % 100)
        .padStart(2, '0')
        .replace(/0+$/, '');
      return figures.percent(
        `${Math.floor(basisPoints / 100)}${decimals === '' ? '' : `${decimal}${decimals}`}`,
      );
    },
    date: (day) => {
      const [year = '', month = '', date = ''] = day.split('-');
      return figures.date(year, month, date);
    },
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
  };
}
