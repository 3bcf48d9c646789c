/** InvoiceNumber and InvoiceSeriesCode are limited to 20 characters each. */
const MOST = 20;

/** A number in two parts as the format requires. Series followed by number is exactly the invoice's number. */
export type SplitNumber = { readonly series: string | null; readonly number: string };

/**
 * Splits `<prefix>-<year>-<n>`: the series is everything before n, including its last hyphen, so that joining the
 * two gives the number in the record and in the QR code. Any other number is not split if it fits, else split at
 * the length limit.
 */
export function splitNumber(number: string): SplitNumber {
  const [, series = '', last = ''] = /^(.*-)(\d+)$/.exec(number) ?? [];
  if (series !== '' && series.length <= MOST && last.length <= MOST) return { series, number: last };
  if (number.length <= MOST) return { series: null, number };
  return { series: number.slice(0, MOST), number: number.slice(MOST) };
}
