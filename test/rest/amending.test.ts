import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import { saveCatalogRow } from '../../src/subjects/taxes/edit-catalog.ts';
import { skipWait } from '../support/agency/registration.ts';
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
afterAll(() => service.close());

const issued = (body: object) => issueWith(service, body, 'live');

/** An invoice of which the agency has said something. */
async function settled(body: object, outcome: 'registered' | 'registered_with_errors' | 'rejected') {
  const invoice = await issued(body);
  await decideRecords(service.db, invoice.id, outcome);
  return invoice;
}

const named = (description: string) => aCompleteInvoice({ line_items: [aLine({ description })] });

/** A record without what each record has of its own: link, moment, fingerprint. */
const unsealedContent = (xml: string) =>
  xml
    .replace(/<sf:Encadenamiento>.*<\/sf:Encadenamiento>/, '')
    .replace(/<sf:FechaHoraHusoGenRegistro>.*/, '');

describe('an amending record', () => {
  test('repeats the record with what is amended, at the end of the chain; the invoice stays', async () => {
    const invoice = await settled(aCompleteInvoice({ notes: 'Nota' }), 'rejected');
    const later = await issued(aSimplifiedInvoice());
    const { data } = await operator.amendRecord({
      invoiceId: invoice.id,
      recipient: { name: 'GARCIA PEREZ ANA' },
      description: 'Obra menor',
    });
    const [first, second] = await xmlOf(service.db, invoice.id);
    expect(unsealedContent(second!)).toBe(
      unsealedContent(first!)
        .replace(
          '<sf:TipoFactura>',
          '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio><sf:TipoFactura>',
        )
        .replace('>Servicio de asesoría<', '>Obra menor<')
        .replace(
          '<sf:NombreRazon>García Pérez Ana</sf:NombreRazon>',
          '<sf:NombreRazon>GARCIA PEREZ ANA</sf:NombreRazon>',
        ),
    );
    expect(second).toContain(
      `<sf:RegistroAnterior><sf:IDEmisorFactura>B72877814</sf:IDEmisorFactura><sf:NumSerieFactura>${later.number}<`,
    );
    expect(data.result).toMatchObject({
      recipient: { name: 'García Pérez Ana', taxId: '12345678Z' },
      verifactu: { status: 'pending', hash: data.result.records[0].hash, error: null },
      records: [
        { status: 'rejected', error: { code: '1110' }, xml: first },
        { status: 'pending', error: null },
      ],
    });
    const { rows } = await service.db.pool.query('select * from invoice_amendment where invoice_id = $1', [
      invoice.id,
    ]);
    expect(rows).toMatchObject([
      {
        record_id: data.result.records[1].id,
        recipient_name: 'GARCIA PEREZ ANA',
        recipient_tax_id: '12345678Z',
        recipient_tax_id_type: 'es_nif',
        recipient_tax_id_country: 'ES',
        description: 'Obra menor',
        breakdown: null,
        amended_by: operator.id,
      },
    ]);
    await decideRecords(service.db, invoice.id, 'registered');
    const { body } = await service.call('GET', `/v1/invoices/${invoice.id}`, {
      key: service.company.live.key,
    });
    expect(body.verifactu).toMatchObject({ status: 'registered', error: null });
  });

  test('carries S after an accepted one, S and S after a rejected amendment, and amends the last content', async () => {
    const invoice = await settled(aCompleteInvoice(), 'registered_with_errors');
    const flags = async () =>
      /<\/sf:NombreRazonEmisor>(.*)<sf:TipoFactura>/.exec((await xmlOf(service.db, invoice.id)).at(-1)!)![1];
    const S = '<sf:Subsanacion>S</sf:Subsanacion>';
    await operator.amendRecord({ invoiceId: invoice.id, description: 'Uno' });
    expect(await flags()).toBe(S);
    await decideRecords(service.db, invoice.id, 'rejected');
    await operator.amendRecord({ invoiceId: invoice.id, recipient: { name: 'Garcia Perez Ana' } });
    expect(await flags()).toBe(`${S}<sf:RechazoPrevio>S</sf:RechazoPrevio>`);
    const last = (await xmlOf(service.db, invoice.id)).at(-1)!;
    expect(last).toContain('<sf:DescripcionOperacion>Uno<');
    expect(last).toContain('<sf:NombreRazon>Garcia Perez Ana<');
    await decideRecords(service.db, invoice.id, 'registered_with_errors');
    // With nothing to correct, the same again.
    await operator.amendRecord({ invoiceId: invoice.id });
    expect(await flags()).toBe(S);
    const again = (await xmlOf(service.db, invoice.id)).at(-1)!;
    expect(unsealedContent(again)).toBe(
      unsealedContent(last).replace('<sf:RechazoPrevio>S</sf:RechazoPrevio>', ''),
    );
  });

  test('of a rectificativa refers to what the first record referred to, amounts included', async () => {
    const original = await settled(aCompleteInvoice(), 'registered');
    const delta = await settled(differences(original, -1_000), 'registered');
    const replacement = await settled(substitution(delta, 3_000), 'rejected');
    await operator.amendRecord({ invoiceId: replacement.id });
    const [first, second] = await xmlOf(service.db, replacement.id);
    expect(first!.match(/<sf:IDFacturaRectificada>/g)).toHaveLength(2);
    expect(first).toContain('<sf:BaseRectificada>190.00</sf:BaseRectificada>');
    const flags = '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>';
    expect(unsealedContent(second!)).toBe(
      unsealedContent(first!).replace('<sf:TipoFactura>', `${flags}<sf:TipoFactura>`),
    );
  });

  test('declares the taxes as the catalog has them now, and no other amounts', async () => {
    const lines = [aLine({ tax_items: [{ type: 'es_exempt' }] }), aLine()];
    const invoice = await settled(aCompleteInvoice({ line_items: lines }), 'rejected');
    const exempt = defaultTaxCatalog.get('es_exempt')!;
    const save = (row: typeof exempt) => saveCatalogRow(service.db.pool, service.company.companyId, row);
    await save({ ...exempt, exemption: 'E6', legalMention: 'Operación exenta' });
    await operator.amendRecord({ invoiceId: invoice.id, reclassify: true });
    await save(exempt);
    const [first, second] = await xmlOf(service.db, invoice.id);
    expect(first).toContain('<sf:OperacionExenta>E1</sf:OperacionExenta>');
    const flags = '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>';
    expect(unsealedContent(second!)).toBe(
      unsealedContent(first!)
        .replace('<sf:OperacionExenta>E1<', '<sf:OperacionExenta>E6<')
        .replace('<sf:TipoFactura>', `${flags}<sf:TipoFactura>`),
    );
    // What corrects it refers to what is declared now.
    await decideRecords(service.db, invoice.id, 'registered');
    expect(codeOf(await operator.amendRecord({ invoiceId: invoice.id }))).toBe(
      'invoice_not_rectifiable_at_aeat',
    );
    const replaced = await issued(substitution(invoice, 1_000));
    expect((await xmlOf(service.db, replaced.id))[0]).toContain('<sf:BaseRectificada>400.00<');
  });

  test('of a record that was accepted without errors carries S, changes what is named and keeps its status', async () => {
    const exempt = defaultTaxCatalog.get('es_exempt')!;
    const save = (row: typeof exempt) => saveCatalogRow(service.db.pool, service.company.companyId, row);
    const S = '<sf:Subsanacion>S</sf:Subsanacion><sf:TipoFactura>';
    const lines = [aLine({ tax_items: [{ type: 'es_exempt' }] }), aLine()];
    for (const [amendment, before, after] of [
      [{ description: 'Obra menor' }, '>Servicio de asesoría<', '>Obra menor<'],
      [{ recipient: { name: 'GARCIA PEREZ ANA' } }, '>García Pérez Ana<', '>GARCIA PEREZ ANA<'],
      [{ reclassify: true }, '<sf:OperacionExenta>E1<', '<sf:OperacionExenta>E6<'],
    ] as const) {
      const invoice = await settled(aCompleteInvoice({ line_items: lines }), 'registered');
      await save({ ...exempt, exemption: 'E6', legalMention: 'Operación exenta' });
      const { data } = await operator.amendRecord({ invoiceId: invoice.id, ...amendment });
      await save(exempt);
      const [first, second] = await xmlOf(service.db, invoice.id);
      expect(unsealedContent(second!)).toBe(
        unsealedContent(first!).replace(before, after).replace('<sf:TipoFactura>', S),
      );
      expect(data.result).toMatchObject({
        verifactu: { status: 'registered' },
        records: [{ status: 'registered' }, { status: 'pending' }],
      });
    }
  });

  test('passes its recipient to a later rectificativa', async () => {
    const invoice = await settled(aCompleteInvoice(), 'registered_with_errors');
    await operator.amendRecord({ invoiceId: invoice.id, recipient: { name: 'GARCIA PEREZ ANA' } });
    await decideRecords(service.db, invoice.id, 'registered_with_errors');
    await operator.amendRecord({ invoiceId: invoice.id, description: 'Otra' });
    await decideRecords(service.db, invoice.id, 'registered');
    const delta = await issued(differences(invoice, -100));
    expect(delta).toMatchObject({
      recipient: { name: 'GARCIA PEREZ ANA', tax_id: '12345678Z', company_name: null },
    });
  });
});

describe('a recipient is declared', () => {
  const named = async (printed: object, recipient: object) => {
    const ana = aCompleteInvoice().recipient;
    const { id } = await settled(aCompleteInvoice({ recipient: { ...ana, ...printed } }), 'rejected');
    const { data } = await operator.amendRecord({ invoiceId: id, recipient });
    return /<sf:IDDestinatario>(.*)<\/sf:IDDestinatario>/.exec(data.result.records[1].xml)![1];
  };
  const NIF = '<sf:NIF>12345678Z</sf:NIF>';

  test.each([
    ['García Pérez Ana', 'GARCIA PEREZ ANA'],
    ['Ana García Pérez', 'García Pérez, Ana'],
    ['Construcciones, S. L.', 'CONSTRUCCIONES SL'],
    ['D’Angelo Nuñez S.A.', 'DANGELO NUNEZ SA'],
  ])('in another spelling of its name: %s as %s', async (name, spelling) => {
    expect(await named({ name }, { name: spelling })).toBe(
      `<sf:NombreRazon>${spelling}</sf:NombreRazon>${NIF}`,
    );
  });

  test('by the name that the census has for it, where a similar one is printed', async () => {
    const printed = { name: 'SIMILAR Pérez García Luisa', tax_id_type: 'not_registered' };
    expect(await named(printed, { name: 'Pérez García Luisa', taxIdType: 'es_nif' })).toBe(
      `<sf:NombreRazon>Pérez García Luisa</sf:NombreRazon>${NIF}`,
    );
  });

  test('by the NIF that its id is, which was declared as not registered', async () => {
    const unregistered = { tax_id_type: 'not_registered' };
    expect(await named(unregistered, { taxIdType: 'es_nif' })).toBe(
      `<sf:NombreRazon>García Pérez Ana</sf:NombreRazon>${NIF}`,
    );
  });
});

describe('what is refused, leaving nothing behind', () => {
  const refused = async (input: object): Promise<string | null> => {
    const before = await persistedCounts(service.db);
    const code = codeOf(await operator.amendRecord(input));
    expect(await persistedCounts(service.db)).toEqual(before);
    return code;
  };

  test('where there is nothing to amend', async () => {
    expect(await refused({ invoiceId: 'inv_nothing' })).toBe('invoice_not_found');
    const pending = await issued(aCompleteInvoice());
    expect(await refused({ invoiceId: pending.id })).toBe('invoice_pending_at_aeat');
    const clean = await settled(aCompleteInvoice(), 'registered');
    const same = [{}, { description: 'Servicio de asesoría' }, { reclassify: true }];
    for (const amendment of [...same, { recipient: { name: 'García Pérez Ana' } }]) {
      expect(await refused({ invoiceId: clean.id, ...amendment })).toBe('invoice_not_rectifiable_at_aeat');
    }
    const voided = await settled(aCompleteInvoice(), 'rejected');
    await operator.voidInvoice(voided.id);
    expect(await refused({ invoiceId: voided.id })).toBe('invoice_already_voided');
    const skipped = await issued(aCompleteInvoice());
    await operator.skipRecord((await operator.readInvoice(skipped.id)).data.result.records[0].id);
    expect(await refused({ invoiceId: skipped.id })).toBe('invoice_not_rectifiable_at_aeat');
  });

  test('a recipient that could not be invoiced, or that a simplified invoice does not declare', async () => {
    const { id: invoiceId } = await settled(aCompleteInvoice(), 'rejected');
    const given = (recipient: object) => refused({ invoiceId, recipient });
    expect(await given({ taxId: '12345678A' })).toBe('invalid_tax_id');
    expect(await given({ name: 'X' })).toBe('insufficient_recipient_data');
    expect(await given({ taxIdType: 'eu_vat' })).toBe('invalid_tax_id');
    const ticket = await settled(aSimplifiedInvoice(), 'rejected');
    expect(await refused({ invoiceId: ticket.id, recipient: { name: 'Ana García' } })).toBe(
      'invalid_request',
    );
  });

  test('another taxpayer than the invoice prints', async () => {
    const printed = aCompleteInvoice().recipient;
    const passport = { tax_id: 'X123', tax_id_type: 'passport', tax_id_country: 'US' };
    const rejected = await settled(aCompleteInvoice(), 'rejected');
    const flagged = await settled(
      aCompleteInvoice({ recipient: { ...printed, ...passport } }),
      'registered_with_errors',
    );
    const reason = async (invoiceId: string, recipient: object) => {
      const before = await persistedCounts(service.db);
      const { errors } = await operator.amendRecord({ invoiceId, recipient });
      expect(await persistedCounts(service.db)).toEqual(before);
      const { code, errors: faults } = errors[0].extensions;
      return `${code} ${faults[0].field.replace('input.', '')}: ${errors[0].message}`;
    };
    const held = (field: string, what: string) =>
      `amendment_needs_rectification recipient.${field}: The amendment names another ${what} than invoice ${flagged.number} prints: correct the invoice with a rectificativa.`;
    expect(await reason(rejected.id, { name: 'Construcciones del Norte SA', taxId: 'A39200019' })).toBe(
      `amendment_needs_rectification recipient.taxId: The amendment names another tax id than invoice ${rejected.number} prints: the agency holds no record of it, so void it (its cancellation is declared with SinRegistroPrevio) and issue a new invoice.`,
    );
    expect(await reason(rejected.id, { name: 'Pérez García Luisa' })).toContain('recipient.name: ');
    expect(await reason(rejected.id, { name: 'García Pérez' })).toContain('recipient.name: ');
    expect(await reason(flagged.id, { taxId: 'X124', taxIdType: 'passport', taxIdCountry: 'US' })).toBe(
      held('taxId', 'tax id'),
    );
    expect(await reason(flagged.id, { taxIdCountry: 'MX' })).toBe(held('taxId', 'tax id'));
    expect(await reason(flagged.id, { name: 'Jane Roe' })).toBe(held('name', 'recipient'));
  });

  test('taxes that the invoice does not print', async () => {
    const lines = [aLine({ tax_items: [{ type: 'es_exempt' }] }), aLine()];
    const { id } = await settled(aCompleteInvoice({ line_items: lines }), 'registered_with_errors');
    const exempt = defaultTaxCatalog.get('es_exempt')!;
    const save = (row: typeof exempt) => saveCatalogRow(service.db.pool, service.company.companyId, row);
    const accepted = await settled(aCompleteInvoice({ line_items: lines }), 'registered');
    await save({ ...exempt, agencyTax: '03' });
    expect(await refused({ invoiceId: accepted.id, reclassify: true })).toBe('amendment_needs_rectification');
    expect(await refused({ invoiceId: id, reclassify: true })).toBe('amendment_needs_rectification');
    await save(exempt);
  });

  test('a recipient that the reason of a rectificativa or its taxes do not admit', async () => {
    const original = await settled(aCompleteInvoice(), 'registered');
    const rectifies = { invoice_id: original.id, method: 'differences', reason: 'uncollectible' };
    const delta = await settled(differences(original, -1_000, { rectifies }), 'rejected');
    const passport = { taxId: 'X123', taxIdType: 'passport', taxIdCountry: 'US' };
    expect(await refused({ invoiceId: delta.id, recipient: passport })).toBe(
      'reason_incompatible_with_recipient',
    );
    const recipient = { name: 'Muster GmbH', tax_id: 'DE123456789', address: ADDRESS };
    const lines = [aLine({ tax_items: [{ type: 'eu_b2b' }] })];
    const supply = await settled(aCompleteInvoice({ recipient, line_items: lines }), 'rejected');
    expect(await refused({ invoiceId: supply.id, recipient: passport })).toBe('invalid_tax_data');
  });

  test('texts that are none', async () => {
    const { id: invoiceId } = await settled(aCompleteInvoice(), 'rejected');
    for (const description of ['', ' ', 'a\u0007b', 'x'.repeat(501)]) {
      expect(await refused({ invoiceId, description })).toBe('invalid_request');
    }
    expect(await refused({ invoiceId, reason: ' ' })).toBe('invalid_request');
  });
});

const ADDRESS = { line1: 'Hauptstraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };

describe('at the agency', () => {
  /** Sends what waits. */
  async function register(): Promise<void> {
    const { environmentId, chainId } = service.company.live;
    const { db, log, agencyClients: agency } = service.services;
    await skipWait(db, { chainId, environmentId });
    await submitChain({ db, log, agency: await agency.clientFor(environmentId) }, { environmentId, chainId });
  }
  const statuses = async (id: string): Promise<string[]> =>
    (await operator.readInvoice(id)).data.result.records.map(
      ({ kind, status, error }: { kind: string; status: string; error: { code: string } | null }) =>
        `${kind} ${status}${error === null ? '' : ` ${error.code}`}`,
    );

  test('a rejected and a flagged record are amended and taken, amended again, then cancelled', async () => {
    await register();
    const rejected = await issued(named('SIMULATE-REJECT'));
    const flagged = await issued(named('SIMULATE-FLAG'));
    await register();
    for (const { id: invoiceId } of [rejected, flagged])
      await operator.amendRecord({ invoiceId, description: 'SIMULATE-REJECT again' });
    await register();
    for (const { id } of [rejected, flagged])
      await operator.amendRecord({ invoiceId: id, description: 'Bien' });
    await register();
    expect(await statuses(rejected.id)).toEqual([
      'registration rejected 1110',
      'registration rejected 1110',
      'registration registered',
    ]);
    expect(await statuses(flagged.id)).toEqual([
      'registration registered_with_errors 2001',
      'registration rejected 1110',
      'registration registered',
    ]);
    for (const { id } of [rejected, flagged])
      await operator.amendRecord({ invoiceId: id, description: 'Mejor' });
    await register();
    expect((await statuses(flagged.id)).slice(2)).toEqual(Array(2).fill('registration registered'));
    for (const { id } of [rejected, flagged]) await operator.voidInvoice(id);
    await register();
    for (const { id } of [rejected, flagged]) {
      expect((await statuses(id)).at(-1)).toBe('cancellation registered');
    }
  });

  test('a rejected invoice is cancelled although it was never registered', async () => {
    const { id } = await issued(named('SIMULATE-REJECT'));
    await register();
    await operator.voidInvoice(id);
    await register();
    expect(await statuses(id)).toEqual(['registration rejected 1110', 'cancellation registered']);
  });

  test('an exchange invoice and its tickets are registered', async () => {
    const ticket = await issued(aSimplifiedInvoice());
    await register();
    const { data } = await operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA });
    await register();
    expect(await statuses(data.result.id)).toEqual(['registration registered']);
  });
});
