import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderRollPdf } from '../../src/subjects/documents/layout/roll.ts';
import { mm } from '../../src/subjects/documents/layout/style.ts';
import { NO_EXTENSION_COLUMNS } from '../../src/subjects/extensions/columns.ts';
import { invoiceCases } from '../support/documents/invoice-cases.ts';
import { invoiceContent } from '../support/documents/invoice-content.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** An invoice on the roll of a ticket printer. */

const hasTools = tools.haveTools('pdftoppm', 'pdftotext', 'pdfinfo', 'zbarimg', 'qpdf', 'pdfdetach');
const WIDTH = mm(80);

/** The width and height of the first page, in points, and how many pages there are. */
function sizeOf(pdf: Buffer) {
  const { width, height } = tools.pictureOf(pdf, 72);
  return { width, height };
}

describe.skipIf(!hasTools)('the roll', () => {
  // Those that are hardest to fit, one of each kind.
  const cases = [
    ...['a ticket', 'a substitution', 'words without end', 'the largest amounts', 'hostile texts'],
    ...['a thousand lines of notes', 'in English, everything at once', 'a voided test in Basque'],
  ].map((name) => [name, invoiceCases[name]!] as const);

  test.each(cases)(
    'of %s shows everything within its edges, no word on another, and its code is read',
    async (_name, content) => {
      const pdf = await renderRollPdf(content);
      expect(await renderRollPdf(content)).toEqual(pdf);
      expect(tools.faultsOf(pdf)).not.toContain('WARNING');
      const words = tools.wordsOf(pdf);
      for (const { left, right, text } of words) {
        expect(left, text).toBeGreaterThan(mm(3.9));
        expect(right, text).toBeLessThan(WIDTH - mm(3.9));
      }
      expect(tools.collisionsOf(words)).toEqual([]);
      if (content.qrUrl === null) return;
      // The first on the page, between its two texts, and 30 mm wide.
      expect(tools.codesOf(pdf, 'upper half')).toEqual([content.qrUrl]);
      const above = words.find(({ text }) => text === 'tributario:')!;
      const below = words.find(({ text }) => text === 'VERI*FACTU')!;
      expect(below.top - above.bottom).toBeGreaterThan(mm(30 + 2 * 2));
      expect(tools.attachmentsOf(pdf).map(String)).toEqual([content.recordXml]);
    },
  );

  test('is 80 mm wide and as long as needed, and continues on another page beyond the longest possible one', async () => {
    const few = sizeOf(await renderRollPdf(invoiceCases['one line']!));
    expect(few.width).toBe(Math.ceil(WIDTH));
    expect(few.height).toBeLessThan(700);
    const ten = sizeOf(await renderRollPdf(invoiceCases['ten lines']!));
    expect(ten.height).toBeGreaterThan(few.height + 9 * 22);
    const many = await renderRollPdf(invoiceCases['five hundred lines']!);
    const words = tools.wordsOf(many);
    expect(words.at(-1)!.page).toBe(2);
    expect(Math.max(...words.map(({ bottom }) => bottom))).toBeLessThanOrEqual(14_400);
  });

  test('has a second code for a transfer, far below the first and smaller', async () => {
    const payment = { means: 'transfer', iban: 'ES9121000418450200051332' } as const;
    const content = invoiceContent({ extensions: { ...NO_EXTENSION_COLUMNS, payment } });
    const codes = tools.codesOf(await renderRollPdf(content));
    expect(codes).toHaveLength(2);
    expect(codes).toContain(content.qrUrl);
    expect(codes.some((text) => text.startsWith('BCD'))).toBe(true);
  });

  test('states once what is to be paid, and by when', async () => {
    const content = invoiceCases['a payment by transfer']!;
    const words = tools.wordsOf(await renderRollPdf(content)).map(({ text }) => text);
    expect(content.extensions).not.toMatchObject({ withholding_rate: null, due_date: null });
    expect(words.join(' ').split('Total a pagar')).toHaveLength(2);
    expect(words.join(' ').split('Fecha de vencimiento')).toHaveLength(2);
  });
});

describe('over HTTP', () => {
  let service: TestService;
  // biome-ignore lint/suspicious/noExplicitAny: an invoice as the API answers it
  let issued: any;
  const rendered: string[] = [];
  beforeAll(async () => {
    service = await testService();
    issued = (await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).body;
  });
  afterAll(async () => service?.close());

  const bytesOf = async (link: string) => {
    const answer = await fetch(link.replace('http://lacre.test', service.url));
    expect(answer.status).toBe(200);
    rendered.push(answer.headers.get('content-disposition')!);
    return Buffer.from(await answer.arrayBuffer());
  };

  test('a link is requested by paper, in REST and GraphQL, and what is stored stays the A4 document', async () => {
    const { body: roll } = await service.call('GET', `/v1/invoices/${issued.id}/download?paper=roll`);
    const ticket = await bytesOf(roll.download_url);
    expect(rendered.at(-1)).toBe(`inline; filename="${issued.number}-80mm.pdf"`);
    const kept = await bytesOf(issued.pdf_url);
    expect(rendered.at(-1)).toBe(`inline; filename="${issued.number}.pdf"`);
    expect(ticket.equals(kept)).toBe(false);
    // Again the same bytes, whichever way it is requested.
    expect((await bytesOf(`${issued.pdf_url}&paper=roll`)).equals(ticket)).toBe(true);
    const query = `{ invoice(id: "${issued.id}") { pdfUrl(paper: roll) } invoiceDownload(id: "${issued.id}", paper: roll) { downloadUrl } }`;
    const { data } = (await service.graphql(query)).body;
    expect((await bytesOf(data.invoice.pdfUrl)).equals(ticket)).toBe(true);
    expect((await bytesOf(data.invoiceDownload.downloadUrl)).equals(ticket)).toBe(true);
    const { rows } = await service.owner.query(
      'select count(*)::int as count from invoice_document where invoice_id = $1 and sha256 is not null',
      [issued.id],
    );
    expect(rows[0].count).toBe(1);
    if (hasTools) expect(tools.textOf(ticket)).toContain('DOCUMENTO DE PRUEBA');
  });

  test('the ticket keeps the branding that the document has', async () => {
    const before = await bytesOf(`${issued.pdf_url}&paper=roll`);
    const { body } = await service.graphql(
      'mutation { setCompanyBranding(input: { language: en, reason: "x" }) { language } }',
    );
    expect(body.errors).toBeUndefined();
    expect((await bytesOf(`${issued.pdf_url}&paper=roll`)).equals(before)).toBe(true);
  });

  test('a voided invoice is marked as voided on the ticket too', async () => {
    const { body: other } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    await bytesOf(`${other.pdf_url}&paper=roll`);
    expect((await (await operatorOf(service)).voidInvoice(other.id)).errors).toBeUndefined();
    const ticket = await bytesOf(`${other.pdf_url}&paper=roll`);
    if (hasTools) expect(tools.textOf(ticket)).toContain('ANULADA');
  });

  test.each(['A4', 'letter', ''])('a paper called "%s" is refused', async (paper) => {
    const { status, body } = await service.call('GET', `/v1/invoices/${issued.id}/download?paper=${paper}`);
    expect({ status, code: body.code, field: body.errors[0].field }).toEqual({
      ...{ status: 400, code: 'invalid_request', field: 'paper' },
    });
  });

  test('an invoice of another environment has no ticket', async () => {
    const foreign = { key: service.company.live.key };
    const { body } = await service.call('GET', `/v1/invoices/${issued.id}/download?paper=roll`, foreign);
    expect(body.code).toBe('invoice_not_found');
  });
});
