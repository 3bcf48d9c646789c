/** A whole amount of euro cents, always a safe integer. */
export type Cents = number;
/** A percentage in hundredths: 21 % is 2100, 5.2 % is 520. Exact where a binary fraction is not. */
export type BasisPoints = number;

/** The agency's amounts have at most 12 integer digits (XSD ImporteSgn12.2Type), so below 10^14 cents. */
export const LARGEST_AMOUNT: Cents = 99_999_999_999_999;

const PRODUCT_IS_SAFE_BELOW = 900_000_000_000;

/** `cents × rate`, rounded half away from zero to a whole cent, computed exactly. */
export function percentOf(cents: Cents, rate: BasisPoints): Cents {
  const whole = Math.abs(cents);
  const part =
    whole < PRODUCT_IS_SAFE_BELOW
      ? Math.floor((whole * rate + 5_000) / 10_000)
      : Number((BigInt(whole) * BigInt(rate) + 5_000n) / 10_000n);
  // Never -0.
  return cents < 0 && part !== 0 ? -part : part;
}

/** An amount as the agency's records write it: `-1234.05`; never `-0.00`, always two decimals. */
export function decimalAmount(cents: Cents): string {
  const absolute = Math.abs(cents);
  const euros = Math.floor(absolute / 100);
  const rest = String(absolute % 100).padStart(2, '0');
  return `${cents < 0 ? '-' : ''}${euros}.${rest}`;
}

/** An exact percentage from a JSON number, or null when it has more than two decimals or is out of 0–999.99. */
export function basisPointsOf(percentage: number): BasisPoints | null {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(String(percentage)) ?? [];
  if (whole === undefined) return null;
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}

/** The percentage with as few decimals as it needs: `21`, `5.2`. */
export function decimalRate(rate: BasisPoints): string {
  const hundredths = rate % 100;
  if (hundredths === 0) return String(rate / 100);
  return `${Math.floor(rate / 100)}.${String(hundredths).padStart(2, '0').replace(/0$/, '')}`;
}

/** The percentage as the JSON number that callers read: 2100 is 21, 520 is 5.2. */
export function percentageOf(rate: BasisPoints): number {
  return Number(decimalRate(rate));
}
