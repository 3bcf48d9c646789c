import type { InvoiceContent } from '../content.ts';
import { date } from './format.ts';
import { drawHead, titleOf } from './head.ts';
import { drawLines } from './lines-table.ts';
import { printable } from './printable.ts';
import { drawReferences } from './references.ts';
import { drawRemarks } from './remarks.ts';
import { fullWidth, Sheet } from './sheet.ts';
import { colours, contentWidth, mm, page, styles } from './style.ts';
import { closing } from './totals.ts';
import { words } from './words.ts';
import { oneLine } from './wrap.ts';

/**
 * The invoice as a PDF/A-3b file with its registration record attached. A function of its argument alone: the same
 * content gives the same bytes. Takes the thread for some milliseconds; see `createRenderer`.
 */
export function renderInvoicePdf(content: InvoiceContent): Promise<Buffer> {
  const title = `${titleOf(content)} ${printable(content.number)}`;
  const issuer = printable(content.issuer.legalName);
  const createdAt = new Date(content.issuedAt);
  const sheet = new Sheet({ title, author: issuer, createdAt }, (page, number) => {
    if (content.environment === 'test') drawTestMark(page);
    if (number > 1) drawRunningHead(page, `${title} · ${date(content.issuedOn)}`, issuer);
  });
  const { recordXml } = content;
  if (recordXml !== null) {
    sheet.attach('registro-alta.xml', recordXml, 'text/xml', words.recordFile, createdAt);
  }
  const end = closing(content);
  drawHead(sheet, content);
  drawReferences(sheet, content);
  drawLines(sheet, content, end.height);
  end.draw(sheet);
  drawRemarks(sheet, content);
  return sheet.finish((number, pages) =>
    drawFoot(sheet, `${issuer} · ${words.nif} ${content.issuer.nif}`, number, pages),
  );
}

function drawRunningHead(sheet: Sheet, title: string, issuer: string): void {
  const half = contentWidth / 2 - 8;
  sheet.artifact(() => {
    sheet.line(oneLine(title, styles.bodyStrong, half), fullWidth, sheet.y, styles.bodyStrong);
    sheet.line(oneLine(issuer, styles.body, half), fullWidth, sheet.y, styles.body, 'right');
    sheet.rule(sheet.y + styles.body.leading + 5, colours.hairline, 0.5);
  });
  sheet.y += styles.body.leading + 12;
}

function drawFoot(sheet: Sheet, text: string, number: number, pages: number): void {
  const pageNumber = words.page(number, pages);
  sheet.rule(page.foot, colours.hairline, 0.5);
  sheet.line(oneLine(text, styles.small, contentWidth - 90), fullWidth, page.foot + 5, styles.small);
  sheet.line(pageNumber, fullWidth, page.foot + 5, styles.small, 'right');
}

/** A band above the content and large pale words behind it: no page of a test can pass for an invoice. */
function drawTestMark(sheet: Sheet): void {
  const band = { ...fullWidth, height: 18 };
  const top = mm(8);
  sheet.artifact(() => {
    // Turned along the diagonal, low enough to leave the QR code on pure white.
    const angle = Math.atan2(1, 1.35);
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    sheet.transformed([cos, -sin, sin, cos, page.width / 2, page.height * 0.66], () => {
      const style = { face: 'semibold', size: 46, leading: 58, ink: colours.testMark } as const;
      const box = { x: -400, width: 800 };
      const middle = words.test.indexOf(' SIN ');
      sheet.line(words.test.slice(0, middle), box, -58, style, 'center');
      sheet.line(words.test.slice(middle + 1), box, 0, style, 'center');
    });
    sheet.area(band, top, band.height, colours.testBand);
    sheet.line(words.test, band, top + 3, styles.test, 'center');
  });
}
