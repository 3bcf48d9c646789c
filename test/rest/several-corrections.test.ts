import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { differences, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

type Shown = { readonly id: string; readonly number: string; readonly type: string };
type Change = readonly [invoice: { readonly id: string }, net: number];

const call = (body: object) => service.call('POST', '/v1/invoices', { body });
async function issued(body: object): Promise<Shown & Record<string, unknown>> {
  const answer = await call(body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return answer.body;
}
/** An invoice of 121.00. */
const original = (parts: object = {}) =>
  issued(aCompleteInvoice({ line_items: [aLine({ quantity: 1, unit_amount: 10_000 })], ...parts }));

const lineOf = ([{ id }, unit_amount]: Change) => ({
  ...aLine({ quantity: 1, unit_amount }),
  rectifies_invoice_id: id,
});
/** A correction of several invoices. */
const of = (changes: readonly Change[], rectifies: object = {}, parts: object = {}) => ({
  type: 'complete',
  rectifies: {
    invoice_ids: [...new Set(changes.map(([{ id }]) => id))],
    method: 'differences',
    ...rectifies,
  },
  line_items: changes.map(lineOf),
  ...parts,
});
/** A correction of two, by 24.20 and 12.10. */
const bothOf = (one: Shown, other: Shown) =>
  of([
    [one, -2_000],
    [other, -1_000],
  ]);
/** One of a correction that has several. */
const later = ({ id }: { readonly id: string }, changes: readonly Change[], method = 'differences') => ({
  type: 'complete',
  rectifies: { invoice_id: id, method },
  line_items: changes.map(lineOf),
});
const shown = async ({ id }: { readonly id: string }) =>
  (await service.call('GET', `/v1/invoices/${id}?expand[]=payments&expand[]=rectification`)).body;
const voiding = ({ id }: { readonly id: string }) =>
  service.call('POST', `/v1/invoices/${id}/void`, { body: { reason: 'Duplicada' } });
async function xmlOf({ id }: { readonly id: string }): Promise<string> {
  const { body } = await service.graphql(`{ invoice(id: "${id}") { records { xml } } }`);
  return body.data.invoice.records[0].xml;
}

describe('a rectificativa of several invoices', () => {
  test('names all, inherits the recipient, and changes each by the lines that name it', async () => {
    const [one, other] = [await original(), await original()];
    const credit = await issued(
      of([
        [one, -2_000],
        [other, -1_000],
        [one, -500],
      ]),
    );
    expect(credit).toMatchObject({
      kind: 'rectifying_differences',
      total: -4_235,
      rectifies: [{ invoice_id: one.id }, { invoice_id: other.id }],
      recipient: one['recipient'],
      line_items: [
        { rectifies_invoice_id: one.id },
        { rectifies_invoice_id: other.id },
        { rectifies_invoice_id: one.id },
      ],
    });
    const head = { invoice_id: credit.id };
    expect(await shown(one)).toMatchObject({
      ...{ amount_due: 9_075, rectified_by: [head] },
      rectification: { head, in_force_total: 9_075, creditable_remainder: 9_075 },
    });
    expect(await shown(other)).toMatchObject({
      ...{ amount_due: 10_890, rectified_by: [head] },
      rectification: { head, in_force_total: 10_890, creditable_remainder: 10_890 },
    });
  });

  test('is declared by differences with all of them', async () => {
    const [one, other] = [await original(), await original()];
    const xml = await xmlOf(await issued(bothOf(one, other)));
    expect(xml).toContain(
      '<sf:TipoFactura>R1</sf:TipoFactura><sf:TipoRectificativa>I</sf:TipoRectificativa>',
    );
    const rectified = /<sf:FacturasRectificadas>.*<\/sf:FacturasRectificadas>/.exec(xml)?.[0];
    expect(rectified?.match(/(?<=NumSerieFactura>)[^<]+/g)).toEqual([one.number, other.number]);
    expect(xml).toContain(`<sf:DescripcionOperacion>Rectifica ${other.number} y 1 más: `);
  });

  test('is the head of each family: only by its own id, naming the original on each line, something more is changed', async () => {
    const [one, other] = [await original(), await original()];
    const credit = await issued(bothOf(one, other));
    expect((await call(differences(one, -100))).body.code).toBe('invoice_not_family_tip');
    expect(
      (
        await call(
          of([
            [other, -100],
            [await original(), -100],
          ]),
        )
      ).body.code,
    ).toBe('invoice_not_family_tip');
    const more = await issued(later(credit, [[other, -9_000]]));
    expect(more['rectifies']).toEqual([{ invoice_id: credit.id }]);
    expect(await shown(other)).toMatchObject({
      ...{ amount_due: 0, rectified_by: [{ invoice_id: credit.id }] },
      rectification: { head: { invoice_id: more.id }, in_force_total: 0 },
    });
    expect(await shown(one)).toMatchObject({
      amount_due: 9_680,
      rectification: { head: { invoice_id: more.id }, in_force_total: 9_680 },
    });
    const xml = await xmlOf(more);
    const rectified = /<sf:FacturasRectificadas>.*<\/sf:FacturasRectificadas>/.exec(xml)?.[0];
    expect(rectified?.match(/(?<=NumSerieFactura>)[^<]+/g)).toEqual([
      one.number,
      other.number,
      credit.number,
    ]);
    expect((await call(later(more, [[other, -100]]))).body.code).toBe('family_balance_below_zero');
    expect((await call(later(more, [[one, -1_000]]))).status).toBe(201);
  });

  test('gives every headship and amount back when it is voided', async () => {
    const [one, other] = [await original(), await original()];
    const credit = await issued(bothOf(one, other));
    const more = await issued(later(credit, [[other, -500]]));
    expect((await voiding(credit)).body.code).toBe('invoice_not_family_tip');
    for (const each of [more, credit]) expect(await voiding(each)).toMatchObject({ status: 200 });
    for (const each of [one, other]) {
      expect(await shown(each)).toMatchObject({
        ...{ amount_due: 12_100, rectified_by: [] },
        rectification: { head: { invoice_id: each.id }, in_force_total: 12_100 },
      });
      expect((await call(differences(each, -100))).status).toBe(201);
    }
  });

  test('of tickets is an R5', async () => {
    const tickets = [await issued(aSimplifiedInvoice()), await issued(aSimplifiedInvoice())] as const;
    const credit = await issued(
      of(
        [
          [tickets[0], -100],
          [tickets[1], -100],
        ],
        {},
        { type: 'simplified' },
      ),
    );
    expect(await xmlOf(credit)).toContain('<sf:TipoFactura>R5</sf:TipoFactura>');
    const operator = await operatorOf(service);
    const { recipient: ana } = aCompleteInvoice();
    const { line1, postal_code: postalCode, city, country } = ana.address;
    const recipient = { name: ana.name, taxId: ana.tax_id, address: { line1, postalCode, city, country } };
    const exchange = await operator.exchangeInvoices({ ticketIds: [credit.id], recipient });
    expect(JSON.stringify(exchange)).toContain('void it first');
  });

  test('reaches the accounts of all, which alone take payments, and each is verified', async () => {
    const [one, other] = [await original({ due_date: '2027-01-31' }), await original()];
    const credit = await issued(
      of([
        [one, -10_000],
        [other, -1_000],
      ]),
    );
    expect(await shown(one)).toMatchObject({ payment_status: 'credited', amount_due: 0 });
    const paid = { amount: 100, paid_on: '2026-07-01' };
    const refused = await service.call('POST', `/v1/invoices/${credit.id}/payments`, { body: paid });
    expect(refused.body.code).toBe('payment_exceeds_payable');
    expect(await service.call('POST', `/v1/invoices/${other.id}/payments`, { body: paid })).toMatchObject({
      status: 201,
    });
    expect(await shown(other)).toMatchObject({ amount_paid: 100, amount_due: 10_790 });
    const { environmentId } = service.company.test;
    const { body } = await service.graphql(
      '{ invoiceTotals(filter: { inForce: true }) { total } invoices(filter: { inForce: true }) { totalCount } }',
    );
    expect(body.errors).toBeUndefined();
    expect(await verifyEnvironment(service.db.pool, environmentId)).toMatchObject({
      complete: true,
      findings: [],
    });
  });

  test('the caches of the families know what changed', async () => {
    const [one, other] = [await original(), await original()];
    const credit = await issued(bothOf(one, other));
    const { body } = await service.graphql(
      `{ invoice(id: "${credit.id}") {
          family { id members { id } inForceTotal head { id } }
          rectifies { invoice { id rectifiedBy { id } family { id members { id } inForceTotal head { id } } } }
          lineItems { rectifiesInvoiceId } } }`,
    );
    const familyOf = ({ id }: Shown, inForceTotal: number) => ({
      ...{ id: id.replace('inv_', 'fam_'), inForceTotal, head: { id: credit.id } },
      members: [{ id }, { id: credit.id }],
    });
    const [first, second] = [familyOf(one, 9_680), familyOf(other, 10_890)];
    expect(body.data.invoice).toEqual({
      family: first,
      rectifies: [
        { invoice: { id: one.id, rectifiedBy: [{ id: credit.id }], family: first } },
        { invoice: { id: other.id, rectifiedBy: [{ id: credit.id }], family: second } },
      ],
      lineItems: [{ rectifiesInvoiceId: one.id }, { rectifiesInvoiceId: other.id }],
    });
  });

  test('structured documents refer to all of them', async () => {
    const [one, other] = [await original(), await original()];
    const { id } = await issued(bothOf(one, other));
    for (const format of ['ubl', 'ubl_es', 'facturae']) {
      const { body } = await service.call('GET', `/v1/invoices/${id}/formats/${format}`);
      for (const { number } of [one, other])
        expect(body, format).toContain(format === 'facturae' ? number.split('-').at(-1)! : number);
    }
  });

  test('has no form in CII, whose syntax holds one reference', async () => {
    const [one, other] = [await original(), await original()];
    const { id } = await issued(bothOf(one, other));
    const { body } = await service.call('GET', `/v1/invoices/${id}/formats/cii`);
    expect(body).toMatchObject({ code: 'format_not_applicable', detail: expect.stringContaining('BT-25') });
  });

  test.skipIf(!tools.haveTools('pdftotext'))('the document names all of them', async () => {
    const [one, other] = [await original(), await original()];
    const { id } = await issued(bothOf(one, other));
    const file = await documentFor(service.services, service.company.test.environmentId, id);
    if (isRefusal(file)) throw new Error(file.detail);
    const text = tools.textOf(file.bytes);
    expect(text).toContain('Facturas rectificadas');
    for (const { number } of [one, other]) expect(text).toContain(number);
  });
});

describe.each(PROTOCOLS)('over %s', (protocol) => {
  const outcomeOf = async (body: object) => {
    const operations = operationsOf(service, protocol);
    const validated = await operations.validate(body);
    const { status, code, faults } = await operations.issue(body);
    expect({ code: validated.code, faults: validated.faults }).toEqual({ code, faults });
    return { status, code, faults };
  };

  test('lines and originals that do not match are refused', async () => {
    const [one, other, third] = [await original(), await original(), await original()];
    const ids = { invoice_ids: [one.id, other.id] };
    const both: Change[] = [
      [one, -100],
      [other, -100],
    ];
    const unnamed = of(both);
    const { rectifies_invoice_id: _, ...line } = unnamed.line_items[0]!;
    const refused = (faults: string[]) => ({ status: 400, code: 'invalid_request', faults });
    expect(await outcomeOf({ ...unnamed, line_items: [...unnamed.line_items, line] })).toEqual(
      refused(['line_items[2].rectifies_invoice_id required']),
    );
    expect(await outcomeOf(of([...both, [third, -100]], ids))).toEqual(
      refused(['line_items[2].rectifies_invoice_id invalid_value']),
    );
    expect(await outcomeOf(of([[one, -100]], ids))).toEqual(
      refused(['rectifies.invoice_ids[1] invalid_value']),
    );
    expect(await outcomeOf(of(both, { invoice_ids: [one.id, one.id, other.id] }))).toEqual(
      refused(['rectifies.invoice_ids[1] duplicate']),
    );
    expect(await outcomeOf(of([[one, -100]]))).toMatchObject(refused(['rectifies.invoice_ids too_small']));
    expect(await outcomeOf(later(one, [[one, -100]]))).toEqual(
      refused(['line_items[0].rectifies_invoice_id not_supported']),
    );
    const ordinary = aCompleteInvoice({ line_items: [lineOf([one, 100])] });
    expect(await outcomeOf(ordinary)).toEqual(refused(['line_items[0].rectifies_invoice_id not_supported']));
    const credit = await issued(of(both));
    expect(await outcomeOf(differences({ id: credit.id, type: 'complete' }, -100))).toEqual(
      refused(['line_items[0].rectifies_invoice_id required']),
    );
    expect(await outcomeOf(later(credit, [[third, -100]]))).toEqual(
      refused(['line_items[0].rectifies_invoice_id invalid_value']),
    );
  });

  test('what cannot be corrected together is refused', async () => {
    const one = await original();
    const invalid = { status: 422, code: 'invalid_rectifies_reference' };
    const with_ = (other: { readonly id: string }, parts: object = {}) =>
      outcomeOf(
        of(
          [
            [one, -100],
            [other, -100],
          ],
          {},
          parts,
        ),
      );
    const company = {
      ...aCompleteInvoice().recipient,
      name: 'Construcciones del Norte SA',
      tax_id: 'A39200019',
    };
    expect(await with_(await original({ recipient: company }))).toMatchObject(invalid);
    expect(await with_(await original({ withholding: { rate: 15 } }))).toMatchObject(invalid);
    expect(
      await with_(await original({ disbursements: [{ description: 'Tasa', amount: 1 }] })),
    ).toMatchObject(invalid);
    expect(await with_(await original({ qualified_simplified: true }))).toMatchObject(invalid);
    expect(await with_(await original(), { withholding: { rate: 15 } })).toMatchObject(invalid);
    expect(
      await with_(await original(), { disbursements: [{ description: 'Tasa', amount: -1 }] }),
    ).toMatchObject(invalid);
    const several = await issued(
      of([
        [await original(), -100],
        [await original(), -100],
      ]),
    );
    expect(await with_(several)).toMatchObject(invalid);
    const pair: Change[] = [
      [one, -100],
      [await original(), -100],
    ];
    expect(await outcomeOf(of(pair, { method: 'substitution' }))).toMatchObject(invalid);
    expect(await outcomeOf(of(pair, { invoice_id: one.id }))).toMatchObject(invalid);
    expect(await outcomeOf(of(pair, { period: { from: '2026-01-01', to: '2026-01-31' } }))).toMatchObject(
      invalid,
    );
    expect(await outcomeOf(of(pair, { external: { number: '1', issued_on: '2026-01-01' } }))).toMatchObject(
      invalid,
    );
    expect(await outcomeOf(later(await issued(of(pair)), pair, 'substitution'))).toMatchObject(invalid);
  });

  test('each of them must exist, be in a state that allows it, and have its balance', async () => {
    const one = await original();
    const ticket = await issued(aSimplifiedInvoice());
    const with_ = (other: { readonly id: string }, net = -100) =>
      outcomeOf(
        of([
          [one, -100],
          [other, net],
        ]),
      );
    const unknown = { id: `inv_${'0'.repeat(32)}` };
    expect(await with_(unknown)).toMatchObject({ status: 422, code: 'rectified_invoice_not_found' });
    expect((await with_(ticket)).code).toMatch(/invalid_rectifies_reference|upgrade_to_complete_not_allowed/);
    const gone = await original();
    await voiding(gone);
    expect(await with_(gone)).toMatchObject({ code: 'invoice_already_voided' });
    expect(await with_(await original(), -10_001)).toMatchObject({
      status: 422,
      code: 'family_balance_below_zero',
    });
    const recipient = aCompleteInvoice().recipient;
    expect(
      await outcomeOf(
        of(
          [
            [one, -100],
            [await original(), -100],
          ],
          {},
          { recipient },
        ),
      ),
    ).toMatchObject({
      code: 'recipient_overrides_not_allowed_for_differences',
    });
  });
});
