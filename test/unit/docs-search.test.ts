import { describe, expect, test } from 'vitest';
import { searchPage } from '../../src/faces/docs/search.ts';
import { siteAt } from '../../src/faces/docs/site.ts';
import type { Language } from '../../src/ground/lib/language.ts';

const searchIn = (language: Language) => {
  const { shelf, sections } = siteAt({ root: '/docs', baseUrl: 'http://lacre.test', language });
  const searched = sections();
  return (query: string) => {
    const page = searchPage(shelf, searched, query);
    const addresses = [...page.matchAll(/<li><a href="([^"]*)">[^<]*<\/a><p>/g)].map(([, to]) => to!);
    return { page, addresses };
  };
};

/** What somebody types, and the page that answers it, which is among the first five. */
const SPANISH: readonly (readonly [query: string, page: string])[] = [
  ['devolución', '/docs/refunds-and-returns#'],
  ['reembolso', '/docs/refunds-and-returns'],
  ['hacer un abono', '/docs/refunds-and-returns'],
  ['suplido', '/docs/disbursements'],
  ['suplidos de un abogado', '/docs/disbursements'],
  ['IRPF', '/docs/withholding'],
  ['retención profesional', '/docs/withholding'],
  ['portes', '/docs/gross-prices#shipping'],
  ['gastos de envío', '/docs/gross-prices#shipping'],
  ['cupón', '/docs/gross-prices#discounts'],
  ['descuento por pronto pago', '/docs/gross-prices#discounts'],
  ['bono regalo', '/docs/gross-prices#discounts'],
  ['ticket', '/docs/tickets'],
  ['factura simplificada', '/docs/tickets'],
  ['anular una factura', '/docs/correcting#void'],
  ['anular factura', '/docs/api#tag/invoices/POST/v1/invoices/{id}/void'],
  ['recargo de equivalencia', '/docs/taxes#es_recargo_equivalencia'],
  ['inversión del sujeto pasivo', '/docs/taxes#es_inversion_sujeto_pasivo'],
  ['entrega intracomunitaria', '/docs/taxes#eu_b2b'],
  ['bienes usados', '/docs/taxes#not-supported'],
  ['factura recurrente', '/docs/repeating-invoices'],
  ['suscripción mensual', '/docs/repeating-invoices'],
  ['facturas impagadas', '/docs/payments'],
  ['anticipo', '/docs/payments'],
  ['modelo 303', '/docs/register-books'],
  ['gestoría', '/docs/for-the-tax-adviser'],
  ['certificado digital', '/docs/going-live#the-certificate'],
  ['apoderamiento', '/docs/going-live#the-mandate'],
  ['renunciar a verifactu', '/docs/going-live#the-company'],
  ['NIF incorrecto', '/docs/errors#invalid_tax_id'],
  ['woocommerce', '/docs/web-shop'],
  ['RGPD', '/docs/leaving#erasing'],
  ['factura electrónica B2B', '/docs/structured-invoices'],
  ['copias de seguridad', '/docs/backup-and-restore'],
];

const ENGLISH: readonly (readonly [query: string, page: string])[] = [
  ['refund', '/docs/refunds-and-returns#a-refund'],
  ['partial refund', '/docs/refunds-and-returns#a-refund'],
  ['credit note', '/docs/refunds-and-returns'],
  ['devolución', '/docs/refunds-and-returns'],
  ['disbursements', '/docs/disbursements'],
  ['out of pocket', '/docs/disbursements'],
  ['withholding tax', '/docs/withholding'],
  ['shipping', '/docs/gross-prices#shipping'],
  ['coupon', '/docs/gross-prices#discounts'],
  ['gift card', '/docs/gross-prices#discounts'],
  ['receipt', '/docs/tickets'],
  ['cancel an invoice', '/docs/api#tag/invoices/POST/v1/invoices/{id}/void'],
  ['void', '/docs/correcting#void'],
  ['reverse charge', '/docs/taxes#es_inversion_sujeto_pasivo'],
  ['intra-community', '/docs/taxes#eu_b2b'],
  ['second-hand goods', '/docs/taxes#not-supported'],
  ['recurring invoice', '/docs/repeating-invoices'],
  ['subscriptions', '/docs/repeating-invoices'],
  ['overdue', '/docs/payments'],
  ['down payment', '/docs/payments'],
  ['VAT return', '/docs/register-books'],
  ['accountant', '/docs/for-the-tax-adviser'],
  ['power of attorney', '/docs/going-live#the-mandate'],
  ['sandbox', '/docs/test-triggers'],
  ['go live', '/docs/going-live'],
  ['webhook signature', '/docs/webhooks#verify-the-signature'],
  ['pagination', '/docs/first-invoice#read-it-again'],
  ['invalid tax id', '/docs/errors#invalid_tax_id'],
  ['VIES', '/docs/test-triggers'],
  ['GDPR', '/docs/leaving#erasing'],
  ['upgrade', '/docs/upgrading'],
  ['online shop', '/docs/web-shop'],
];

describe('a search finds what is asked for in the reader’s own words', () => {
  const [spanish, english] = [searchIn('es'), searchIn('en')];

  test.each(SPANISH)('in Spanish: %s', (query, page) => {
    expect(spanish(query).addresses.slice(0, 5).join('\n')).toContain(page);
  });

  test.each(ENGLISH)('in English: %s', (query, page) => {
    expect(english(query).addresses.slice(0, 5).join('\n')).toContain(page);
  });

  test('a word of its own comes before one that begins with it', () => {
    expect(english('logo').addresses[0]).toContain('/docs/api#tag/branding/');
    expect(english('VIES').page).not.toContain('previews');
  });

  test('words that are nowhere together are said to be so, and what has most of them is shown', () => {
    expect(spanish('suplidos zzzz').page).toContain('Ninguna página contiene todas esas palabras. Estas');
    expect(english('zzzz').page).toContain('Nothing has all of these words.');
    expect(english('zzzz').addresses).toEqual([]);
  });
});
