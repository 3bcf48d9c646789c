import type { Logo } from '../branding/branding.ts';
import { widthOf } from './fonts.ts';
import type { Box, Sheet, Tag } from './sheet.ts';
import { colours, mm, type TextStyle } from './style.ts';
import { wrap } from './wrap.ts';

/** The paper: printers for rolls of 80 mm print 72 mm of them. */
export const ROLL = {
  width: mm(80),
  margin: mm(4),
  /** The maximum length of a PDF page (ISO 32000-1 annex C). */
  longest: 14_400,
  qr: {
    /** The minimum that the Order allows, between 30 and 40 mm (HAC/1177/2024 art. 21.1). */
    side: mm(30),
    /** White on all four sides: 2 mm at least, 6 mm recommended (QR specification v0.5.0 section 3). */
    quiet: mm(6),
  },
  /** For banking apps: smaller than the tax QR code, far below it, under words that state its purpose. */
  epc: { side: mm(25), quiet: mm(4) },
};

const black = { ink: colours.black } as const;

/** No text is larger than those at the QR code (QR specification v0.5.0 section 3), except the heading. */
export const ROLL_TEXT = {
  title: { weight: 'semibold', size: 12, leading: 16, ...black },
  qr: { weight: 'semibold', size: 9, leading: 12, ...black },
  total: { weight: 'semibold', size: 9, leading: 14, ...black },
  strong: { weight: 'semibold', size: 8, leading: 11, ...black },
  body: { weight: 'regular', size: 8, leading: 11, ...black },
} as const satisfies Record<string, TextStyle>;

/** A block of the paper's whole width, whose height is known before it is drawn at the sheet's position. */
export type Block = { readonly height: number; readonly draw: (sheet: Sheet) => void };

export const inner: Box = { x: ROLL.margin, width: ROLL.width - 2 * ROLL.margin };

export const gap = (height: number): Block => ({ height, draw: () => {} });

export function rule(): Block {
  return {
    height: 8,
    draw: (sheet) => sheet.artifact(() => sheet.rule(sheet.y + 4, colours.black, 0.6, inner)),
  };
}

/** A text over as many lines as needed; each line is a block, so that a page can end anywhere. */
export function paragraph(text: string, style: TextStyle, options: Record<string, unknown> = {}): Block[] {
  return wrap(text, style, inner.width).map((line) => ({
    height: style.leading,
    draw: (sheet) => sheet.leaf('P', () => sheet.line(line, inner, sheet.y, style), options),
  }));
}

/** Centred; `width` when lines are to be shorter than the paper is wide. */
export function centred(
  text: string,
  style: TextStyle,
  options: Record<string, unknown> = {},
  { tag = 'P', width = inner.width }: { readonly tag?: Tag; readonly width?: number } = {},
): Block[] {
  return wrap(text, style, width).map((line) => ({
    height: style.leading,
    draw: (sheet) => sheet.leaf(tag, () => sheet.line(line, inner, sheet.y, style, 'center'), options),
  }));
}

const BETWEEN = 8;

/** A text and an amount at the right edge: beside the text's last line, or below it when there is no space. */
export function withFigure(text: string, figure: string, style: TextStyle): Block[] {
  const width = inner.width - widthOf(figure, style) - BETWEEN;
  const isTooNarrow = width < inner.width / 3;
  const lines = wrap(text, style, isTooNarrow ? inner.width : width);
  const rows = isTooNarrow ? [...lines, ''] : lines.length === 0 ? [''] : lines;
  return rows.map((line, index) => ({
    height: style.leading,
    draw: (sheet) =>
      sheet.leaf('P', () => {
        sheet.line(line, inner, sheet.y, style);
        if (index === rows.length - 1) sheet.line(figure, inner, sheet.y, style, 'right');
      }),
  }));
}

/** Labels with their values at the right edge. */
export function facts(rows: readonly (readonly [label: string, value: string])[]): Block[] {
  return rows.flatMap(([label, value]) =>
    widthOf(value, ROLL_TEXT.strong) > inner.width / 2
      ? [...paragraph(`${label}:`, ROLL_TEXT.body), ...paragraph(value, ROLL_TEXT.strong)]
      : withFigure(label, value, ROLL_TEXT.body),
  );
}

const HIGHEST_LOGO = mm(18);
const MAX_LOGO_WIDTH = mm(46);
/** Printers for rolls have 203 dots per inch; a lower resolution of the image would be visible. */
const COARSEST = 100;

export function logoBlock(logo: Logo, alt: string): Block {
  const max = logo.type === 'svg' ? Number.POSITIVE_INFINITY : 72 / COARSEST;
  const scale = Math.min(MAX_LOGO_WIDTH / logo.width, HIGHEST_LOGO / logo.height, max);
  const width = logo.width * scale;
  const height = logo.height * scale;
  const x = (ROLL.width - width) / 2;
  return {
    height,
    draw: (sheet) => {
      const bbox = [x, sheet.y, x + width, sheet.y + height];
      sheet.leaf('Figure', () => sheet.picture(logo, { x, width }, sheet.y, height), { alt, bbox });
    },
  };
}
