import { describe, expect, test } from 'vitest';
import { canonicalJson, sha256 } from '../../src/ground/journal/canonical.ts';
import { bodyText, documentText, invoiceText, settledText } from '../../src/ground/journal/content.ts';
import { type Entry, entryHash, entryText } from '../../src/ground/journal/entry.ts';
import { INVOICE_BODY } from '../../src/subjects/extensions/columns.ts';

describe('the canonical form of a value', () => {
  test('orders names by their UTF-16 code units and writes the rest as ECMAScript does (RFC 8785)', () => {
    // The example of RFC 8785 section 3.2.2, with its result in 3.2.3.
    const given = {
      numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]'),
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(given)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    expect(
      canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 }),
    ).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}');
  });

  test('does not depend on the order in which names were given, and leaves out what is undefined', () => {
    expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: new Date(0) })).toBe(
      '{"a":"1970-01-01T00:00:00.000Z","b":[{"d":1}]}',
    );
  });
});

const BODY = {
  invoice: {
    ...{ id: 'inv_1', series_id: 'ns_1', type: 'simplified', kind: 'original', currency: 'eur' },
    ...{ subtotal: 1000, tax: 210, total: 1210, issuer: { nif: 'B72877814', legalName: 'Ñandú SL' } },
    ...{ breakdown: [], imported: false, notes: null, operation_on: '2026-11-20' },
  },
  lines: [
    {
      ...{ position: 0, id: 'ili_1', description: 'Café', quantity: 1, unit_amount: 1000, subtotal: 1000 },
      ...{ tax: 210, total: 1210 },
    },
  ],
  taxItems: [
    { line_position: 0, position: 0, type: 'vat', name: 'IVA 21%', rate_basis_points: 2100, amount: 210 },
  ],
  exchanges: [],
};

// The values of docs/journal.md: whoever writes the same in another language comes to the same.
describe('the vectors of the documentation', () => {
  const stamp = {
    ...{ number: 'F-2026-1', series_year: 2026, series_number: 1, issued_on: '2026-11-22' },
    issued_at: '2026-11-22T10:00:00.000Z',
  };

  test('the body of an invoice', () => {
    expect(bodyText(INVOICE_BODY, BODY)).toBe(
      '{"exchanges":[],"invoice":{"breakdown":[],"currency":"eur","id":"inv_1","imported":false,"issuer":{"legalName":"Ñandú SL","nif":"B72877814"},"kind":"original","operation_on":"2026-11-20","series_id":"ns_1","subtotal":1000,"tax":210,"total":1210,"type":"simplified"},"lines":[{"description":"Café","id":"ili_1","position":0,"quantity":1,"subtotal":1000,"tax":210,"total":1210,"unit_amount":1000}],"tax_items":[{"amount":210,"line_position":0,"name":"IVA 21%","position":0,"rate_basis_points":2100,"type":"vat"}]}',
    );
    expect(sha256(bodyText(INVOICE_BODY, BODY))).toBe(
      '6b1fbb53f520c6507918351efa5231f15b3c877a3e5216b175637e13b5f05bea',
    );
  });

  test('the fields of the journal, and its entry', () => {
    const record = {
      ...{ id: 'rec_1', chain_id: 7, position: 1, kind: 'registration', invoice_id: 'inv_1' },
      ...{ fingerprint: 'F'.repeat(64), generated_at: new Date('2026-11-22T10:00:00Z'), xml: '<a/>' },
    };
    const text = invoiceText(sha256(bodyText(INVOICE_BODY, BODY)), stamp, record);
    expect(text).toBe(
      '{"body_sha256":"6b1fbb53f520c6507918351efa5231f15b3c877a3e5216b175637e13b5f05bea","invoice":{"issued_at":"2026-11-22T10:00:00.000Z","issued_on":"2026-11-22","number":"F-2026-1","series_number":1,"series_year":2026},"record":{"row":{"chain_id":7,"fingerprint":"FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF","generated_at":"2026-11-22T10:00:00.000Z","id":"rec_1","invoice_id":"inv_1","kind":"registration","position":1},"xml_sha256":"29114363f749a0226b6988dda3ca2492a954117ab6b5f382706c20300dabc079"}}',
    );
    const entry: Entry = {
      ...{ origin: 'co_1/live', position: 3, type: 'invoice.issued', subjectId: 'inv_1', recordId: 'rec_1' },
      ...{
        createdAt: new Date('2026-11-22T10:00:00Z'),
        contentHash: sha256(text),
        previous: 'ab'.repeat(32),
      },
    };
    expect(entryText(entry)).toBe(
      `lacre journal entry 1\nco_1/live\n3\ninvoice.issued\ninv_1\nrec_1\n2026-11-22T10:00:00.000Z\n${sha256(text)}\n${'ab'.repeat(32)}\n`,
    );
    expect(entryHash(entry)).toBe('ba6b68c2175caf37b844e1c34ec104e213f8cfe53a4087dd8fab98ae93df9bff');
  });

  test('the first entry is linked to zeros, and one without a record has an empty line', () => {
    const content = documentText({ edition: 'issued', sha256: Buffer.alloc(32) });
    expect(content).toBe(`{"edition":"issued","sha256":"${'00'.repeat(32)}"}`);
    const entry: Entry = {
      ...{ origin: 'co_1/live', position: 1, type: 'invoice.document_ready', subjectId: 'inv_1' },
      ...{ recordId: null, createdAt: new Date(0), contentHash: sha256(content), previous: null },
    };
    expect(entryText(entry).split('\n').slice(5)).toEqual([
      '',
      '1970-01-01T00:00:00.000Z',
      sha256(content),
      '0'.repeat(64),
      '',
    ]);
  });

  test('a column that a later version adds, and that is null, changes nothing', () => {
    const later = { ...BODY, invoice: { ...BODY.invoice, rectifies_id: null } };
    expect(bodyText(INVOICE_BODY, later)).toBe(bodyText(INVOICE_BODY, BODY));
  });

  test('a state with the answer that brought its receipt', () => {
    const state = { record_id: 'rec_1', status: 'registered', receipt: 'A-1', settled_at: new Date(0) };
    expect(settledText(state, 'cd'.repeat(32))).toBe(
      `{"answer_sha256":"${'cd'.repeat(32)}","state":{"receipt":"A-1","record_id":"rec_1","settled_at":"1970-01-01T00:00:00.000Z","status":"registered"}}`,
    );
  });
});
