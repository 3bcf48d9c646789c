import type { InvoiceContent } from '../content.ts';
import { accentOf } from './accent.ts';
import { extensionDays } from './extensions.ts';
import { issuerEntries, QR_TEXTS, recipientEntries, titleOf } from './head.ts';
import { printable } from './printable.ts';
import { drawQrCode } from './qr-code.ts';
import { factsOf } from './references.ts';
import { mentionsOf } from './remarks.ts';
import {
  type Block,
  centred,
  facts,
  gap,
  inner,
  logoBlock,
  paragraph,
  ROLL,
  ROLL_TEXT,
  rule,
} from './roll-blocks.ts';
import { amountBlocks, disbursementBlocks, lineBlocks, noteBlocks, paymentBlocks } from './roll-body.ts';
import { IN_SPANISH, type PageSize, Sheet } from './sheet.ts';
import { mention, type Wording, wordingOf } from './wording.ts';

/**
 * The invoice for a ticket printer, 80 mm wide and as long as necessary: a PDF/A-3b file with its registration
 * record attached and the content of the A4 pages. If it is longer than a PDF page can be (ISO 32000-1 annex C:
 * 14,400 points, five metres), it continues on another page. All black, because such printers have no colours. A
 * pure function.
 */
export function renderRollPdf(content: InvoiceContent): Promise<Buffer> {
  const wording = wordingOf(content);
  const { texts } = wording;
  const pages = paginate(blocksOf(content, wording));
  const createdAt = new Date(content.issuedAt);
  const sheet = new Sheet(
    {
      title: `${titleOf(content, wording)} ${printable(content.number)}`,
      author: printable(content.issuer.legalName),
      subject: null,
      createdAt,
      language: texts.locale,
      accent: accentOf(content.branding),
    },
    (page) => {
      page.y = ROLL.margin;
    },
    (number) => sizeOf(pages[number - 1] ?? []),
  );
  if (content.recordXml !== null) {
    sheet.attach({
      name: 'registro-alta.xml',
      content: content.recordXml,
      type: 'text/xml',
      description: texts.recordFile,
      date: createdAt,
      relationship: 'Data',
    });
  }
  pages.forEach((blocks, index) => {
    if (index > 0) sheet.newPage();
    for (const block of blocks) {
      block.draw(sheet);
      sheet.y += block.height;
    }
  });
  return sheet.finish(() => {});
}

const heightOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { height }) => sum + height, 0);

function sizeOf(blocks: readonly Block[]): PageSize {
  return { width: ROLL.width, height: Math.ceil(heightOf(blocks) + 2 * ROLL.margin) };
}

function paginate(blocks: readonly Block[]): Block[][] {
  const pages: Block[][] = [[]];
  let room = ROLL.longest - 2 * ROLL.margin;
  for (const block of blocks) {
    if (block.height > room) {
      pages.push([]);
      room = ROLL.longest - 2 * ROLL.margin;
    }
    pages.at(-1)!.push(block);
    room -= block.height;
  }
  return pages;
}

function blocksOf(content: InvoiceContent, wording: Wording): Block[] {
  return [
    ...markBlocks(content, wording),
    ...qrBlocks(content, wording),
    ...headBlocks(content, wording),
    rule(),
    ...lineBlocks(content, wording),
    rule(),
    ...amountBlocks(content, wording),
    ...disbursementBlocks(content, wording),
    ...paymentBlocks(content),
    ...mentionsOf(content, wording).flatMap(({ spanish, translation }) => [
      gap(4),
      ...paragraph(printable(spanish), ROLL_TEXT.body, IN_SPANISH),
      ...(translation === null ? [] : paragraph(printable(translation), ROLL_TEXT.body)),
    ]),
    ...noteBlocks(content, wording),
  ];
}

/** The most important facts come first: that it is a test, or voided. */
function markBlocks({ environment, voidedOn }: InvoiceContent, wording: Wording): Block[] {
  const mentions = [
    ...(environment === 'test' ? [mention(wording, ({ texts: { law } }) => law.test)] : []),
    ...(voidedOn === null
      ? []
      : [mention(wording, ({ texts: { law }, format }) => law.voided(format.date(voidedOn)))]),
  ];
  return mentions.flatMap(({ spanish: text, translation }) => [
    rule(),
    ...centred(text, ROLL_TEXT.strong, IN_SPANISH),
    ...(translation === null ? [] : centred(translation, ROLL_TEXT.body)),
    rule(),
    gap(4),
  ]);
}

/** Before the rest of the invoice, centred near the upper margin (QR specification v0.5.0 section 3). */
function qrBlocks({ qrUrl }: InvoiceContent, { texts }: Wording): Block[] {
  if (qrUrl === null) return [];
  const { side, quiet } = ROLL.qr;
  const x = (ROLL.width - side) / 2;
  const code: Block = {
    height: side + 2 * quiet,
    draw: (sheet) => {
      const y = sheet.y + quiet;
      const bbox = [x, y, x + side, y + side];
      sheet.leaf('Figure', () => drawQrCode(sheet, qrUrl, { x, y, side }), {
        alt: texts.qrAlternative(qrUrl),
        bbox,
      });
    },
  };
  return [
    ...centred(QR_TEXTS.above, ROLL_TEXT.qr, IN_SPANISH),
    code,
    // In two lines of similar length.
    ...centred(QR_TEXTS.below, ROLL_TEXT.qr, IN_SPANISH, { width: inner.width * 0.75 }),
    ...centred(QR_TEXTS.system, ROLL_TEXT.qr, IN_SPANISH),
    gap(8),
  ];
}

function headBlocks(content: InvoiceContent, wording: Wording): Block[] {
  const { texts, format } = wording;
  const { branding, issuer, recipient, operationOn } = content;
  const title = mention(wording, (other) => titleOf(content, other));
  const issuerLines = issuerEntries(content, wording).flatMap(([text], index) =>
    centred(printable(text), index === 0 ? ROLL_TEXT.strong : ROLL_TEXT.body),
  );
  const dates: [string, string][] = [
    [texts.number, printable(content.number)],
    [texts.issuedOn, format.date(content.issuedOn)],
    ...(operationOn === null ? [] : ([[texts.operationOn, format.date(operationOn)]] as [string, string][])),
    ...extensionDays(content),
  ];
  return [
    ...(branding.logo === null
      ? []
      : [logoBlock(branding.logo, texts.logoAlternative(printable(issuer.legalName))), gap(6)]),
    ...issuerLines,
    gap(8),
    ...centred(title.translation ?? title.spanish, ROLL_TEXT.title, {}, { tag: 'H1' }),
    ...(title.translation === null ? [] : centred(title.spanish, ROLL_TEXT.body, IN_SPANISH)),
    gap(3),
    ...facts(dates),
    ...(recipient === null
      ? []
      : [
          gap(4),
          ...paragraph(`${texts.recipient}:`, ROLL_TEXT.body),
          ...recipientEntries(recipient, wording).flatMap(([text], index) =>
            paragraph(printable(text), index === 0 ? ROLL_TEXT.strong : ROLL_TEXT.body),
          ),
        ]),
    ...factsOf(content, wording).flatMap(({ label, values }) => [
      gap(3),
      ...paragraph(`${label}:`, ROLL_TEXT.strong),
      ...values.flatMap(({ text, options }) => paragraph(printable(text), ROLL_TEXT.body, options)),
    ]),
  ];
}
