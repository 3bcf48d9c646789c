import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/ground/db/client.ts';
import { type InvoiceContent, loadInvoiceContent } from '../../src/subjects/documents/content.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type Given, imported, insert, issuedInvoice, issuer } from '../support/documents/issued-invoice.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';

const qrBases = { live: 'https://agency.example/ValidarQR', test: 'http://simulator.example/ValidarQR' };

let database: TestDatabase;
let db: Db;
let home: TestEnvironment;
let live: TestEnvironment;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  ({ test: home, live } = await createCompany(db));
});
afterAll(() => database.close());

const issue = (given: Given = {}, environment = home) => issuedInvoice(db, environment, given);

async function contentOf(id: string, environment = home): Promise<InvoiceContent> {
  const content = await loadInvoiceContent(db, qrBases, environment.environmentId, id);
  if (content === null) throw new Error(`${id} was not found`);
  return content;
}

describe('what the pages show', () => {
  test('is read from the rows of the invoice, lines in their order', async () => {
    const id = await issue({
      number: 'F-2026-A&1',
      notes: 'gracias',
      operation_on: '2026-06-28',
      recipient_name: 'Ana',
      recipient_tax_id: 'A58818501',
      recipient_tax_id_type: 'es_nif',
      recipient_country: 'ES',
      recipient_email: 'ana@example.com',
    });
    expect(await contentOf(id)).toMatchObject({
      environment: 'test',
      type: 'complete',
      kind: 'original',
      number: 'F-2026-A&1',
      currency: 'eur',
      issuedOn: '2026-07-01',
      operationOn: '2026-06-28',
      issuer,
      recipient: { name: 'Ana', companyName: null, taxId: 'A58818501', line1: null, country: 'ES' },
      lines: [
        {
          description: 'primera',
          sku: null,
          quantity: 1,
          unitAmount: 1_500,
          subtotal: 1_500,
          taxItems: [{ type: 'vat', name: 'IVA 21%', rate: 2100, amount: 315 }],
        },
        { description: 'segunda', sku: 'S-2' },
      ],
      breakdown: [
        {
          ...{ type: 'vat', agencyTax: '01', regimeKey: '01', operationClass: 'S1', exemption: null },
          legalMention: null,
        },
      ],
      subtotal: 3_000,
      tax: 630,
      total: 3_630,
      notes: 'gracias',
      rectification: null,
      exchanged: [],
      qrUrl: `${qrBases.test}?nif=B72877814&numserie=F-2026-A%261&fecha=01-07-2026&importe=36.30`,
      recordXml: `<sf:RegistroAlta xmlns:sf="urn:x">${id}</sf:RegistroAlta>`,
    });
  });

  test('leaves out a recipient without data and an operation date that is the day of issue', async () => {
    const content = await contentOf(await issue({ operation_on: '2026-07-01', type: 'simplified' }));
    expect(content).toMatchObject({ recipient: null, operationOn: null, type: 'simplified' });
  });

  test('holds the largest amounts exactly', async () => {
    const total = 99_999_999_999_999;
    expect(await contentOf(await issue({ subtotal: total, tax: 0, total }))).toMatchObject({ total });
  });

  test('directs live invoices to the agency', async () => {
    const content = await contentOf(await issue({}, live), live);
    expect(content.environment).toBe('live');
    expect(content.qrUrl).toMatch(/^https:\/\/agency\.example/);
  });

  test('of an imported invoice has neither code nor record', async () => {
    const id = await issue(imported);
    expect(await contentOf(id)).toMatchObject({ imported: true, qrUrl: null, recordXml: null });
  });

  test('is read in one statement', async () => {
    const id = await issue();
    let statements = 0;
    const query = (...args: Parameters<Db['pool']['query']>) => {
      statements += 1;
      return db.pool.query(...args);
    };
    const pool = { query };
    await loadInvoiceContent({ ...db, pool } as unknown as Db, qrBases, home.environmentId, id);
    expect(statements).toBe(1);
  });

  test('of another environment is not seen', async () => {
    const id = await issue();
    expect(await loadInvoiceContent(db, qrBases, live.environmentId, id)).toBeNull();
  });
});

describe('a rectificativa names all invoices that it corrects', () => {
  const differences = (rectifies_id: string | null, more: Given = {}) =>
    issue({ kind: 'rectifying_differences', rectifies_id, rectification_reason: 'correction', ...more });
  const substitution = (rectifies_id: string | null, more: Given = {}) =>
    issue({
      kind: 'rectifying_substitution',
      rectifies_id,
      rectification_reason: 'other',
      rectified_base: 8_000,
      rectified_tax: 1_680,
      ...more,
    });
  const numberOf = (id: string) => `F-2026-${id.slice(4)}`;

  async function referencesOf(id: string): Promise<string[]> {
    const { rectification } = await contentOf(id);
    return rectification?.references.map(({ number }) => number) ?? [];
  }

  test('the original, with its date', async () => {
    const original = await issue();
    const { rectification } = await contentOf(await substitution(original));
    expect(rectification).toEqual({
      references: [{ number: numberOf(original), issuedOn: '2026-07-01', operationOn: null }],
      reason: 'other',
      period: null,
      base: 8_000,
      tax: 1_680,
      surcharge: null,
    });
  });

  test('the original and the differences issued since, in their order', async () => {
    const original = await issue();
    const first = await differences(original);
    const second = await differences(first);
    expect(await referencesOf(await substitution(second))).toEqual([original, first, second].map(numberOf));
  });

  test('a substitution without anything before it', async () => {
    const replaced = await substitution(await differences(await issue()));
    const delta = await differences(replaced);
    expect(await referencesOf(await differences(delta))).toEqual([replaced, delta].map(numberOf));
  });

  test('not what had been voided before, but what was voided afterwards', async () => {
    const original = await issue();
    const voided = await differences(original, { voided: new Date('2026-06-30T00:00:00Z') });
    const later = await differences(voided, { voided: new Date('2030-01-01T00:00:00Z') });
    expect(await referencesOf(await differences(later))).toEqual([original, later].map(numberOf));
  });

  test('an original issued elsewhere', async () => {
    const external = { external_number: 'VIEJA-7', external_issued_on: '2024-03-05' };
    const first = await differences(null, external);
    expect((await contentOf(first)).rectification?.references).toEqual([
      { number: 'VIEJA-7', issuedOn: '2024-03-05', operationOn: null },
    ]);
    expect(await referencesOf(await differences(first))).toEqual(['VIEJA-7', numberOf(first)]);
  });

  test('and an exchange its tickets', async () => {
    const tickets = [await issue({ type: 'simplified' }), await issue({ type: 'simplified' })];
    const exchange_id = await issue({ kind: 'exchange' });
    for (const ticket_id of tickets) {
      await insert(db, 'invoice_exchange', { exchange_id, ticket_id, environment_id: home.environmentId });
    }
    const { exchanged } = await contentOf(exchange_id);
    expect(exchanged).toEqual(tickets.map((id) => ({ number: numberOf(id), issuedOn: '2026-07-01' })));
  });
});
