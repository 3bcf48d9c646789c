import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agencyDate, madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { setCompanyFlags } from '../../src/subjects/accounts/companies.ts';
import { haveTools, textOf } from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  ANA,
  codeOf,
  decideRecords,
  differences,
  issueWith,
  operatorOf,
  persistedCounts,
  substitution,
  xmlOf,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
});
afterAll(async () => {
  clock.reset();
  await service.close();
});

const issued = (body: object, kind: 'test' | 'live' = 'test') => issueWith(service, body, kind);

const ticket = (lines: Record<string, unknown>[], parts: object = {}, kind: 'test' | 'live' = 'test') =>
  issued(aSimplifiedInvoice({ line_items: lines.map(aLine), ...parts }), kind);

const exchange = (ticketIds: string[], parts: object = {}) =>
  operator.exchangeInvoices({ ticketIds, recipient: ANA, ...parts });

const rectify = async (body: object): Promise<string> =>
  (await service.call('POST', '/v1/invoices', { body })).body.code;

describe('an exchange invoice', () => {
  test('takes over the lines of its tickets as they are: its totals are exactly theirs', async () => {
    const tickets = [
      // 3 × 0.33 at 21 % is taxed 0.21, its parts would be rounded otherwise.
      await ticket([{ quantity: 3, unit_amount: 33, description: 'Pan' }]),
      await ticket([
        { quantity: 1, unit_amount: 333, description: 'Queso', tax_items: [{ type: 'vat', rate: 10 }] },
        { quantity: 1, unit_amount: 777, description: 'Pan', sku: 'P-1' },
      ]),
      await ticket([{ quantity: 2, unit_amount: 100, tax_items: [{ type: 'es_exempt' }] }]),
    ];
    const { data } = await exchange(
      tickets.map(({ id }) => id),
      { externalId: 'f3-1', notes: 'Canje' },
    );
    const { id } = data.result;
    expect(data.result).toMatchObject({
      kind: 'exchange',
      type: 'complete',
      total: tickets.reduce((sum, { total }) => sum + total, 0),
      externalId: 'f3-1',
      notes: 'Canje',
      exchanges: tickets.map((each) => ({ id: each.id })),
      exchangedBy: null,
    });
    const { body } = await service.call('GET', `/v1/invoices/${id}`);
    expect(body).toMatchObject({ number: expect.stringMatching(/^F-/), kind: 'exchange', rectifies: [] });
    const plain = ({ id: _id, ...line }: { id: string }) => line;
    const originals = await Promise.all(
      tickets.map(async (each) => (await service.call('GET', `/v1/invoices/${each.id}`)).body),
    );
    expect(body.line_items.map(plain)).toEqual(originals.flatMap(({ line_items }) => line_items.map(plain)));
    for (const original of originals) expect(original).toMatchObject({ status: 'issued', rectified_by: [] });
  });

  test('declares F3, the tickets, the recipient and one detail for each rate', async () => {
    const first = await ticket([{ quantity: 1, unit_amount: 10_000, description: 'Cena' }]);
    const second = await ticket([
      { quantity: 1, unit_amount: 5_000, description: 'Cena' },
      { quantity: 1, unit_amount: 1_000, description: 'Agua', tax_items: [{ type: 'vat', rate: 10 }] },
    ]);
    const { data } = await exchange([second.id, first.id]);
    const [xml] = await xmlOf(service.db, data.result.id);
    const date = agencyDate(madridDay(clock.now()));
    const reference = (number: string) =>
      '<sf:IDFacturaSustituida><sf:IDEmisorFactura>B72877814</sf:IDEmisorFactura>' +
      `<sf:NumSerieFactura>${number}</sf:NumSerieFactura>` +
      `<sf:FechaExpedicionFactura>${date}</sf:FechaExpedicionFactura></sf:IDFacturaSustituida>`;
    const vat = (rate: string, base: string, tax: string) =>
      '<sf:DetalleDesglose><sf:Impuesto>01</sf:Impuesto><sf:ClaveRegimen>01</sf:ClaveRegimen>' +
      `<sf:CalificacionOperacion>S1</sf:CalificacionOperacion><sf:TipoImpositivo>${rate}</sf:TipoImpositivo>` +
      `<sf:BaseImponibleOimporteNoSujeto>${base}</sf:BaseImponibleOimporteNoSujeto>` +
      `<sf:CuotaRepercutida>${tax}</sf:CuotaRepercutida></sf:DetalleDesglose>`;
    expect(xml).toContain(
      '<sf:TipoFactura>F3</sf:TipoFactura>' +
        `<sf:FacturasSustituidas>${reference(second.number)}${reference(first.number)}</sf:FacturasSustituidas>` +
        '<sf:DescripcionOperacion>Cena; Agua</sf:DescripcionOperacion>' +
        '<sf:Destinatarios><sf:IDDestinatario><sf:NombreRazon>García Pérez Ana</sf:NombreRazon>' +
        '<sf:NIF>12345678Z</sf:NIF></sf:IDDestinatario></sf:Destinatarios>' +
        `<sf:Desglose>${vat('21', '150.00', '31.50')}${vat('10', '10.00', '1.00')}</sf:Desglose>` +
        '<sf:CuotaTotal>32.50</sf:CuotaTotal><sf:ImporteTotal>192.50</sf:ImporteTotal>',
    );
  });

  test('has the date of the last sale when it is issued later', async () => {
    const tickets = [await ticket([{}], { operation_date: '2025-03-04' }), await ticket([{}])];
    const day = madridDay(clock.now());
    const alone = await exchange([tickets[0]!.id]);
    expect((await xmlOf(service.db, alone.data.result.id))[0]).toContain('<sf:FechaOperacion>04-03-2025<');
    await operator.voidInvoice(alone.data.result.id);
    clock.shift(3 * 24 * 3_600_000);
    const { data } = await exchange(tickets.map(({ id }) => id));
    clock.reset();
    expect((await xmlOf(service.db, data.result.id))[0]).toContain(`<sf:FechaOperacion>${agencyDate(day)}<`);
  });

  test.runIf(haveTools('pdftotext'))(
    'has a document that names its tickets; voided tickets and invoices keep theirs',
    async () => {
      const tickets = [await ticket([{}]), await ticket([{}])];
      const { data } = await exchange(tickets.map(({ id }) => id));
      await operator.voidInvoice(data.result.id);
      const { body } = await service.call('GET', `/v1/invoices/${data.result.id}`);
      const file = await fetch(body.pdf_url.replace('http://lacre.test', service.url));
      expect(file.headers.get('content-type')).toBe('application/pdf');
      const printed = textOf(Buffer.from(await file.arrayBuffer())).replace(/\s+/g, ' ');
      expect(printed).toContain('canje');
      for (const { number } of tickets) expect(printed).toContain(number);
      expect(printed).toContain('García Pérez Ana');
    },
  );
});

describe('while an exchange invoice lives', () => {
  test('its tickets are neither corrected, nor voided, nor exchanged again; once it is voided they are', async () => {
    const { id, type } = await ticket([{ unit_amount: 1_000 }]);
    const { data } = await exchange([id]);
    expect((await operator.readInvoice(id)).data.result.exchangedBy).toEqual({ id: data.result.id });
    const before = await persistedCounts(service.db);
    expect(await rectify(differences({ id, type }, -1))).toBe('invoice_has_live_canje');
    expect(codeOf(await operator.voidInvoice(id))).toBe('invoice_has_live_canje');
    expect(codeOf(await exchange([id]))).toBe('invoice_has_live_canje');
    expect(await rectify(differences({ id: data.result.id, type: 'complete' }, -1))).toBe('invoice_is_canje');
    expect(await persistedCounts(service.db)).toEqual(before);
    expect(codeOf(await operator.voidInvoice(data.result.id))).toBeNull();
    expect((await operator.readInvoice(id)).data.result.exchangedBy).toBeNull();
    await issued(differences({ id, type }, -1_000));
  });

  test('a corrected ticket is exchanged with everything in force of it, named by its head', async () => {
    const original = await ticket([{ quantity: 1, unit_amount: 1_000 }]);
    const delta = await issued(differences(original, -300));
    expect(codeOf(await exchange([original.id]))).toBe('invoice_not_family_tip');
    const { data } = await exchange([delta.id]);
    expect(data.result.total).toBe(847);
    expect(data.result.exchanges).toEqual([{ id: original.id }, { id: delta.id }]);
    const [xml] = await xmlOf(service.db, data.result.id);
    expect(xml!.match(/<sf:IDFacturaSustituida>/g)).toHaveLength(2);
    expect(codeOf(await operator.voidInvoice(delta.id))).toBe('invoice_has_live_canje');
    expect(await rectify(differences(delta, -1))).toBe('invoice_has_live_canje');
  });

  test('a replaced ticket is left out: its substitution states everything', async () => {
    const original = await ticket([{ quantity: 1, unit_amount: 1_000 }]);
    const replacement = await issued(substitution(original, 400));
    expect(codeOf(await exchange([original.id]))).toBe('invoice_already_replaced');
    const { data } = await exchange([replacement.id]);
    expect(data.result).toMatchObject({ total: 484, exchanges: [{ id: replacement.id }] });
  });
});

describe('what is refused, leaving nothing behind', () => {
  const refused = async (ticketIds: string[], parts: object = {}) => {
    const before = await persistedCounts(service.db);
    const body = await exchange(ticketIds, parts);
    expect(await persistedCounts(service.db)).toEqual(before);
    const [error] = body.errors;
    return [
      error.extensions.code,
      ...error.extensions.errors.map(({ field }: { field: string }) => field.replace(/^input\./, '')),
    ];
  };

  test('tickets that do not exist, are not simplified, or are named twice', async () => {
    const { id } = await ticket([{}]);
    const complete = await issued(aCompleteInvoice());
    const live = await ticket([{}], {}, 'live');
    expect(await refused(['inv_nothing'])).toEqual(['invoice_not_found']);
    expect(await refused([id, 'inv_nothing'])).toEqual(['invoice_not_found', 'ticketIds']);
    expect(await refused([id, live.id])).toEqual(['invoice_not_found', 'ticketIds']);
    expect(await refused([complete.id])).toEqual(['invalid_request', 'ticketIds[0]']);
    expect(await refused([id, id])).toEqual(['invalid_request', 'ticketIds[1]']);
    expect(await refused([])).toEqual(['invalid_request', 'ticketIds']);
    expect(await refused(Array(1_001).fill(id))).toEqual(['invalid_request', 'ticketIds']);
  });

  test('tickets in the wrong state', async () => {
    const voided = await ticket([{}]);
    await operator.voidInvoice(voided.id);
    expect(await refused([voided.id])).toEqual(['invoice_already_voided', 'ticketIds']);
    const pending = await ticket([{}], {}, 'live');
    expect(await refused([pending.id])).toEqual(['invoice_pending_at_aeat', 'ticketIds']);
    await decideRecords(service.db, pending.id, 'rejected');
    expect(await refused([pending.id])).toEqual(['invoice_not_rectifiable_at_aeat', 'ticketIds']);
    const flagged = await ticket([{}], {}, 'live');
    await decideRecords(service.db, flagged.id, 'registered_with_errors');
    expect(codeOf(await exchange([flagged.id]))).toBeNull();
  });

  test('more lines than an invoice holds', async () => {
    const lines = Array.from({ length: 251 }, () => ({ quantity: 1, unit_amount: 1_00 }));
    const [one, two] = [await ticket(lines), await ticket(lines)];
    expect(await refused([one.id, two.id])).toEqual(['invalid_request', 'ticketIds']);
  });

  test('a recipient that a complete invoice could not have', async () => {
    const { id } = await ticket([{}]);
    const given = async (recipient: object) => (await refused([id], { recipient }))[0];
    expect(await given({ name: 'Ana' })).toBe('invalid_request');
    expect(await given({ ...ANA, taxId: '12345678A' })).toBe('invalid_tax_id');
    expect(await given({ ...ANA, name: 'NO CENSADO SL' })).toBe('invalid_tax_id');
    expect(await given({ ...ANA, name: 'CENSO CAIDO SL' })).toBe('tax_id_validation_unavailable');
    expect(await given({ ...ANA, name: 'A' })).toBe('insufficient_recipient_data');
    expect(await given({ ...ANA, taxIdType: 'es_nif', taxIdCountry: 'FR' })).toBe(
      'tax_id_type_country_mismatch',
    );
  });

  test('anything live of a company that may not issue', async () => {
    const { id } = await ticket([{}], {}, 'live');
    await decideRecords(service.db, id, 'registered');
    const flags = (set: object) => setCompanyFlags(service.db.pool, service.company.companyId, set);
    await flags({ subscriptionActive: false });
    expect(await refused([id])).toEqual(['no_active_subscription']);
    await flags({ mandateApproved: false });
    expect(await refused([id])).toEqual(['aeat_mandate_not_approved']);
    await flags({ mandateApproved: true, subscriptionActive: true });
  });

  test('an external_id that is taken', async () => {
    const { id } = await ticket([{}], { external_id: 'taken' });
    expect(await refused([id], { externalId: 'taken' })).toEqual(['external_id_already_used', 'externalId']);
  });
});
