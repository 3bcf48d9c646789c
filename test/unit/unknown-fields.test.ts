import { describe, expect, test } from 'vitest';
import { acceptBody, unknownFields } from '../../src/ground/errors/issues.ts';
import type { Refusal } from '../../src/ground/errors/refusal.ts';
import { invoiceRequest } from '../../src/subjects/issuing/request.ts';

const unknown = (count: number, name = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, at]));

/** A body as large as one may be. */
const LARGE = { type: 'simplified', line_items: Array.from({ length: 29 }, () => unknown(990)) };

describe('fields that a request does not have', () => {
  test('are found wherever they are, in the order in which they stand', () => {
    const body = {
      ...{ type: 'complete', extra: 1 },
      recipient: { name: 'x', nick: 'y', address: { city: 'z', floor: 1 } },
      line_items: [{ tax_items: [{ type: 'vat', rate: 21, name: 'IVA' }] }, { price: 1 }],
      metadata: { whatever: 'is the caller’s own' },
    };
    expect(unknownFields(invoiceRequest, body, 10)).toEqual([
      ...['extra', 'recipient.nick', 'recipient.address.floor'],
      ...['lineItems[0].taxItems[0].name', 'lineItems[1].price'],
    ]);
    expect(unknownFields(invoiceRequest, body, 2)).toEqual(['extra', 'recipient.nick']);
  });

  test.each([null, 1, 'text', [[1, 2]], { line_items: 'x', recipient: [], rectifies: null }])(
    'are none in %j',
    (body) => {
      expect(unknownFields(invoiceRequest, body, 10)).toEqual([]);
    },
  );

  test('are not examined beyond those that are reported', () => {
    const few = acceptBody(invoiceRequest, { type: 'simplified', line_items: [], ...unknown(49) }) as Refusal;
    expect(few.errors).toHaveLength(50);
    expect(few.errors).toContainEqual(expect.objectContaining({ field: 'lineItems', code: 'too_small' }));

    let names = 0;
    const counted = new Proxy(unknown(990), {
      getOwnPropertyDescriptor(target, name) {
        names += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    const many = acceptBody(invoiceRequest, {
      ...LARGE,
      line_items: LARGE.line_items.map(() => counted),
    }) as Refusal;
    expect(many.errors).toHaveLength(50);
    expect(new Set(many.errors.map(({ code }) => code))).toEqual(new Set(['unrecognized_field']));
    expect(names).toBeLessThan(1_000);
  });
});
