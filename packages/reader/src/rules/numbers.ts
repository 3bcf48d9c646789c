/** Exact decimals of foreign documents: integers in this fraction of one. */
const DIGITS = 12;
export const UNIT = 10n ** BigInt(DIGITS);
export const CENT = UNIT / 100n;

/** Decimals as in XML Schema; longer ones do not occur in genuine invoices. */
const FORM = /^([+-]?)(\d{0,20})(?:\.(\d{0,12}))?$/;

/** The number in a text; null when it is not a number, or missing. */
export function numberOf(text: string | null): bigint | null {
  const [, sign, whole = '', decimals = ''] = FORM.exec(text ?? '') ?? [];
  if (sign === undefined || (whole === '' && decimals === '')) return null;
  const magnitude = BigInt(whole + decimals.padEnd(DIGITS, '0'));
  return sign === '-' ? -magnitude : magnitude;
}

/** The same, 0 when missing. */
export function numberOrZero(text: string | null): bigint {
  return numberOf(text) ?? 0n;
}

export function sumOf(texts: readonly (string | null)[]): bigint {
  return texts.reduce((sum, text) => sum + numberOrZero(text), 0n);
}

/** To two decimals, half away from zero. */
export function toCents(value: bigint): bigint {
  return roundedQuotient(value, CENT) * CENT;
}

export function product(one: bigint, other: bigint): bigint {
  return roundedQuotient(one * other, UNIT);
}

export function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The quotient rounded half away from zero; the divisor is positive. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const rounded = (2n * magnitude(dividend) + divisor) / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}

/** As a text with at least two decimals. */
export function decimalText(value: bigint): string {
  const digits = magnitude(value)
    .toString()
    .padStart(DIGITS + 1, '0');
  const decimals = digits.slice(-DIGITS).replace(/0+$/, '').padEnd(2, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -DIGITS)}.${decimals}`;
}
