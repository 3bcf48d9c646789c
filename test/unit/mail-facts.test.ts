import { describe, expect, test } from 'vitest';
import { writeMail } from '../../src/faces/mail/message.ts';
import type { MailContent } from '../../src/subjects/emails/message.ts';
import { invoiceCases } from '../support/documents/invoice-cases.ts';

/** What a message says of an invoice with a withholding that is to be paid by transfer. */

const content: MailContent = {
  invoice: invoiceCases['a payment by transfer']!,
  ...{ kind: 'invoice', message: null, amountDue: null, answered: true },
  ...{ portalUrl: null, pdfUrl: null, attachments: [], logo: null },
};
const PAYABLE = '143,63 €';
const textOf = (given: Partial<MailContent> = {}) =>
  writeMail({ ...content, ...given }).text.replaceAll('\u00a0', ' ');

describe('a message', () => {
  test('leads from the total to what is to be paid once, and then shows how', () => {
    const text = textOf();
    expect(text.match(/^Total a pagar:/gm)).toHaveLength(1);
    expect(text.split(PAYABLE)).toHaveLength(3);
    expect(text).toMatch(/^IBAN: +ES91 2100 0418 4502 0005 1332$/m);
  });

  test('shows beside the account only what is left, of an invoice that is paid in part', () => {
    const { withholding_rate, ...extensions } = content.invoice.extensions;
    const whole = {
      ...extensions,
      ...{ withholding_rate: null, withholding_base: null, withholding_amount: null },
    };
    const text = textOf({
      kind: 'reminder',
      invoice: { ...content.invoice, extensions: whole },
      amountDue: { payable: 16_396, paid: 10_000, dueOn: '2026-07-31' },
    });
    expect(text).toMatch(/^Pendiente de pago: +63,96 €$/m);
    expect(text).toMatch(/^Total factura: +163,96 €$/m);
    expect(text).toMatch(/^Pagado: +-100,00 €$/m);
    expect(text).not.toContain('Rectificaciones');
    expect(text).not.toContain('Total a pagar');
  });

  test('shows what corrections have changed of what is left', () => {
    const text = textOf({ kind: 'reminder', amountDue: { payable: 12_363, paid: 0, dueOn: '2026-07-31' } });
    expect(text).toMatch(/^Pendiente de pago: +123,63 €$/m);
    expect(text).toMatch(/^Rectificaciones: +-20,00 €$/m);
    expect(text).not.toContain('Pagado');
  });

  test('of a rectificativa names what it corrects', () => {
    expect(textOf({ invoice: invoiceCases['a substitution']! })).toMatch(
      /^Facturas rectificadas: +F-2026-1 \(02\/05\/2026\); R-2026-3 \(20\/05\/2026\)$/m,
    );
  });

  test('in Catalan elides before a vowel', () => {
    const { branding, issuer } = content.invoice;
    const subject = (legalName: string) =>
      writeMail({
        ...content,
        invoice: {
          ...content.invoice,
          branding: { ...branding, language: 'ca' },
          issuer: { ...issuer, legalName },
        },
      }).subject;
    for (const [name, text] of [
      ['Ñandú SL', 'de Ñandú SL'],
      ['Àtic SL', 'd’Àtic SL'],
      ['Hotel Sol', 'd’Hotel Sol'],
      ['Iogurts SA', 'de Iogurts SA'],
      ['UAB', 'de UAB'],
    ] as const)
      expect(subject(name)).toBe(`Factura F-2026-1 ${text}`);
  });

  test('may break an account between its groups, not within one', () => {
    expect(writeMail(content).html).toContain('ES91 2100 0418 4502 0005 1332');
  });
});
