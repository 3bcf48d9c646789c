/** Exact decimals in addition to whole cents: quantities and prices with up to six decimals, and one way of rounding. */

const FORM = /^(-?)(0|[1-9]\d*)(?:\.(\d{1,6}))?$/;

/** The longest text that is parsed as a decimal: longer than any value within the limits. */
export const LONGEST_DECIMAL = 30;

/** The number of millionths in a text, or null unless it is in plain digits with at most six decimals. */
export function millionthsOf(text: string): bigint | null {
  const [, sign, whole, decimals = ''] = text.length > LONGEST_DECIMAL ? [] : (FORM.exec(text) ?? []);
  if (whole === undefined) return null;
  const magnitude = BigInt(whole + decimals.padEnd(6, '0'));
  if (sign === '') return magnitude;
  return magnitude === 0n ? null : -magnitude;
}

/** A number of millionths in plain digits, without unnecessary decimals: `-1500000n` is `-1.5`. */
export function decimalOf(millionths: bigint): string {
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0+$/, '');
  const whole = digits.slice(0, -6);
  return `${millionths < 0n ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
}

/** The quotient rounded half away from zero; the divisor is positive. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend;
  const rounded = (2n * magnitude + divisor) / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}

/** Cents with decimals as euros, with at least two decimals and no unnecessary ones: `1210.5` is `12.105`. */
export function eurosOf(cents: string): string {
  const sign = cents.startsWith('-') ? '-' : '';
  const [whole = '', decimals = ''] = cents.replace('-', '').split('.');
  const padded = whole.padStart(3, '0');
  const fraction = `${padded.slice(-2)}${decimals}`.replace(/^(\d\d\d*?)0*$/, '$1');
  return `${sign}${padded.slice(0, -2)}.${fraction}`;
}
