import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { qrBases, qrUrl } from '../../src/subjects/chain/qr-url.ts';

const base = 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR';
const invoice = { base, nif: '89890001K', number: '12345678-G33', issuedOn: '2024-09-01', total: 24_140 };

describe('the address in a QR code', () => {
  // QR specification v0.5.0 section 8.1; the amount there is 241.4, ours is the literal of the record.
  test('is the official example, with the amount as the record writes it', () => {
    expect(qrUrl(invoice)).toBe(
      `${base}?nif=89890001K&numserie=12345678-G33&fecha=01-09-2024&importe=241.40`,
    );
  });

  // Section 4.
  test('encodes a number with "&" as the official example does', () => {
    const url = qrUrl({ ...invoice, number: '12345678&G33', issuedOn: '2024-01-01' });
    expect(url).toBe(`${base}?nif=89890001K&numserie=12345678%26G33&fecha=01-01-2024&importe=241.40`);
  });

  test('writes a space as %20 and a plus as %2B, which the service reads back as what they are', () => {
    expect(qrUrl({ ...invoice, number: 'A +1' })).toContain('&numserie=A%20%2B1&');
  });

  test.each([
    [-24_140, '-241.40'],
    [0, '0.00'],
    [5, '0.05'],
    [99_999_999_999_999, '999999999999.99'],
  ])('writes %i cents as %s', (total, literal) => {
    expect(qrUrl({ ...invoice, total })).toMatch(new RegExp(`&importe=${literal.replace('.', '\\.')}$`));
  });

  test('every number that a series can compose is parsed back', () => {
    const printable = fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit: printable, minLength: 1, maxLength: 60 }), (number) => {
        const { searchParams } = new URL(qrUrl({ ...invoice, number }));
        expect([...searchParams.keys()]).toEqual(['nif', 'numserie', 'fecha', 'importe']);
        expect(searchParams.get('numserie')).toBe(number);
      }),
    );
  });
});

describe('where codes lead', () => {
  test.each([
    ['production', 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR'],
    ['preproduction', 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR'],
    ['simulator', 'http://localhost:4000/wlpl/TIKE-CONT/ValidarQR'],
  ] as const)('live invoices of %s lead there', (endpoint, live) => {
    expect(qrBases(endpoint, 'http://localhost:4000/').live).toBe(live);
  });

  test('test invoices always lead to the simulator', () => {
    expect(qrBases('production', 'http://localhost:4000').test).toBe(
      'http://localhost:4000/wlpl/TIKE-CONT/ValidarQR',
    );
  });
});
