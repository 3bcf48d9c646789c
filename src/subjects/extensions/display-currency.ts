import { z } from 'zod';
import { decimalsOf } from '../../ground/lib/currencies.ts';
import { millionthsOf, roundedQuotient } from '../../ground/lib/decimal.ts';
import type { Cents } from '../../ground/lib/money.ts';
import { exactDecimal, optional } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { type Label, storedAsSent } from './extension.ts';

/**
 * Another currency in which a document shows its totals too. The invoice is one of euros all the same: what is charged as tax must be stated
 * in euros (RD 1619/2012 art. 12.1), and the record has no other currency.
 */

/** More units for a euro than of any currency. */
const HIGHEST_RATE = 1_000_000_000;

/** Answered in lower case, like `currency`. */
const code = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine((text) => decimalsOf(text.toUpperCase()) !== null, {
    error: 'must be an ISO 4217 code other than that of the euro',
    params: { reason: 'invalid_value' },
  })
  .meta({ minLength: 3, maxLength: 3 });

const request = z
  .strictObject({
    code: code.describe('The currency, an ISO 4217 code in either case, other than `eur`.'),
    rate: exactDecimal(0, HIGHEST_RATE).describe(
      'How many of its units one euro is, as the ECB publishes rates: `1.0837` for the US dollar. More than 0, with at most six decimals.',
    ),
    source: optional(printedLine(200)).describe('Whose rate it is, and of which day, as printed.'),
  })
  .meta({
    id: 'DisplayCurrencyInput',
    description: 'Another currency in which the PDF shows the totals too.',
  });

const value = z
  .object({
    code: z.string().describe('The currency, a lowercase ISO 4217 code.'),
    rate: z.string().describe('How many of its units one euro is.'),
    source: z.string().optional().describe('Whose rate it is, and of which day.'),
  })
  .meta({ id: 'DisplayCurrency', description: 'Another currency in which the PDF shows the totals too.' });

export type DisplayCurrency = Readonly<z.output<typeof value>>;

const EXCHANGE_RATE: Label = {
  es: 'Tipo de cambio',
  en: 'Exchange rate',
  ca: 'Tipus de canvi',
  gl: 'Tipo de cambio',
  eu: 'Kanbio-tasa',
};

export const displayCurrency = storedAsSent('displayCurrency', {
  request: optional(request).describe(
    'Shows the totals on the PDF in another currency too. The invoice, its record and its payments stay in euros.',
  ),
  value,
  answered: 'The currency in which the PDF shows the totals too, if the request named one.',
  parts: 'code rate source',
  facts: ({ code, rate, source }) => [
    {
      label: EXCHANGE_RATE,
      text: `1 EUR = ${rate} ${code.toUpperCase()}${source === undefined ? '' : ` (${source})`}`,
    },
  ],
});

/** An amount of euros in that currency, in plain digits with its decimals, rounded half away from zero. */
export function converted(cents: Cents, { code, rate }: DisplayCurrency): string {
  const decimals = decimalsOf(code.toUpperCase());
  const millionths = millionthsOf(rate);
  if (decimals === null || millionths === null) throw new Error('a sealed rate is none');
  const units = roundedQuotient(BigInt(cents) * millionths * 10n ** BigInt(decimals), 100_000_000n);
  return plain(units, decimals);
}

/** One less another of two such amounts of a currency. */
export function difference(one: string, other: string): string {
  const decimals = one.split('.')[1]?.length ?? 0;
  const units = (text: string) => BigInt(text.replace('.', ''));
  return plain(units(one) - units(other), decimals);
}

function plain(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const sign = units < 0n ? '-' : '';
  return decimals === 0
    ? `${sign}${digits}`
    : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
