import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthority, representative, seal } from '../support/agency/certificates.ts';
import { attachmentsOf, haveTools, textOf } from '../support/documents/pdf-tools.ts';
import { HAVE_SCHEMAS, schemaFaults } from '../support/formats/facturae-schema.ts';
import { HAVE_XMLSEC, verifiedByXmlsec } from '../support/formats/xmlsec.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  differences,
  type Issued,
  issueWith,
  operatorOf,
  substitution,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const authority = newAuthority();
let service: TestService;
beforeAll(async () => {
  service = await testService({ CERTIFICATE_KEYS: `first:${Buffer.alloc(32, 1).toString('base64')}` });
});
afterAll(() => service.close());

const issue = (body: object): Promise<Issued> => issueWith(service, body, 'test');
const formatOf = (id: string, format: string) => service.call('GET', `/v1/invoices/${id}/formats/${format}`);

/** The document of an invoice, which is as its schema wants it. */
async function facturaeOf(id: string, format = 'facturae'): Promise<string> {
  const { status, body } = await formatOf(id, format);
  expect({ status, body }).toMatchObject({ status: 200 });
  if (HAVE_SCHEMAS) expect(schemaFaults(body)).toBe('');
  return body;
}

/** The text of the first element of that name. */
const elementText = (document: string, name: string) =>
  new RegExp(`<${name}>(?:<TotalAmount>)?([^<]*)<`).exec(document)?.[1];

describe('Facturae over REST', () => {
  test('is the sealed invoice, the same bytes each time', async () => {
    const { id, number, total } = await issue(
      aCompleteInvoice({ recargo_equivalencia: true, line_items: [aLine({ unit_amount: 12_345 })] }),
    );
    const document = await facturaeOf(id);
    expect(await facturaeOf(id)).toBe(document);
    expect(`${elementText(document, 'InvoiceSeriesCode')}${elementText(document, 'InvoiceNumber')}`).toBe(
      number,
    );
    expect(elementText(document, 'InvoiceTotal')?.replace('.', '')).toBe(String(total));
    expect(elementText(document, 'EquivalenceSurcharge')).toBe('5.20');
    expect(document).toContain('DOCUMENTO DE PRUEBA SIN VALIDEZ FISCAL');
  });

  test('names the offices of a public body, its references, the period and the account', async () => {
    const { id } = await issue(
      aCompleteInvoice({
        references: { buyer_reference: 'L01160781/L01160782/L01160783', purchase_order: 'P-117' },
        delivery: { from: '2026-01-01', to: '2026-01-31' },
        payment: { means: 'transfer', iban: 'ES9121000418450200051332' },
      }),
    );
    const document = await facturaeOf(id);
    expect(document.match(/<CentreCode>[^<]*<\/CentreCode><RoleTypeCode>\d\d/g)).toHaveLength(3);
    expect(elementText(document, 'ReceiverTransactionReference')).toBe('P-117');
    expect(document).toContain('<InvoicingPeriod><StartDate>2026-01-01</StartDate><EndDate>2026-01-31<');
    expect(document).toContain('<PaymentMeans>04</PaymentMeans><AccountToBeCredited><IBAN>ES91');
  });

  test('to a public body without its offices says that FACe will refuse it, over REST and GraphQL', async () => {
    const town = { ...aCompleteInvoice().recipient, name: 'Ayuntamiento de Villar', tax_id: 'P0000000J' };
    const warningsOf = async (fields: Record<string, unknown>, format = 'facturae') => {
      const { id } = await issue(aCompleteInvoice(fields));
      const { headers } = await formatOf(id, format);
      const { body } = await service.graphql(
        `{ invoice(id: "${id}") { document(format: ${format}) { warning } formats { format warning } } }`,
      );
      const { document, formats } = body.data.invoice;
      const offered = formats.find((offer: { format: string }) => offer.format === format);
      return [headers.get('document-warning'), document.warning, offered.warning];
    };
    const said = expect.stringMatching(/^FACe will refuse .*references\.buyer_reference/);
    expect(await warningsOf({ recipient: town })).toEqual([said, said, said]);
    const other = { recipient: town, references: { buyer_reference: 'PO-1' } };
    expect(await warningsOf(other)).toEqual([said, said, said]);
    const offices = { buyer_reference: 'L01160781/L01160782/L01160783' };
    const silent = [null, null, null];
    expect(await warningsOf({ recipient: town, references: offices })).toEqual(silent);
    expect(await warningsOf({})).toEqual(silent);
    expect(await warningsOf({ recipient: town }, 'ubl')).toEqual(silent);
  });

  test('takes the income tax that the buyer keeps back off what is to be paid', async () => {
    const line = aLine({ quantity: 1, unit_amount: 100_000 });
    const { id } = await issue(aCompleteInvoice({ line_items: [line], withholding: { rate: 15 } }));
    const document = await facturaeOf(id);
    expect(document).toContain('<TaxesWithheld><Tax><TaxTypeCode>04</TaxTypeCode><TaxRate>15.00</TaxRate>');
    expect(elementText(document, 'TotalTaxesWithheld')).toBe('150.00');
    expect(elementText(document, 'TotalExecutableAmount')).toBe('1060.00');
  });

  test('states of a correction which invoice, by which method, and of which month the operation was', async () => {
    const original = await issue(aCompleteInvoice({ operation_date: '2025-01-31' }));
    const [sold] = original.number.split(/(?<=-)(?=\d+$)/);
    let head = original;
    for (const [correction, method] of [
      [differences, '02'],
      [substitution, '01'],
    ] as const) {
      head = await issue(correction(head, 5_000));
      const document = await facturaeOf(head.id);
      expect(document).toContain('<InvoiceClass>OR</InvoiceClass><Corrective>');
      expect(document.split('<Corrective>')[1]).toContain(`<InvoiceSeriesCode>${sold}</InvoiceSeriesCode>`);
      expect(document).toContain(
        '<TaxPeriod><StartDate>2025-01-01</StartDate><EndDate>2025-01-31</EndDate></TaxPeriod>',
      );
      expect(elementText(document, 'CorrectionMethod')).toBe(method);
    }
  });

  test('of a ticket there is none, because it names no buyer by a tax id', async () => {
    const { id } = await issue(aSimplifiedInvoice());
    const { status, body } = await formatOf(id, 'facturae');
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'format_not_applicable' });
    expect(body.errors).toMatchObject([{ field: 'Parties/BuyerParty' }]);
  });
});

describe('signed Facturae over REST', () => {
  const refusalDetail = async (id: string): Promise<string> => {
    const { status, body } = await formatOf(id, 'facturae_signed');
    expect({ status, field: body.errors[0].field }).toEqual({ status: 422, field: 'ds:Signature' });
    return body.detail;
  };

  test('is signed with the certificate of the issuer only', async () => {
    const { id, number } = await issue(aCompleteInvoice());
    const [{ nif }] = (
      await service.db.pool.query<{ nif: string }>('select issuer->>$1 as nif from invoice where id = $2', [
        'nif',
        id,
      ])
    ).rows as [{ nif: string }];
    expect(await refusalDetail(id)).toContain(`no certificate of ${nif} is in force`);
    // The platform's: it may send for the company, and is another holder's.
    await upload(authority.issue({ subject: representative('B00000000') }), null);
    expect(await refusalDetail(id)).toContain('held by B00000000');
    const { body } = await service.graphql(
      'query ($id: ID!) { invoice(id: $id) { formats { format reason } } }',
      { id },
    );
    const offered = body.data.invoice.formats.find(
      ({ format }: { format: string }) => format === 'facturae_signed',
    );
    expect(offered.reason).toContain('held by B00000000');
    await upload(authority.issue({ subject: seal(nif) }), service.company.companyId);
    const answer = await formatOf(id, 'facturae_signed');
    expect(answer.headers.get('content-disposition')).toContain(`${number}.facturae_signed.xsig`);
    const document = await facturaeOf(id, 'facturae_signed');
    const { rows: signings } = await service.db.pool.query(
      "select actor, details->>'sha256' as sha256 from environment_audit_entry where action = 'sign_document' and subject = $1",
      [id],
    );
    expect(signings).toHaveLength(2);
    const sha256 = createHash('sha256').update(document).digest('hex');
    expect(signings).toContainEqual({ actor: expect.stringMatching(/^key_/), sha256 });
    if (HAVE_XMLSEC) expect(verifiedByXmlsec(document, authority.ca)).toBe('verified');
    expect(document.replace(/<ds:Signature .*<\/ds:Signature>/s, '')).toBe(await facturaeOf(id));
  });

  /** Hands in a certificate: a company's, or without one the platform's. */
  async function upload(
    { cert, key }: { readonly cert: string; readonly key: string },
    companyId: string | null,
  ) {
    const operator = await operatorOf(service);
    const mutation = 'mutation ($input: UploadCertificateInput!) { uploadCertificate(input: $input) { id } }';
    const input = { pem: cert + key, reason: 'test', ...(companyId === null ? {} : { companyId }) };
    const { body } = await service.graphql(mutation, { input }, { key: operator.key });
    expect(body.errors).toBeUndefined();
  }
});

describe.skipIf(!haveTools('pdfdetach', 'pdftotext'))('Factur-X over REST', () => {
  test('is the pages of the invoice with its CII in them', async () => {
    const { id, number } = await issue(aCompleteInvoice());
    const file = await fetch(`${service.url}/v1/invoices/${id}/formats/facturx`, {
      headers: { authorization: `Bearer ${service.company.test.key}` },
    });
    expect(file.headers.get('content-type')).toBe('application/pdf');
    const pdf = Buffer.from(await file.arrayBuffer());
    expect(textOf(pdf)).toContain(number);
    const { body: cii } = await formatOf(id, 'cii');
    expect(attachmentsOf(pdf).map(String)).toContain(cii);
  });
});
