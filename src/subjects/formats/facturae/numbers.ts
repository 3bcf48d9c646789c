/** InvoiceNumber and InvoiceSeriesCode hold 20 characters each. */
const MOST = 20;

/** A number as the format takes it apart. Series and number, one after the other, are the number letter for letter. */
export type SplitNumber = { readonly series: string | null; readonly number: string };

/**
 * Takes `<prefix>-<year>-<n>` apart: the series is what stands before n, its last hyphen included, so that whoever joins the two gets
 * the number that is on the record and in the QR code. Any other number is whole where it fits, and cut where the element ends.
 */
export function splitNumber(number: string): SplitNumber {
  const [, series = '', last = ''] = /^(.*-)(\d+)$/.exec(number) ?? [];
  if (series !== '' && series.length <= MOST && last.length <= MOST) return { series, number: last };
  if (number.length <= MOST) return { series: null, number };
  return { series: number.slice(0, MOST), number: number.slice(MOST) };
}
