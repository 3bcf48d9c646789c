import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { FORMAT_NAMES } from '../../src/subjects/formats/types.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { Visitor } from '../support/http/visitor.ts';
import { ANA, codeOf, type Issued, issueWith, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { operatorIn } from '../support/pages/console.ts';
import { aLink, aSale, aShop } from '../support/pages/portal.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const issue = (body: object): Promise<Issued> => issueWith(service, body, 'test');
const formatOf = (id: string, format: string, options: object = {}) =>
  service.call('GET', `/v1/invoices/${id}/formats/${format}`, options);
const DOCUMENT =
  'query ($id: ID!, $format: ExportedForm!) { invoice(id: $id) { document(format: $format) { filename mediaType content } } }';
const FORMATS = 'query ($id: ID!) { invoice(id: $id) { formats { format label isProvisional reason } } }';

describe('a structured document', () => {
  test('is a file of the format, the same bytes each time and over both protocols', async () => {
    const { id, number } = await issue(aCompleteInvoice({ notes: 'Entregado en mano' }));
    const { status, headers, body } = await formatOf(id, 'ubl');
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'application/xml' });
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${number}.ubl.xml"`);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(body).toContain(`<cbc:ID>${number}</cbc:ID>`);
    expect(body).toContain('<cbc:Note>Entregado en mano</cbc:Note>');
    expect((await formatOf(id, 'ubl')).body).toBe(body);
    const { body: answered } = await service.graphql(DOCUMENT, { id, format: 'ubl' });
    const { content, ...file } = answered.data.invoice.document;
    expect(file).toEqual({ filename: `${number}.ubl.xml`, mediaType: 'application/xml' });
    expect(Buffer.from(content, 'base64').toString('utf8')).toBe(body);
  });

  test('of the test environment is marked as not valid', async () => {
    const { id } = await issue(aCompleteInvoice());
    for (const format of FORMAT_NAMES) {
      // Its pages have the mark, and there is nothing to sign with here.
      if (format === 'facturx' || format === 'facturae_signed') continue;
      expect((await formatOf(id, format)).body, format).toContain('DOCUMENTO DE PRUEBA SIN VALIDEZ FISCAL');
    }
  });

  test('does not change with the company and its catalog', async () => {
    const exempt = aLine({ tax_items: [{ type: 'es_exempt' }] });
    const { id } = await issue(aCompleteInvoice({ line_items: [exempt] }));
    const before = (await formatOf(id, 'ubl')).body;
    expect(before).toContain('Operación exenta del IVA (art. 20 LIVA)');
    const { rowCount } = await service.owner.query(
      `with changed as (update tax_catalog_entry set legal_mention = 'Otra' where tax_type = 'es_exempt' and company_id = $1
         returning company_id)
       update company set catalog_version = catalog_version + 1 where id in (select company_id from changed)`,
      [service.company.companyId],
    );
    await service.owner.query(`update company set legal_name = 'Otra SL' where id = $1`, [
      service.company.companyId,
    ]);
    expect(rowCount).toBe(1);
    expect((await formatOf(id, 'ubl')).body).toBe(before);
  });

  test('is given to no other environment', async () => {
    const { id } = await issue(aCompleteInvoice());
    const { status, body } = await formatOf(id, 'ubl', { key: service.company.live.key });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'invoice_not_found' });
    expect((await formatOf(id, 'ubl', { key: null })).status).toBe(401);
  });

  test('of a format that there is not is refused, naming those that there are', async () => {
    const { id } = await issue(aCompleteInvoice());
    const { status, body } = await formatOf(id, 'edifact');
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.errors).toMatchObject([{ field: 'format', code: 'invalid_value' }]);
    for (const name of FORMAT_NAMES) expect(body.detail).toContain(name);
  });
});

describe('what a format cannot express', () => {
  const refused = async (id: string, format: string) => {
    const { status, body } = await formatOf(id, format);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'format_not_applicable' });
    return body.errors[0].field as string;
  };

  test('a ticket names no buyer', async () => {
    const { id } = await issue(aSimplifiedInvoice());
    expect(await refused(id, 'ubl')).toBe('BT-44');
    expect(await refused(id, 'cii')).toBe('BT-44');
    expect(await refused(id, 'ubl_es')).toBe('BT-3');
  });

  test('no type of document can express that an invoice was voided', async () => {
    const { id } = await issue(aCompleteInvoice());
    expect((await formatOf(id, 'ubl')).status).toBe(200);
    const operator = await operatorOf(service);
    expect(codeOf(await operator.voidInvoice(id))).toBe(null);
    for (const format of FORMAT_NAMES) {
      const term = format.startsWith('facturae') ? 'Invoices/Invoice/InvoiceHeader/InvoiceClass' : 'BT-3';
      expect(await refused(id, format), format).toBe(term);
    }
  });

  test('is listed with each format before it is requested', async () => {
    const { id } = await issue(
      aCompleteInvoice({ line_items: [aLine({ tax_items: [{ type: 'other', rate: 3 }] })] }),
    );
    const { body } = await service.graphql(FORMATS, { id });
    const offered = body.data.invoice.formats;
    expect(offered.map(({ format }: { format: string }) => format)).toEqual(FORMAT_NAMES);
    expect(offered[0]).toEqual({
      ...{ format: 'ubl', label: 'UBL 2.1 (EN 16931)', isProvisional: false },
      reason: 'EN 16931, BT-151: line 1 bears "Impuesto 3%", which is neither VAT nor IGIC nor IPSI.',
    });
  });
});

describe('on pages', () => {
  test('customers download them from their portal', async () => {
    const shop = await aShop(service);
    const { id } = await aSale(service, shop, 'ana', { type: 'complete', recipient: ANA });
    const ticket = await aSale(service, shop, 'ana');
    const visitor = await new Visitor(service.url).enter(await aLink(service, shop, 'ana'));
    const { text } = await visitor.get(`/portal/invoices/${id}`);
    for (const format of ['ubl', 'cii']) expect(text).toContain(`/portal/invoices/${id}/formats/${format}"`);
    expect(text).not.toContain('formats/ubl_es');
    // The company has no certificate to sign with.
    expect(text).toContain('formats/facturae"');
    expect(text).not.toContain('formats/facturae_signed');
    const file = await visitor.get(`/portal/invoices/${id}/formats/cii`);
    expect({ status: file.status, text: file.text }).toEqual({
      status: 200,
      text: (await formatOf(id, 'cii')).body,
    });
    expect((await visitor.get(`/portal/invoices/${ticket.id}`)).text).not.toContain('/formats/');
    expect((await visitor.get(`/portal/invoices/${ticket.id}/formats/ubl`)).status).toBe(422);
    expect((await visitor.get(`/portal/invoices/${id}/formats/edifact`)).status).toBe(404);
    const foreign = await issue(aCompleteInvoice());
    expect((await visitor.get(`/portal/invoices/${foreign.id}/formats/ubl`)).status).toBe(404);
  });

  test('operators see which there are, and why not the others', async () => {
    const { id } = await issue(aCompleteInvoice());
    const ticket = await issue(aSimplifiedInvoice());
    const operator = await operatorIn(service);
    const { text } = await operator.get(`/console/invoices/${id}`);
    for (const format of FORMAT_NAMES.filter((name) => name !== 'facturae_signed'))
      expect(text).toContain(`/console/invoices/${id}/formats/${format}"`);
    expect(text).toContain('no certificate of');
    const file = await operator.get(`/console/invoices/${id}/formats/ubl`);
    expect({ status: file.status, text: file.text }).toEqual({
      status: 200,
      text: (await formatOf(id, 'ubl')).body,
    });
    expect((await operator.get(`/console/invoices/${ticket.id}`)).text).toContain('BT-44');
    expect((await operator.get(`/console/invoices/${id}/formats/edifact`)).status).toBe(404);
  });

  test('operators make links to the documents of a period', async () => {
    await issue(aCompleteInvoice());
    const operator = await operatorIn(service);
    const { companyId } = service.company;
    const address = `/console/companies/${companyId}/export`;
    expect((await operator.get(`/console/companies/${companyId}/invoices`)).text).toContain(`${address}?`);
    expect((await operator.get(address)).text).not.toContain('/v1/invoices/export/file');
    const today = madridDay(new Date());
    const { text } = await operator.get(`${address}?environment=test&from=${today}&to=${today}&ubl=yes`);
    const [, link = ''] =
      /href="http:\/\/lacre\.test(\/v1\/invoices\/export\/file\?token=[\w.-]+)"/.exec(text) ?? [];
    const file = await fetch(service.url + link);
    expect(file.headers.get('content-type')).toBe('application/zip');
    expect(Buffer.from(await file.arrayBuffer()).includes('.ubl.xml')).toBe(true);
    const turned = await operator.get(`${address}?from=2026-02-02&to=2026-02-01`);
    expect(turned.text).toContain('The file cannot be created');
  });
});
