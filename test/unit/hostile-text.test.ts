import { describe, expect, test } from 'vitest';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { contentLine, invoiceContent } from '../support/documents/invoice-content.ts';
import * as tools from '../support/documents/pdf-tools.ts';

const canRead = tools.haveTools('pdftotext', 'pdffonts', 'qpdf');

/** What somebody might put into a field, and what of it is printed. */
const hostile = [
  ['controls', 'Ana\u0000\u0007\u001b[31m', 'Ana[31m'],
  ['markup', '<b onclick="x()">&amp;</b>', '<b onclick="x()">&amp;</b>'],
  ['a formula', '=HYPERLINK("http://x.es")', '=HYPERLINK("http://x.es")'],
  ['marks that turn the direction', 'pagar \u202e000.1\u202c a\u200f \u2066Ana\u2069', 'pagar 000.1 a Ana'],
  ['what has no width', 'A\u200bn\u200da\ufeff\u00ad', 'Ana'],
  ['characters beyond the first plane', 'Ana 😀 𝒜 𐍈', 'Ana 😀 \ufffd \ufffd'],
  ['scripts that no font has', 'ᚠᚢ 𒀀', '\ufffd\ufffd \ufffd'],
  ['piled marks', `Z${'\u0316'.repeat(80)}algo`, `Z${'\u0316'.repeat(3)}algo`],
  ['halves of characters', 'A\ud800n\udc00a', 'Ana'],
  ['the syntax of PDF', ') Tj ET endstream endobj \\(', ') Tj ET endstream endobj \\('],
] as const;

const recipient = invoiceContent().recipient!;
const issuer = invoiceContent().issuer;

/** Every field whose text comes from somebody, but for the number: how it gets onto the page. */
const fields: Record<string, (text: string) => Partial<InvoiceContent>> = {
  'the name of the issuer': (legalName) => ({ issuer: { ...issuer, legalName } }),
  'the address of the issuer': (line1) => ({ issuer: { ...issuer, line1, line2: line1, city: line1 } }),
  'the name of the recipient': (name) => ({ recipient: { ...recipient, name, companyName: null } }),
  'the company of the recipient': (companyName) => ({ recipient: { ...recipient, companyName } }),
  'the tax id of the recipient': (taxId) => ({ recipient: { ...recipient, taxId, taxIdType: 'other' } }),
  'the address of the recipient': (text) => ({
    recipient: { ...recipient, line1: text, line2: text, postalCode: text, city: text, country: text },
  }),
  'the description of a line': (text) => ({ lines: [contentLine(text, 100)] }),
  'the reference of a line': (sku) => ({ lines: [contentLine('a', 100, { sku })] }),
  'the name of a tax': (name) => ({
    lines: [contentLine('a', 100, { taxes: [{ type: 'other', name, rate: 0 }] })],
  }),
  'a mention of the company’s own': (legalMention) => ({
    breakdown: [{ type: 'es_exempt', regimeKey: '01', legalMention }],
  }),
  'the notes': (notes) => ({ notes: `${notes}\n` }),
  'the number of a corrected invoice': (number) => ({
    kind: 'rectifying_differences',
    rectification: {
      references: [{ number, issuedOn: '2026-05-02', operationOn: null }],
      reason: 'other',
      base: null,
      tax: null,
      surcharge: null,
    },
  }),
  'the number of an exchanged ticket': (number) => ({
    kind: 'exchange',
    exchanged: [{ number, issuedOn: '2026-05-02' }],
  }),
};

/** Words may be broken over lines and columns: what is compared has no spaces. */
const bare = (text: string) => text.normalize('NFC').replace(/\s/g, '');

async function seenOf(given: Partial<InvoiceContent>): Promise<string> {
  // The code holds the number as it is, and no more than it can: its own tests look at that.
  const seen = bare(tools.textOf(await renderInvoicePdf(invoiceContent({ ...given, qrUrl: null })), 'raw'));
  expect(seen).toContain('Totalfactura');
  expect(seen).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  return seen;
}

describe.skipIf(!canRead)('what can be printed of a field is printed, and nothing else', () => {
  const everything = hostile.map(([, text]) => text).join(' ');

  test.each(Object.entries(fields))('%s', async (_field, contentOf) => {
    const seen = await seenOf(contentOf(everything));
    for (const [what, , printed] of hostile) expect(seen, what).toContain(bare(printed));
  });

  // It stands in at most three lines: all at once would be cut.
  test.each(hostile)('the number: %s', async (_what, text, printed) => {
    expect(await seenOf({ number: text.toWellFormed() })).toContain(bare(printed.toWellFormed()));
  });

  test('images that could not be displayed are shown as missing; notes are not', async () => {
    const unseen = '\u200b\u200f\u2060';
    const { lines = [] } = fields['the description of a line']?.(unseen) ?? {};
    const tax = { type: 'other', name: unseen, rate: 0 };
    const seen = await seenOf({
      issuer: { ...issuer, legalName: unseen },
      recipient: { ...recipient, name: unseen, companyName: null },
      number: unseen,
      lines: [...lines, contentLine('a', 100, { taxes: [tax] })],
      notes: unseen,
    });
    expect(seen.split('\ufffd').length - 1).toBeGreaterThanOrEqual(6);
    expect(seen).not.toContain('Observaciones');
  });

  test('in every field at once: the file is sound', async () => {
    const parts = Object.values(fields).map((contentOf) => contentOf(everything));
    const pdf = await renderInvoicePdf(invoiceContent({ ...Object.assign({}, ...parts), qrUrl: null }));
    expect(tools.faultsOf(pdf)).toBe('');
    expect(tools.fontsOf(pdf).every(({ embedded }) => embedded)).toBe(true);
  });
});
