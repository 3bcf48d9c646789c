/** The style of a page: sizes in points (1/72 inch), colours, and the measures required by law. */

const POINTS_PER_MM = 72 / 25.4;

/** Millimetres in points. */
export function mm(millimetres: number): number {
  return millimetres * POINTS_PER_MM;
}

export type FontWeight = 'regular' | 'semibold';

/** The style of a line of text. `leading` is the distance from one line to the next. */
export type TextStyle = {
  readonly weight: FontWeight;
  readonly size: number;
  readonly leading: number;
  readonly ink: string;
};

/** The accent of companies that have chosen none. */
export const OUR_ACCENT = '#17365C';

export const colours = {
  ink: '#1B2430',
  muted: '#566170',
  /** Replaced by the company's own colour: in letters and in lines. */
  accent: 'accent',
  accentLine: 'accent line',
  hairline: '#DCE1E8',
  wash: '#F2F5F9',
  black: '#000000',
  testBand: '#FFF0D1',
  testInk: '#8A4A00',
  testMark: '#F5EFE4',
  voidBand: '#FCE3E0',
  voidInk: '#98160B',
  voidMark: '#FAE6E3',
};

const { ink, muted, accent } = colours;

/**
 * No text is larger than the two at the QR code: they must be "equal to or larger than the rest of the data" (QR
 * specification v0.5.0 section 3). Only the heading, which is not data, is larger.
 */
export const styles = {
  title: { weight: 'semibold', size: 20, leading: 26, ink: accent },
  spanishTitle: { weight: 'regular', size: 10, leading: 32, ink: muted },
  qr: { weight: 'semibold', size: 10, leading: 13, ink },
  strong: { weight: 'semibold', size: 10, leading: 13.5, ink },
  body: { weight: 'regular', size: 9, leading: 12.5, ink },
  bodyStrong: { weight: 'semibold', size: 9, leading: 12.5, ink },
  label: { weight: 'regular', size: 7.5, leading: 11, ink: muted },
  small: { weight: 'regular', size: 7.5, leading: 10.5, ink: muted },
  head: { weight: 'semibold', size: 8, leading: 11, ink: accent },
  total: { weight: 'semibold', size: 10, leading: 14, ink: accent },
  test: { weight: 'semibold', size: 9, leading: 12, ink: colours.testInk },
  voided: { weight: 'semibold', size: 9, leading: 12, ink: colours.voidInk },
} as const satisfies Record<string, TextStyle>;

/** A4 portrait; margins wide enough for any printer and for two punched holes. */
export const page = {
  width: 595.28,
  height: 841.89,
  left: mm(18),
  right: 595.28 - mm(18),
  top: mm(17),
  /** The lower end of the content: the footer is below it. */
  bottom: 841.89 - mm(21),
  foot: 841.89 - mm(17),
};

export const contentWidth = page.right - page.left;

export const qr = {
  /** Between 30 and 40 mm (Orden HAC/1177/2024 art. 21.1). */
  side: mm(35),
  /** White on all four sides: 2 mm at least, 6 mm recommended (QR specification v0.5.0 section 3). */
  quiet: mm(6),
};

/**
 * The code for banking apps: smaller than the tax QR code, which must be the most prominent one (QR specification
 * v0.5.0 section 3).
 */
export const epc = {
  side: mm(28),
  quiet: mm(3),
};
