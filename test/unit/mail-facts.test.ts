import { describe, expect, test } from 'vitest';
import { writeMail } from '../../src/faces/mail/message.ts';
import type { MailContent } from '../../src/subjects/emails/message.ts';
import { invoiceCases } from '../support/documents/invoice-cases.ts';

/** What a message says of an invoice with a withholding that is to be paid by transfer. */

const content: MailContent = {
  invoice: invoiceCases['a payment by transfer']!,
  ...{ kind: 'invoice', message: null, owed: null, answered: true },
  ...{ portalUrl: null, pdfUrl: null, attachments: [], logo: null },
};
const PAYABLE = '143,63 €';
const textOf = (given: Partial<MailContent> = {}) =>
  writeMail({ ...content, ...given }).text.replaceAll('\u00a0', ' ');

describe('a message', () => {
  test('leads from the total to what is to be paid once, and then tells how', () => {
    const text = textOf();
    expect(text.match(/^Total a pagar:/gm)).toHaveLength(1);
    expect(text.split(PAYABLE)).toHaveLength(3);
    expect(text).toMatch(/^IBAN: +ES91 2100 0418 4502 0005 1332$/m);
  });

  test('asks for nothing beside the account but what is left, of an invoice that is paid in part', () => {
    const { withholding_rate, ...extensions } = content.invoice.extensions;
    const whole = {
      ...extensions,
      ...{ withholding_rate: null, withholding_base: null, withholding_amount: null },
    };
    const text = textOf({
      kind: 'reminder',
      invoice: { ...content.invoice, extensions: whole },
      owed: { payable: 16_396, paid: 10_000, dueOn: '2026-07-31' },
    });
    expect(text).toContain('63,96 €');
    expect(text).not.toContain('Total a pagar');
  });

  test('may break an account between its groups, not within one', () => {
    expect(writeMail(content).html).toContain('ES91 2100 0418 4502 0005 1332');
  });
});
