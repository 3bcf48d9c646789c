import type { InvoiceContent } from '../content.ts';
import { accentOf } from './accent.ts';
import { drawDisbursements } from './disbursements.ts';
import { embedFacturx, FACTURX_SUBJECT } from './facturx.ts';
import { drawHead, titleOf } from './head.ts';
import { drawLines } from './lines-table.ts';
import { drawTestMark, drawVoidMark } from './marks.ts';
import { drawPayment } from './payment.ts';
import { printable } from './printable.ts';
import { drawReferences } from './references.ts';
import { drawRemarks, remarksHeight } from './remarks.ts';
import { fullWidth, Sheet } from './sheet.ts';
import { colours, contentWidth, page, styles } from './style.ts';
import { closing } from './totals.ts';
import { wordingOf } from './wording.ts';
import { oneLine } from './wrap.ts';

/**
 * The invoice as a PDF/A-3b file with its registration record attached, and with `facturx`, the invoice in CII, a
 * Factur-X document with the same pages. A pure function: the same content gives the same bytes. Occupies the
 * thread for some milliseconds; see `createRenderer`.
 */
export function renderInvoicePdf(content: InvoiceContent, facturx: string | null = null): Promise<Buffer> {
  const wording = wordingOf(content);
  const { texts, format } = wording;
  const title = `${titleOf(content, wording)} ${printable(content.number)}`;
  const issuer = printable(content.issuer.legalName);
  const createdAt = new Date(content.issuedAt);
  const facts = {
    title,
    author: issuer,
    subject: facturx === null ? null : FACTURX_SUBJECT,
    createdAt,
    language: texts.locale,
    accent: accentOf(content.branding),
  };
  const sheet = new Sheet(facts, (page, number) => {
    if (content.environment === 'test') drawTestMark(page, content, number === 1);
    if (content.voidedOn !== null) drawVoidMark(page, content, content.voidedOn, number === 1);
    if (number > 1) drawRunningHead(page, `${title} · ${format.date(content.issuedOn)}`, issuer);
  });
  const { recordXml } = content;
  if (recordXml !== null) {
    sheet.attach({
      name: 'registro-alta.xml',
      content: recordXml,
      type: 'text/xml',
      description: texts.recordFile,
      date: createdAt,
      relationship: 'Data',
    });
  }
  if (facturx !== null) embedFacturx(sheet, facturx, texts.structuredFile, createdAt);
  const end = closing(content);
  drawHead(sheet, content);
  drawReferences(sheet, content);
  drawLines(sheet, content, end.height);
  const totals = end.draw(sheet);
  const isClear = !drawDisbursements(sheet, content);
  drawPayment(sheet, content, { totals: isClear ? totals : null, remarks: remarksHeight(content) });
  drawRemarks(sheet, content);
  return sheet.finish((number, pages) =>
    drawFoot(sheet, `${issuer} · ${texts.nif} ${content.issuer.nif}`, texts.page(number, pages)),
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

function drawFoot(sheet: Sheet, text: string, pageNumber: string): void {
  sheet.rule(page.foot, colours.hairline, 0.5);
  sheet.line(oneLine(text, styles.small, contentWidth - 110), fullWidth, page.foot + 5, styles.small);
  sheet.line(pageNumber, fullWidth, page.foot + 5, styles.small, 'right');
}
