/** ImporteSgn12.2Type of the agency's schema. */
const AMOUNT = /^([+-]?)(\d{1,12})(?:\.(\d{0,2}))?$/;
/** Tipo2.2Type. */
const RATE = /^(\d{1,3})(?:\.(\d{0,2}))?$/;

/** Whole cents of an amount in the schema's form, else null. At most 14 digits, so always a safe integer. */
export function centsOf(text: string | null): number | null {
  const [, sign, whole, decimals = ''] = AMOUNT.exec(text ?? '') ?? [];
  if (whole === undefined) return null;
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return sign === '-' && cents !== 0 ? -cents : cents;
}

/** Hundredths of a percent of a rate in the schema's form (21 is 2100), else null. */
export function rateOf(text: string | null): number | null {
  const [, whole, decimals = ''] = RATE.exec(text ?? '') ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}

/** `12345` is `123.45`. */
export function decimalsOf(cents: number): string {
  const absolute = Math.abs(cents);
  const rest = String(absolute % 100).padStart(2, '0');
  return `${cents < 0 ? '-' : ''}${Math.floor(absolute / 100)}.${rest}`;
}
