import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PNG } from 'pngjs';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { renderRollPdf } from '../../src/subjects/documents/layout/roll.ts';
import { invoiceCases } from '../support/documents/invoice-cases.ts';
import { haveTools, pagesOf } from '../support/documents/pdf-tools.ts';

/**
 * `npm run pictures`: what each case of the layout looks like, into docs/invoices. Of a long document the first two pages
 * and the last, side by side. For people to look at, after every change to the layout.
 */

const FOLDER = resolve(import.meta.dirname, '../../docs/invoices');
/** Enough to read the text, little enough to keep them all. */
const DOTS_PER_INCH = 72;
const GAP = 10;
/** Shades between these are not told apart, and make the files half as large again. */
const SHADES = 52;

if (!haveTools('pdftoppm')) process.exit(1);
mkdirSync(FOLDER, { recursive: true });
for (const name of readdirSync(FOLDER)) if (name.endsWith('.png')) rmSync(join(FOLDER, name));
/** Of these, how they look on a roll too. */
const ON_A_ROLL = [
  'a ticket',
  'in English, with a drawn logo and a pale colour',
  'a voided test in Basque',
  'the largest amounts',
  'a payment by transfer',
  'gross prices',
  'disbursements',
  'in another currency too',
  'a payment in Basque',
];
const pictures = [
  ...Object.entries(invoiceCases).map(([name, content]) => [name, () => renderInvoicePdf(content)] as const),
  ...ON_A_ROLL.map((name) => [`on a roll, ${name}`, () => renderRollPdf(invoiceCases[name]!)] as const),
];
let bytes = 0;
for (const [name, draw] of pictures) {
  const pages = pagesOf(await draw(), DOTS_PER_INCH).map((page) => PNG.sync.read(page));
  const shown = pages.filter((_, index) => index < 2 || index === pages.length - 1);
  const file = join(FOLDER, `${name.replace(/[^a-z]+/gi, '-').toLowerCase()}.png`);
  writeFileSync(file, PNG.sync.write(sideBySide(shown), { colorType: 2, deflateStrategy: 0 }));
  bytes += statSync(file).size;
}
console.log(`${pictures.length} pictures, ${Math.round(bytes / 1024)} KiB, in docs/invoices`);

function sideBySide(pages: readonly PNG[]): PNG {
  const width = pages.reduce((sum, page) => sum + page.width + GAP, GAP);
  const height = Math.max(...pages.map((page) => page.height)) + 2 * GAP;
  const sheet = new PNG({ width, height });
  sheet.data.fill(0xcc);
  let left = GAP;
  for (const page of pages) {
    page.data.forEach((value, index) => {
      page.data[index] = Math.round((value * (SHADES - 1)) / 255) * (255 / (SHADES - 1));
    });
    PNG.bitblt(page, sheet, 0, 0, page.width, page.height, left, GAP);
    left += page.width + GAP;
  }
  return sheet;
}
