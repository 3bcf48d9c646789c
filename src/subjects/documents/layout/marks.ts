import type { Day } from '../../../ground/lib/calendar.ts';
import type { InvoiceContent } from '../content.ts';
import { fullWidth, type Sheet } from './sheet.ts';
import { colours, mm, page, styles, type TextStyle } from './style.ts';
import { type Mention, mention, spanish, wordingOf } from './wording.ts';

const BAND_HEIGHT = 18;

/** A band above the content and large pale words behind it: no page of a test can be mistaken for an invoice. */
export function drawTestMark(sheet: Sheet, content: InvoiceContent, isFirstPage: boolean): void {
  const { test } = spanish.texts.law;
  const middle = test.indexOf(' SIN ');
  // On a voided document the large words state that instead; two pale texts on each other would be unreadable.
  if (content.voidedOn === null) {
    drawAcross(sheet, [test.slice(0, middle), test.slice(middle + 1)], { size: 46, ink: colours.testMark });
  }
  const marking = mention(wordingOf(content), ({ texts: { law } }) => law.test);
  drawBand(sheet, marking, { top: mm(8), isFirstPage, style: styles.test, ground: colours.testBand });
}

/** The same for a voided invoice: a band with the day, and the word across each page. */
export function drawVoidMark(sheet: Sheet, content: InvoiceContent, day: Day, isFirstPage: boolean): void {
  drawAcross(sheet, ['ANULADA'], { size: 96, ink: colours.voidMark });
  const marking = mention(wordingOf(content), ({ texts: { law }, format }) => law.voided(format.date(day)));
  // Below the band of a test, if there is one; the content below moves down.
  drawBand(sheet, marking, { top: sheet.y, isFirstPage, style: styles.voided, ground: colours.voidBand });
  sheet.y += BAND_HEIGHT + 10;
}

type Band = {
  readonly top: number;
  readonly isFirstPage: boolean;
  readonly style: TextStyle;
  readonly ground: string;
};

/** For screen readers it is text on the first page only; on the others it is decoration. */
function drawBand(sheet: Sheet, marking: Mention, { top, isFirstPage, style, ground }: Band): void {
  const text = marking.translation === null ? marking.spanish : `${marking.spanish} · ${marking.translation}`;
  const write = () => sheet.line(text, fullWidth, top + 3, style, 'center');
  sheet.artifact(() => sheet.area(fullWidth, top, BAND_HEIGHT, ground));
  if (isFirstPage) sheet.leaf('P', write);
  else sheet.artifact(write);
}

/** Rotated along the diagonal, low enough to leave the QR code on pure white. */
function drawAcross(
  sheet: Sheet,
  texts: readonly string[],
  { size, ink }: { readonly size: number; readonly ink: string },
): void {
  const angle = Math.atan2(1, 1.35);
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const style: TextStyle = { weight: 'semibold', size, leading: size * 1.26, ink };
  const box = { x: -400, width: 800 };
  sheet.artifact(() => {
    sheet.transformed([cos, -sin, sin, cos, page.width / 2, page.height * 0.66], () => {
      sheet.lines(texts, box, -style.leading * (texts.length / 2), style, 'center');
    });
  });
}
