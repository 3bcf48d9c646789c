import type { InvoiceContent, PrintedRecipient } from '../content.ts';
import { extensionDays } from './extensions.ts';
import { widthOf } from './fonts.ts';
import { drawLogo } from './logo.ts';
import { printable } from './printable.ts';
import { drawQrCode } from './qr-code.ts';
import { type Align, type Box, fullWidth, IN_SPANISH, type Sheet } from './sheet.ts';
import { contentWidth, page, qr, styles, type TextStyle } from './style.ts';
import { mention, type Wording, wordingOf } from './wording.ts';
import { atMost, wrap } from './wrap.ts';

/** Wide enough for the sentence under the code in two lines. */
const CENTRE_WIDTH = 166;
const GUTTER = 8;
const SPACE_BELOW_LOGO = 12;
const SIDE_WIDTH = (contentWidth - CENTRE_WIDTH) / 2 - GUTTER;
const left: Box = { x: page.left, width: SIDE_WIDTH };
const centre: Box = { x: page.left + SIDE_WIDTH + GUTTER, width: CENTRE_WIDTH };
const right: Box = { x: page.right - SIDE_WIDTH, width: SIDE_WIDTH };

/**
 * Both sentences literally, whatever the document's language: Orden HAC/1177/2024 art. 20.1.b, QR specification
 * v0.5.0 section 3.
 */
export const QR_TEXTS = {
  above: 'QR tributario:',
  below: 'Factura verificable en la sede electrónica de la AEAT',
  system: 'VERI*FACTU',
};

/** More than the longest accepted names and addresses need; it fits on a page. */
const MAX_PARTY_LINES = 40;

type Entry = readonly [text: string, style: TextStyle];

/**
 * The top of the first page: the QR code centred near the upper margin, as QR specification v0.5.0 section 3
 * prefers for portrait paper, with logo, issuer and recipient at its sides (its examples i to k), then title,
 * number and dates.
 */
export function drawHead(sheet: Sheet, content: InvoiceContent): void {
  const wording = wordingOf(content);
  const { texts } = wording;
  const top = sheet.y;
  const partyTop = top + drawCompanyLogo(sheet, content, top);
  const issuer = { label: texts.issuer, entries: issuerEntries(content, wording) };
  const bottoms = [drawParty(sheet, issuer, left, partyTop)];
  if (content.qrUrl !== null) bottoms.push(drawQr(sheet, content.qrUrl, top, texts.qrAlternative));
  if (content.recipient !== null) {
    const recipient = { label: texts.recipient, entries: recipientEntries(content.recipient, wording) };
    bottoms.push(drawParty(sheet, recipient, right, partyTop));
  }
  sheet.y = Math.max(...bottoms) + 16;
  drawTitle(sheet, content, wording);
}

/** The vertical position of the names: they are printed side by side below the logo. */
function drawCompanyLogo(sheet: Sheet, content: InvoiceContent, top: number): number {
  const { branding, issuer } = content;
  if (branding.logo === null) return 0;
  const alt = wordingOf(content).texts.logoAlternative(printable(issuer.legalName));
  return drawLogo(sheet, branding.logo, { x: left.x, y: top, room: left.width, alt }) + SPACE_BELOW_LOGO;
}

type Party = { readonly label: string; readonly entries: readonly Entry[] };

/** Returns its lower end. */
function drawParty(sheet: Sheet, { label, entries }: Party, box: Box, top: number): number {
  const lines = entries.flatMap(([text, style]) =>
    wrap(printable(text), style, box.width).map((line): Entry => [line, style]),
  );
  let y = top;
  sheet.leaf('P', () => {
    sheet.line(label, box, y, styles.label);
    y += styles.qr.leading;
    for (const [line, style] of lines.slice(0, MAX_PARTY_LINES)) {
      sheet.line(line, box, y, style);
      y += style.leading;
    }
  });
  return y;
}

/** The issuer, the name first. */
export function issuerEntries({ issuer, recipient, breakdown }: InvoiceContent, wording: Wording): Entry[] {
  const { texts } = wording;
  // Between member states both parties' VAT numbers are stated (RD 1619/2012 art. 6.1.d); the issuer's is the NIF
  // with ES.
  const intraCommunity = breakdown.some(({ type }) => type === 'eu_b2b' || type === 'eu_b2b_services');
  const abroad = (recipient?.country ?? 'ES') !== 'ES';
  return [
    [issuer.legalName, styles.strong],
    [intraCommunity ? `${texts.vatNumber} ES${issuer.nif}` : `${texts.nif} ${issuer.nif}`, styles.body],
    ...addressEntries(issuer, abroad || issuer.country !== 'ES', wording),
  ];
}

/** Who is invoiced: the name first. */
export function recipientEntries(recipient: PrintedRecipient, wording: Wording): Entry[] {
  const { name, companyName, taxId, taxIdType } = recipient;
  const entries: Entry[] = [];
  const fiscalName = companyName ?? name;
  if (fiscalName !== null) entries.push([fiscalName, styles.strong]);
  if (companyName !== null && name !== null && name !== companyName) entries.push([name, styles.body]);
  if (taxId !== null) {
    const label = taxIdLabel(taxIdType, wording);
    entries.push([`${label} ${taxId}${issuingCountry(recipient, wording)}`, styles.body]);
  }
  return [...entries, ...addressEntries(recipient, (recipient.country ?? 'ES') !== 'ES', wording)];
}

function taxIdLabel(taxIdType: string | null, { texts }: Wording): string {
  switch (taxIdType) {
    case 'es_nif':
    case 'not_registered':
      return texts.nif;
    case 'eu_vat':
      return texts.vatNumber;
    case 'passport':
      return texts.passport;
    case 'official_document':
      return texts.officialDocument;
    case 'residence_certificate':
      return texts.residenceCertificate;
    default:
      return texts.otherTaxId;
  }
}

/** A foreign tax id is ambiguous without its country; a VAT number starts with it. */
function issuingCountry({ taxIdType, taxIdCountry }: PrintedRecipient, { format }: Wording): string {
  const isNational = taxIdType === 'es_nif' || taxIdType === 'eu_vat' || taxIdType === 'not_registered';
  return isNational || taxIdCountry === null ? '' : ` (${format.country(taxIdCountry)})`;
}

type Address = Pick<PrintedRecipient, 'line1' | 'line2' | 'postalCode' | 'city' | 'country'>;

function addressEntries(address: Address, withCountry: boolean, { format }: Wording): Entry[] {
  const place = [address.postalCode, address.city].filter((part) => part !== null).join(' ');
  const land = withCountry && address.country !== null ? format.country(address.country) : null;
  return [address.line1, address.line2, place, land]
    .filter((line) => line !== null && line !== '')
    .map((line): Entry => [line ?? '', styles.body]);
}

/** Returns its lower end. */
function drawQr(sheet: Sheet, url: string, top: number, alternative: (url: string) => string): number {
  const x = centre.x + (centre.width - qr.side) / 2;
  const codeTop = top + styles.qr.leading + qr.quiet;
  const belowTop = codeTop + qr.side + qr.quiet;
  const below = [...wrap(QR_TEXTS.below, styles.qr, centre.width), QR_TEXTS.system];
  sheet.leaf('P', () => sheet.line(QR_TEXTS.above, centre, top, styles.qr, 'center'), IN_SPANISH);
  const bbox = [x, codeTop, x + qr.side, codeTop + qr.side];
  sheet.leaf('Figure', () => drawQrCode(sheet, url, { x, y: codeTop, side: qr.side }), {
    alt: alternative(url),
    bbox,
  });
  sheet.leaf('P', () => sheet.lines(below, centre, belowTop, styles.qr, 'center'), IN_SPANISH);
  return belowTop + below.length * styles.qr.leading;
}

type Titled = Pick<InvoiceContent, 'type' | 'kind' | 'imported' | 'extensions'>;

/** The title of the document. */
export function titleOf({ imported, ...content }: Titled, { texts: { law } }: Wording): string {
  const title = law.title[titleKey(content)];
  return imported ? law.copyOf(title) : title;
}

/** One that identifies its recipient at wish is a simplified invoice all the same (RD 1619/2012 art. 7.2, 7.3). */
function titleKey({
  type,
  kind,
  extensions,
}: Omit<Titled, 'imported'>): keyof Wording['texts']['law']['title'] {
  const isRectifying = kind === 'rectifying_differences' || kind === 'rectifying_substitution';
  const named = extensions.qualified_simplified ? 'simplified' : type;
  if (!isRectifying) return named;
  return named === 'complete' ? 'rectifyingComplete' : 'rectifyingSimplified';
}

/** In another language the title is followed by the Spanish one, which is the legal name of the document. */
function drawTitle(sheet: Sheet, content: InvoiceContent, wording: Wording): void {
  const { texts, format } = wording;
  const { title, spanishTitle } = styles;
  const { spanish, translation } = mention(wording, (other) => titleOf(content, other));
  const own = translation ?? spanish;
  sheet.leaf('H1', () => sheet.line(own, fullWidth, sheet.y, title));
  if (translation !== null) {
    const x = page.left + widthOf(own, title) + 9;
    const box = { x, width: page.right - x };
    sheet.leaf('P', () => sheet.line(spanish, box, sheet.y, spanishTitle), IN_SPANISH);
  }
  sheet.y += title.leading + 3;
  const dates: [string, string][] = [[texts.issuedOn, format.date(content.issuedOn)]];
  if (content.operationOn !== null) dates.push([texts.operationOn, format.date(content.operationOn)]);
  dates.push(...extensionDays(content));
  const dateWidth = 112;
  const numberBox = { x: page.left, width: contentWidth - dates.length * dateWidth };
  const number = atMost(wrap(printable(content.number), styles.strong, numberBox.width - GUTTER), 3);
  drawFact(sheet, texts.number, number, numberBox, 'left');
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
