import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { differences, operatorOf, substitution, xmlOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

/** An external original is known by issuer, number and day: all rectificativas that name it are one family. */

let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
});
afterAll(() => service.close());

const AMOUNTS = { base: 10_000, tax: 2_100 };
let count = 0;

/** The field that a refusal names when the original was issued elsewhere. */
const CONCERNED: Readonly<Record<string, string>> = {
  invoice_not_family_tip: 'rectifies.external',
  invoice_already_replaced: 'rectifies.external',
  external_reference_invalid: 'rectifies.external.rectified_amounts',
  family_balance_below_zero: 'line_items',
  rectified_amounts_required_for_substitution: 'rectifies.external.rectified_amounts',
};

describe.each(PROTOCOLS)('over %s, an invoice issued elsewhere', (protocol) => {
  let operations: Operations;
  beforeAll(() => {
    operations = operationsOf(service, protocol);
  });
  const number = () => {
    count += 1;
    return `${protocol}/Año-${count}`;
  };
  type Parts = { method?: string; net?: number; issued_on?: string; amounts?: object | null };
  const naming = (number: string, parts: Parts = {}) => {
    const { method = 'differences', net = -1_000, issued_on = '2024-02-29', amounts = AMOUNTS } = parts;
    const external = { number, issued_on, ...(amounts && { rectified_amounts: amounts }) };
    const line_items = [aLine({ quantity: 1, unit_amount: method === 'substitution' ? 5_000 : net })];
    return aCompleteInvoice({ line_items, rectifies: { external, method } });
  };
  const issued = async (body: object) => {
    const reply = await operations.issue(body);
    expect(reply, reply.detail).toMatchObject({ status: 201 });
    return reply.body;
  };
  const code = async (body: object) => {
    const [dryRun, reply] = [await operations.validate(body), await operations.issue(body)];
    expect(dryRun.code).toBe(reply.code);
    if ('external' in (body as { rectifies: object }).rectifies && CONCERNED[reply.code ?? ''] !== undefined)
      expect(reply.faults).toEqual([`${CONCERNED[reply.code ?? '']} ${reply.code}`]);
    return reply.code;
  };

  test('is invoice_not_family_tip once it has a live rectificativa by differences, as a linked one is', async () => {
    const original = number();
    const delta = await issued(naming(original));
    expect(await code(naming(original))).toBe('invoice_not_family_tip');
    expect(await code(naming(original, { method: 'substitution' }))).toBe('invoice_not_family_tip');
    await issued(differences(delta, -100));
    expect(await code(naming(original))).toBe('invoice_not_family_tip');
  });

  test('is invoice_already_replaced once it has a live substitution', async () => {
    const original = number();
    const replacement = await issued(naming(original, { method: 'substitution' }));
    expect(await code(naming(original))).toBe('invoice_already_replaced');
    expect(await code(naming(original, { method: 'substitution', amounts: null }))).toBe(
      'invoice_already_replaced',
    );
    await issued(substitution(replacement, 4_000));
  });

  test('with rectified_amounts has a balance, which no sum of its rectificativas brings below zero', async () => {
    const original = number();
    expect(await code(naming(original, { net: -10_001 }))).toBe('family_balance_below_zero');
    const first = await issued(naming(original, { net: -6_000 }));
    expect(await code(differences(first, -4_001))).toBe('family_balance_below_zero');
    await issued(differences(first, -4_000));
  });

  test('cannot be credited without end by naming it again and again', async () => {
    const original = number();
    await issued(naming(original, { net: -10_000 }));
    for (const again of [{}, { amounts: null }, { net: -1 }, { method: 'substitution' }]) {
      expect((await operations.issue(naming(original, again))).status).toBe(422);
    }
  });

  test('has the rectified_amounts first stated: other ones later are external_reference_invalid', async () => {
    const original = number();
    await issued(naming(original));
    for (const amounts of [
      { ...AMOUNTS, base: 10_001 },
      { ...AMOUNTS, tax: 0 },
      { ...AMOUNTS, surcharge: 520 },
    ]) {
      expect(await code(naming(original, { amounts }))).toBe('external_reference_invalid');
    }
    for (const amounts of [AMOUNTS, { ...AMOUNTS, surcharge: 0 }, null]) {
      expect(await code(naming(original, { amounts }))).toBe('invoice_not_family_tip');
    }
  });

  test('becomes the head again when its rectificativa is voided, which then has stated nothing', async () => {
    const original = number();
    for (const method of ['differences', 'substitution']) {
      const { id } = await issued(naming(original, { method }));
      expect((await operations.issue(naming(original))).code).toMatch(
        /^invoice_(not_family_tip|already_replaced)$/,
      );
      await operator.voidInvoice(id);
    }
    const amounts = { base: 500, tax: 105 };
    expect(await code(naming(original, { amounts, net: -501 }))).toBe('family_balance_below_zero');
    await issued(naming(original, { amounts, net: -500 }));
  });

  test('is the same in any case of letters and however its letters are composed, another on another day', async () => {
    const original = number();
    await issued(naming(original));
    const spellings = [
      original.toUpperCase(),
      original.toLowerCase(),
      original.toUpperCase().replace('Ñ', 'ñ'),
    ];
    for (const other of [...spellings, ...spellings.map((one) => one.normalize('NFD'))]) {
      expect(await code(naming(other))).toBe('invoice_not_family_tip');
    }
    await issued(naming(original, { issued_on: '2024-02-28' }));
    await issued(naming(`${original}0`));
    const { key } = service.company.live;
    expect((await operations.issue(naming(original), { key })).status).toBe(201);
  });

  test('without stated amounts is replaced only when they are', async () => {
    const original = number();
    expect(await code(naming(original, { method: 'substitution', amounts: null }))).toBe(
      'rectified_amounts_required_for_substitution',
    );
    const { id } = await issued(naming(original, { method: 'substitution' }));
    expect((await xmlOf(service.db, id))[0]).toContain('<sf:BaseRectificada>100.00</sf:BaseRectificada>');
  });
});
