import type { InvoiceContent, PrintedRecipient } from '../content.ts';
import { country, date } from './format.ts';
import { printable } from './printable.ts';
import { drawQrCode } from './qr-code.ts';
import { type Align, type Box, fullWidth, type Sheet } from './sheet.ts';
import { contentWidth, page, qr, styles, type TextStyle } from './style.ts';
import { words } from './words.ts';
import { atMost, wrap } from './wrap.ts';

/** Wide enough for the phrase under the code in two lines. */
const CENTRE_WIDTH = 166;
const GUTTER = 8;
const SIDE_WIDTH = (contentWidth - CENTRE_WIDTH) / 2 - GUTTER;
const left: Box = { x: page.left, width: SIDE_WIDTH };
const centre: Box = { x: page.left + SIDE_WIDTH + GUTTER, width: CENTRE_WIDTH };
const right: Box = { x: page.right - SIDE_WIDTH, width: SIDE_WIDTH };

/** More than the longest names and addresses that are accepted; a page holds it. */
const MOST_PARTY_LINES = 40;

type Entry = readonly [text: string, style: TextStyle];

/**
 * The top of the first page: the QR code in the middle near the upper margin, as QR specification v0.5.0 section 3
 * prefers for portrait paper, with issuer and recipient on its sides (its example i), then title, number and dates.
 */
export function drawHead(sheet: Sheet, content: InvoiceContent): void {
  const top = sheet.y;
  const heights = [drawParty(sheet, words.issuer, issuerEntries(content), left, top)];
  if (content.qrUrl !== null) heights.push(drawQr(sheet, content.qrUrl, top));
  if (content.recipient !== null) {
    heights.push(drawParty(sheet, words.recipient, recipientEntries(content.recipient), right, top));
  }
  sheet.y = top + Math.max(...heights) + 16;
  drawTitle(sheet, content);
}

function drawParty(sheet: Sheet, label: string, entries: readonly Entry[], box: Box, top: number): number {
  const lines = entries.flatMap(([text, style]) =>
    wrap(printable(text), style, box.width).map((line): Entry => [line, style]),
  );
  let y = top;
  sheet.leaf('P', () => {
    sheet.line(label, box, y, styles.label);
    y += styles.qr.leading;
    for (const [line, style] of lines.slice(0, MOST_PARTY_LINES)) {
      sheet.line(line, box, y, style);
      y += style.leading;
    }
  });
  return y - top;
}

function issuerEntries({ issuer, recipient, breakdown }: InvoiceContent): Entry[] {
  // Between member states both parties' VAT numbers are stated (RD 1619/2012 art. 6.1.d); ours is the NIF with ES.
  const intraCommunity = breakdown.some(({ type }) => type === 'eu_b2b' || type === 'eu_b2b_services');
  const abroad = (recipient?.country ?? 'ES') !== 'ES';
  return [
    [issuer.legalName, styles.strong],
    [intraCommunity ? `${words.vatNumber} ES${issuer.nif}` : `${words.nif} ${issuer.nif}`, styles.body],
    ...addressEntries(issuer, abroad || issuer.country !== 'ES'),
  ];
}

function recipientEntries(recipient: PrintedRecipient): Entry[] {
  const { name, companyName, taxId, taxIdType } = recipient;
  const entries: Entry[] = [];
  const fiscalName = companyName ?? name;
  if (fiscalName !== null) entries.push([fiscalName, styles.strong]);
  if (companyName !== null && name !== null && name !== companyName) entries.push([name, styles.body]);
  if (taxId !== null) {
    const label = words.taxIdLabels[taxIdType ?? ''] ?? words.otherTaxId;
    entries.push([`${label} ${taxId}${issuingCountry(recipient)}`, styles.body]);
  }
  return [...entries, ...addressEntries(recipient, (recipient.country ?? 'ES') !== 'ES')];
}

/** A foreign document says little without its country; a VAT number starts with it. */
function issuingCountry({ taxIdType, taxIdCountry }: PrintedRecipient): string {
  const isNational = taxIdType === 'es_nif' || taxIdType === 'eu_vat' || taxIdType === 'not_registered';
  return isNational || taxIdCountry === null ? '' : ` (${country(taxIdCountry)})`;
}

type Address = Pick<PrintedRecipient, 'line1' | 'line2' | 'postalCode' | 'city' | 'country'>;

function addressEntries(address: Address, withCountry: boolean): Entry[] {
  const place = [address.postalCode, address.city].filter((part) => part !== null).join(' ');
  const land = withCountry && address.country !== null ? country(address.country) : null;
  return [address.line1, address.line2, place, land]
    .filter((line) => line !== null && line !== '')
    .map((line): Entry => [line ?? '', styles.body]);
}

function drawQr(sheet: Sheet, url: string, top: number): number {
  const x = centre.x + (centre.width - qr.side) / 2;
  const codeTop = top + styles.qr.leading + qr.quiet;
  const belowTop = codeTop + qr.side + qr.quiet;
  const below = [...wrap(words.qr.below, styles.qr, centre.width), words.qr.system];
  sheet.leaf('P', () => sheet.line(words.qr.above, centre, top, styles.qr, 'center'));
  const bbox = [x, codeTop, x + qr.side, codeTop + qr.side];
  sheet.leaf('Figure', () => drawQrCode(sheet, url, x, codeTop), { alt: words.qr.alternative(url), bbox });
  sheet.leaf('P', () => sheet.lines(below, centre, belowTop, styles.qr, 'center'));
  return belowTop + below.length * styles.qr.leading - top;
}

/** What the document calls itself. */
export function titleOf({
  imported,
  ...content
}: Pick<InvoiceContent, 'type' | 'kind' | 'imported'>): string {
  const title = originalTitle(content);
  return imported ? words.copy.title(title) : title;
}

function originalTitle({ type, kind }: Pick<InvoiceContent, 'type' | 'kind'>): string {
  const isRectifying = kind === 'rectifying_differences' || kind === 'rectifying_substitution';
  if (!isRectifying) return words.title[type];
  return type === 'complete' ? words.title.rectifyingComplete : words.title.rectifyingSimplified;
}

function drawTitle(sheet: Sheet, content: InvoiceContent): void {
  const { title } = styles;
  sheet.leaf('H1', () => sheet.line(titleOf(content), fullWidth, sheet.y, title));
  sheet.y += title.leading + 3;
  const dates: [string, string][] = [[words.issuedOn, date(content.issuedOn)]];
  if (content.operationOn !== null) dates.push([words.operationOn, date(content.operationOn)]);
  const dateWidth = 112;
  const numberBox = { x: page.left, width: contentWidth - dates.length * dateWidth };
  const number = atMost(wrap(printable(content.number), styles.strong, numberBox.width - GUTTER), 3);
  drawFact(sheet, words.number, number, numberBox, 'left');
  dates.forEach(([label, value], index) => {
    const box = { x: page.right - (dates.length - index) * dateWidth, width: dateWidth };
    drawFact(sheet, label, [value], box, 'right');
  });
  sheet.y += styles.label.leading + number.length * styles.strong.leading + 10;
}

function drawFact(sheet: Sheet, label: string, values: readonly string[], box: Box, align: Align): void {
  sheet.leaf('P', () => {
    sheet.line(label, box, sheet.y, styles.label, align);
    sheet.lines(values, box, sheet.y + styles.label.leading, styles.strong, align);
  });
}
