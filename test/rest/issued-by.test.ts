import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const call = (body: object) => service.call('POST', '/v1/invoices', { body });

async function issued(body: object) {
  const answer = await call(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

let count = 0;
async function aSeries(type = 'standard'): Promise<string> {
  count += 1;
  const { body } = await service.call('POST', '/v1/number_series', { body: { prefix: `TP${count}`, type } });
  return body.id;
}

const third_party = { name: 'Gestoría Ruiz SL', tax_id: 'B-12345674' };
const byThird = (number_series_id?: string, parts: object = {}) =>
  aCompleteInvoice({ issued_by: 'third_party', third_party, number_series_id, ...parts });
const byRecipient = (number_series_id?: string, parts: object = {}) =>
  aCompleteInvoice({ issued_by: 'recipient', number_series_id, ...parts });

async function recordOf(id: string): Promise<string> {
  const { body } = await service.graphql('query ($id: ID!) { invoice(id: $id) { records { xml } } }', { id });
  return body.data.invoice.records.at(-1).xml;
}

describe.each(PROTOCOLS)('over %s', (protocol) => {
  const operations = () => operationsOf(service, protocol);

  test('is answered with the third party as it was understood', async () => {
    const answered = {
      issued_by: 'third_party',
      third_party: {
        name: third_party.name,
        tax_id: 'B12345674',
        tax_id_type: 'es_nif',
        tax_id_country: 'ES',
      },
    };
    const { status, body } = await operations().issue(byThird(await aSeries()));
    expect(status).toBe(201);
    expect(body).toMatchObject(answered);
    expect((await operations().invoice(body.id)).body).toMatchObject(answered);
  });

  test.each([
    ['no third party', aCompleteInvoice({ issued_by: 'third_party' }), 'third_party required'],
    ['a third party of nothing', aCompleteInvoice({ third_party }), 'third_party not_supported'],
    ['self-billing by nobody', aSimplifiedInvoice({ issued_by: 'recipient' }), 'issued_by not_supported'],
    [
      'a passport of no country',
      byThird('ns_x', { third_party: { ...third_party, tax_id_type: 'passport' } }),
      'third_party.tax_id_country required',
    ],
  ])('%s is refused with 400', async (_what, body, fault) => {
    const refused = { status: 400, code: 'invalid_request', faults: [fault] };
    expect(await operations().validate(body)).toMatchObject(refused);
  });

  test.each([
    ['the company', { tax_id: 'B72877814' }, 'invalid_tax_id', 'third_party.tax_id'],
    [
      'one outside the census',
      { tax_id: '12345678Z', tax_id_type: 'not_registered' },
      'invalid_tax_id',
      'third_party.tax_id',
    ],
    ['a malformed id', { tax_id: 'B12345678' }, 'invalid_tax_id', 'third_party.tax_id'],
    ['one that the census does not know', { name: 'NO CENSADO SL' }, 'invalid_tax_id', 'third_party.tax_id'],
    [
      'a census that is down',
      { name: 'CENSO CAIDO SL' },
      'tax_id_validation_unavailable',
      'third_party.tax_id',
    ],
    ['a short name', { name: 'X' }, 'insufficient_recipient_data', 'third_party.name'],
    [
      'a NIF of France',
      { tax_id_type: 'es_nif', tax_id_country: 'FR' },
      'tax_id_type_country_mismatch',
      'third_party.tax_id_country',
    ],
  ])('%s as a third party is refused', async (_what, fields, code, field) => {
    const body = byThird(await aSeries(), { third_party: { ...third_party, ...fields } });
    const answer = await operations().validate(body);
    expect(answer).toMatchObject({ code, faults: [`${field} ${code}`] });
  });
});

describe('the record', () => {
  test('of self-billing says D, and that of a third party T and who', async () => {
    const own = await recordOf((await issued(byRecipient(await aSeries()))).id);
    expect(own).toContain(
      '<sf:EmitidaPorTerceroODestinatario>D</sf:EmitidaPorTerceroODestinatario><sf:Destinatarios>',
    );
    const ticket = aSimplifiedInvoice({
      issued_by: 'third_party',
      third_party,
      number_series_id: await aSeries(),
    });
    const { id } = await issued(ticket);
    const tercero =
      '<sf:EmitidaPorTerceroODestinatario>T</sf:EmitidaPorTerceroODestinatario><sf:Tercero><sf:NombreRazon>Gestoría Ruiz SL</sf:NombreRazon><sf:NIF>B12345674</sf:NIF></sf:Tercero><sf:Desglose>';
    expect(await recordOf(id)).toContain(tercero);
    const operator = await operatorOf(service);
    const { errors } = await operator.amendRecord({ invoiceId: id, reason: 'x', description: 'Otra' });
    expect(errors).toBeUndefined();
    expect(await recordOf(id)).toContain(tercero);
  });

  test('of a foreign third party names its id as that of a recipient', async () => {
    const foreign = { name: 'ACME GmbH', tax_id: 'DE136695976' };
    const { id } = await issued(byThird(await aSeries(), { third_party: foreign }));
    expect(await recordOf(id)).toContain(
      '<sf:Tercero><sf:NombreRazon>ACME GmbH</sf:NombreRazon><sf:IDOtro><sf:IDType>02</sf:IDType><sf:ID>DE136695976</sf:ID></sf:IDOtro></sf:Tercero>',
    );
  });
});

describe('the series of an issuer', () => {
  const refusedWith = async (body: object) => {
    const { body: answer } = await call(body);
    return `${answer.code} ${answer.errors?.[0]?.field}`;
  };
  const UNFIT = 'invalid_number_series number_series_id';

  test('is named, is no default, and is of that issuer alone from its first invoice on', async () => {
    const { body: list } = await service.call('GET', '/v1/number_series?type=standard&limit=100');
    const usual = list.data.find(({ is_default }: { is_default: boolean }) => is_default).id;
    const [own, theirs, company] = [await aSeries(), await aSeries(), await aSeries()];
    await issued(byThird(theirs));
    await issued(byThird(theirs, { third_party: { ...third_party, name: 'Gestoria Ruiz' } }));
    await issued(byRecipient(own));
    await issued(aCompleteInvoice({ number_series_id: company }));
    const refused = [
      byThird(),
      byRecipient(usual),
      byRecipient(theirs),
      byThird(own),
      byThird(theirs, { third_party: { name: 'Otra', tax_id: 'A58818501' } }),
      byThird(company),
      aCompleteInvoice({ number_series_id: theirs }),
    ];
    for (const body of refused) expect(await refusedWith(body)).toBe(UNFIT);
    const { errors } = await (await operatorOf(service)).execute(
      `mutation ($companyId: ID!, $id: ID!) {
        setDefaultNumberSeries(companyId: $companyId, environment: test, id: $id, reason: "x") { id } }`,
      { companyId: service.company.companyId, id: theirs },
    );
    expect(errors[0].extensions.code).toBe('invalid_number_series');
  });

  test('is one issuer’s although the first invoices of several come together', async () => {
    const shared = await aSeries();
    const bodies = [byThird(shared), byRecipient(shared), aCompleteInvoice({ number_series_id: shared })];
    const answers = await Promise.all([...bodies, ...bodies].map(call));
    const issuers = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.issued_by ?? 'company');
    expect(new Set(issuers).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code);
    expect(new Set(others)).toEqual(new Set(['invalid_number_series']));
  });

  test('of a rectificativa is a rectifying one of its own, and is not inherited', async () => {
    const original = await issued(byRecipient(await aSeries()));
    const rectifies = { invoice_id: original.id, method: 'differences' };
    const line_items = [aLine({ quantity: 1, unit_amount: -100 })];
    const delta = { type: 'complete', line_items, rectifies };
    expect(await refusedWith({ ...delta, issued_by: 'recipient' })).toBe(
      'rectifying_series_invalid number_series_id',
    );
    const number_series_id = await aSeries('rectifying');
    const corrected = await issued({ ...delta, issued_by: 'recipient', number_series_id });
    expect(await recordOf(corrected.id)).toContain('>D</sf:EmitidaPorTerceroODestinatario>');
    const again = { ...delta, rectifies: { ...rectifies, invoice_id: corrected.id } };
    expect((await issued(again)).issued_by).toBeUndefined();
    const ticket = await issued(aSimplifiedInvoice());
    const byNobody = {
      ...{ type: 'simplified', line_items, issued_by: 'recipient' },
      rectifies: { invoice_id: ticket.id, method: 'differences' },
    };
    expect(await refusedWith(byNobody)).toBe('invalid_request issued_by');
  });
});

describe('documents', () => {
  const text = async (id: string) => {
    const file = await documentFor(service.services, service.company.test.environmentId, id);
    if (isRefusal(file)) throw new Error(file.detail);
    return tools.textOf(file.bytes);
  };
  const format = async (id: string, name: string) =>
    String((await service.call('GET', `/v1/invoices/${id}/formats/${name}`)).body);

  test.skipIf(!tools.haveTools('pdftotext'))('state who issued', async () => {
    const own = await issued(byRecipient(await aSeries(), { language: 'en' }));
    expect(await text(own.id)).toContain('Facturación por el destinatario');
    const theirs = await issued(byThird(await aSeries()));
    expect(await text(theirs.id)).toMatch(/Tercero expedidor\s+Gestoría Ruiz SL, B12345674/);
  });

  test('of EN 16931 are of type 389, and Facturae says who issues or is refused', async () => {
    const own = await issued(byRecipient(await aSeries()));
    expect(await format(own.id, 'ubl')).toContain('<cbc:InvoiceTypeCode>389</cbc:InvoiceTypeCode>');
    expect(await format(own.id, 'cii')).toContain('Facturación por el destinatario');
    expect(await format(own.id, 'facturae')).toContain('<InvoiceIssuerType>RE</InvoiceIssuerType>');
    const theirs = await issued(byThird(await aSeries()));
    expect(await format(theirs.id, 'ubl')).toContain('Tercero expedidor: Gestoría Ruiz SL, B12345674');
    const refused = await service.call('GET', `/v1/invoices/${theirs.id}/formats/facturae`);
    expect(refused.body.code).toBe('format_not_applicable');
  });
});
