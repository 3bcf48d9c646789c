import { describe, expect, test } from 'vitest';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { epcText } from '../../src/subjects/documents/layout/epc-code.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { page } from '../../src/subjects/documents/layout/style.ts';
import { NO_EXTENSION_COLUMNS } from '../../src/subjects/extensions/columns.ts';
import { invoiceCases, manyLines } from '../support/documents/invoice-cases.ts';
import { invoiceContent } from '../support/documents/invoice-content.ts';
import * as tools from '../support/documents/pdf-tools.ts';

/** The code for banks' apps on a document, beside which the tax QR code must stay the first. */

const IBAN = 'ES9121000418450200051332';
const TRANSFER = { name: 'Talleres Ñandú SL', iban: IBAN, amount: 12_100, remittance: 'F-2026-1' };

describe('the text of the code', () => {
  test('is as the guidelines have it', () => {
    expect(epcText(TRANSFER)).toBe(`BCD\n002\n1\nSCT\n\nTalleres Ñandú SL\n${IBAN}\nEUR121.00\n\n\nF-2026-1`);
    expect(epcText({ ...TRANSFER, amount: 5 })).toContain('\nEUR0.05\n');
    expect(epcText({ ...TRANSFER, amount: 99_999_999_999 })).toContain('\nEUR999999999.99\n');
  });

  test.each([0, -100, 100_000_000_000])(
    'is omitted for an amount of %i, which no transfer can have',
    (amount) => {
      expect(epcText({ ...TRANSFER, amount })).toBeNull();
    },
  );

  test('fits into the QR code, or is omitted', () => {
    const long = epcText({ ...TRANSFER, name: 'n'.repeat(90), remittance: 'ñ'.repeat(90) })!;
    expect(long).toContain(`\n${'n'.repeat(70)}\n`);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(331);
    expect(epcText({ ...TRANSFER, name: '汉'.repeat(70), remittance: '汉'.repeat(140) })).toBeNull();
  });
});

const paid = (payment: InvoiceContent['extensions']['payment'], more: Partial<InvoiceContent> = {}) =>
  invoiceContent({ ...more, extensions: { ...NO_EXTENSION_COLUMNS, payment } });
const BY_TRANSFER = { means: 'transfer', iban: IBAN } as const;

const canScan = tools.haveTools('pdftoppm', 'pdftotext', 'zbarimg');

describe.skipIf(!canScan)('on the page', () => {
  test.each([
    ['one line', {}],
    ['the longest text that fits', { issuer: { ...invoiceContent().issuer, legalName: 'Ñ'.repeat(70) } }],
    ['a test', { environment: 'test' }],
  ] as const)('both codes are read, each in its half: %s', async (_what, more) => {
    const reference = 'x'.repeat(100);
    const content = paid({ ...BY_TRANSFER, reference }, more);
    const pdf = await renderInvoicePdf(content);
    const both = tools.codesOf(pdf);
    expect(both).toHaveLength(2);
    expect(both).toContain(content.qrUrl);
    expect(both.find((text) => text.startsWith('BCD'))).toMatch(new RegExp(`\nEUR121.00\n\n\n${reference}$`));
    // Whoever holds a telephone over the head of the page, or begins at its top, gets the tax QR code alone.
    expect(tools.codesOf(pdf, 'upper half')).toEqual([content.qrUrl]);
    const label = tools.wordsOf(pdf).find(({ text }) => text === 'banco')!;
    expect(label.top).toBeGreaterThan(page.height / 2);
  });

  test('it requests what is left to be paid where something is withheld', async () => {
    const withheld = { withholding_rate: 1500, withholding_base: 10_000, withholding_amount: 1_500 };
    const extensions = { ...NO_EXTENSION_COLUMNS, ...withheld, payment: BY_TRANSFER };
    const codes = tools.codesOf(await renderInvoicePdf(invoiceContent({ extensions })));
    // Without a reference of its own it is told by the number.
    expect(codes.find((text) => text.startsWith('BCD'))).toMatch(/\nEUR106\.00\n\n\nF-2026-1$/);
  });

  test('it is printed with the totals, after all lines', async () => {
    const content = paid(BY_TRANSFER, { lines: manyLines(60) });
    const pdf = await renderInvoicePdf(content);
    expect(tools.codesOf(pdf)).toEqual([content.qrUrl]);
    expect(tools.textOf(pdf).split('\f').at(-2)).toContain('QR para pagar');
  });

  test('nobody gets a page for it alone: without room below the totals it stands beside them', async () => {
    const content = invoiceCases['a payment beside the totals']!;
    const pdf = await renderInvoicePdf(content);
    expect(tools.textOf(pdf).split('\f').filter(Boolean)).toHaveLength(1);
    expect(tools.collisionsOf(tools.wordsOf(pdf))).toEqual([]);
    expect(tools.codesOf(pdf)).toHaveLength(2);
    expect(tools.codesOf(pdf, 'upper half')).toEqual([content.qrUrl]);
    const text = tools.textOf(pdf).replaceAll('\u00a0', ' ');
    expect(text).toContain('ES91 2100 0418 4502 0005 1332');
    expect(text).toContain('Gracias por su confianza.');
  });

  test('nor for the notes below it, which stand on the page that has room for them beside', async () => {
    const { extensions } = invoiceCases['a payment beside the totals']!;
    const pagesWith = async (notes: string | null) => {
      const pdf = await renderInvoicePdf(invoiceContent({ extensions, lines: manyLines(2), notes }));
      expect(tools.collisionsOf(tools.wordsOf(pdf))).toEqual([]);
      return tools.textOf(pdf).split('\f').filter(Boolean).length;
    };
    expect([await pagesWith(null), await pagesWith('Gracias.\n\nHasta pronto.')]).toEqual([1, 1]);
  });

  test.each([
    ['by other means', paid({ means: 'cash' })],
    ['to no account', paid({ means: 'transfer' })],
    ['from the payer’s account', paid({ ...BY_TRANSFER, means: 'direct_debit' })],
    ['of a voided invoice', paid(BY_TRANSFER, { voidedOn: '2026-07-02' })],
  ])('there is none for a payment %s', async (_what, content) => {
    const pdf = await renderInvoicePdf(content);
    expect(tools.codesOf(pdf)).toEqual([content.qrUrl]);
    expect(tools.textOf(pdf)).toContain('Forma de pago');
  });

  test('what is to be paid stands beside it, and not on a voided invoice', async () => {
    const codesOf = async (voidedOn: string | null) =>
      tools.textOf(await renderInvoicePdf(paid(BY_TRANSFER, { voidedOn }))).includes('Total a pagar');
    expect([await codesOf(null), await codesOf('2026-07-02')]).toEqual([true, false]);
  });

  test.each(['en', 'ca', 'gl', 'eu'] as const)(
    'a document in %s says it in its language',
    async (language) => {
      const extensions = {
        ...NO_EXTENSION_COLUMNS,
        ...{ due_date: '2026-08-01', payment: { ...BY_TRANSFER, reference: 'R', terms: 'T' }, language },
        references: { purchase_order: '1', buyer_reference: '2', contract: '3', project: '4' },
        delivery: { from: '2026-06-01', to: '2026-06-30' },
      };
      const content = invoiceContent({ extensions });
      const spanish = tools.textOf(await renderInvoicePdf(content));
      const own = tools.textOf(
        await renderInvoicePdf({ ...content, branding: { ...content.branding, language } }),
      );
      expect(spanish).toContain('QR para pagar con la app');
      expect(own).not.toContain('QR para pagar con la app');
      expect(tools.collisionsOf(tools.wordsOf(await renderInvoicePdf(content)))).toEqual([]);
    },
  );
});
