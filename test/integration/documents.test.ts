import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderPdfTask } from '../../jobs/render-pdf.ts';
import { closeDb, type Db, openDb } from '../../src/db/client.ts';
import { type InvoiceContent, loadInvoiceContent } from '../../src/documents/content.ts';
import { type Documents, documentFor } from '../../src/documents/document.ts';
import { createRenderer, type Renderer } from '../../src/documents/render.ts';
import { isRefusal } from '../../src/errors/refusal.ts';
import type { InvoiceRow } from '../../src/issuing/rows.ts';
import { createCompany, type TestEnvironment } from '../support/company.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const qrBases = { live: 'https://agency.example/ValidarQR', test: 'http://simulator.example/ValidarQR' };
const issuer = {
  nif: 'B72877814',
  legalName: 'Talleres Ñandú SL',
  line1: 'Calle Mayor 1',
  line2: null,
  postalCode: '28001',
  city: 'Madrid',
  country: 'ES',
};

let database: TestDatabase;
let db: Db;
let home: TestEnvironment;
let live: TestEnvironment;
let threads: Renderer;
let renderings = 0;
let documents: Documents;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  const company = await createCompany(db);
  home = company.test;
  live = company.live;
  threads = createRenderer({ threads: 1 });
  documents = { db, qrBases, renderer: counting(threads) };
});
afterAll(async () => {
  await threads.stop();
  await database.close();
});

function counting(renderer: Renderer): Renderer {
  return {
    ...renderer,
    render: (content: InvoiceContent) => {
      renderings += 1;
      return renderer.render(content);
    },
  };
}

type Given = Partial<Omit<InvoiceRow, 'imported'>> & { imported?: boolean; voided?: Date };

let count = 0;

/** An invoice as issuing leaves it, with its sealed record and its waiting document; its id. */
async function issue(given: Given = {}, environment = home): Promise<string> {
  count += 1;
  const id = `inv_${count}`;
  const { voided, ...columns } = given;
  const row = {
    id,
    environment_id: environment.environmentId,
    series_id: environment.standardSeriesId,
    series_year: 2026,
    series_number: count,
    number: `F-2026-${count}`,
    type: 'complete',
    kind: 'original',
    currency: 'eur',
    subtotal: 3_000,
    tax: 630,
    total: 3_630,
    issued_at: new Date(Date.UTC(2026, 5, 30, 22, count)),
    issued_on: '2026-07-01',
    issuer,
    breakdown: [
      {
        type: 'vat',
        name: 'IVA 21%',
        rate: 2100,
        base: 3_000,
        tax: 630,
        regimeKey: '01',
        legalMention: null,
      },
    ],
    imported: false,
    ...columns,
  };
  await insert('invoice', row);
  const line = { environment_id: environment.environmentId, invoice_id: id, quantity: 1, sku: null };
  const amounts = { unit_amount: 1_500, subtotal: 1_500, tax: 315, total: 1_815 };
  await insert('invoice_line', {
    ...line,
    ...amounts,
    position: 1,
    id: 'ili_b',
    description: 'segunda',
    sku: 'S-2',
  });
  await insert('invoice_line', { ...line, ...amounts, position: 0, id: 'ili_a', description: 'primera' });
  for (const line_position of [0, 1]) {
    const tax = { type: 'vat', name: 'IVA 21%', rate_basis_points: 2100, amount: 315 };
    await insert('tax_item', {
      ...tax,
      environment_id: environment.environmentId,
      invoice_id: id,
      line_position,
      position: 0,
    });
  }
  if (row.imported) return id;
  await insert('registration_record', {
    id: `rec_${count}`,
    environment_id: environment.environmentId,
    chain_id: environment.chainId,
    kind: 'registration',
    invoice_id: id,
    ...(await nextLink(environment)),
    fingerprint: 'A'.repeat(64),
    generated_at: row.issued_at,
    xml: `<sf:RegistroAlta xmlns:sf="urn:x">${id}</sf:RegistroAlta>`,
  });
  await insert('invoice_document', {
    invoice_id: id,
    environment_id: environment.environmentId,
    state: 'waiting',
  });
  if (voided !== undefined) {
    const reason = { reason: 'duplicate', voided_by: 'opk_1', voided_at: voided };
    await insert('invoice_void', {
      invoice_id: id,
      environment_id: environment.environmentId,
      record_id: `rec_${count}`,
      ...reason,
    });
  }
  return id;
}

/** Where the next record of a chain belongs. */
async function nextLink({ chainId }: TestEnvironment): Promise<object> {
  const { rows } = await db.pool.query<{ id: string; position: number }>(
    'select id, position from registration_record where chain_id = $1 order by position desc limit 1',
    [chainId],
  );
  const last = rows[0];
  return {
    position: (last?.position ?? 0) + 1,
    previous_record_id: last?.id ?? null,
    previous_fingerprint: last === undefined ? null : 'A'.repeat(64),
  };
}

async function insert(table: string, row: object): Promise<void> {
  await db.pool.query(`insert into ${table} select * from json_populate_record(null::${table}, $1)`, [
    JSON.stringify(row),
  ]);
}

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
      breakdown: [{ type: 'vat', regimeKey: '01', legalMention: null }],
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

  test('leads live invoices to the agency', async () => {
    const content = await contentOf(await issue({}, live), live);
    expect(content.environment).toBe('live');
    expect(content.qrUrl).toMatch(/^https:\/\/agency\.example/);
  });

  test('of an imported invoice has neither code nor record', async () => {
    const id = await issue({ imported: true, ...imported });
    expect(await contentOf(id)).toMatchObject({ qrUrl: null, recordXml: null });
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

const imported = { series_id: null, series_year: null, series_number: null } as unknown as Given;

describe('a rectificativa names all that it corrects', () => {
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
      references: [{ number: numberOf(original), issuedOn: '2026-07-01' }],
      reason: 'other',
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

  test('a substitution and nothing before it', async () => {
    const replaced = await substitution(await differences(await issue()));
    const delta = await differences(replaced);
    expect(await referencesOf(await differences(delta))).toEqual([replaced, delta].map(numberOf));
  });

  test('nothing that had been voided before, but what was voided afterwards', async () => {
    const original = await issue();
    const voided = await differences(original, { voided: new Date('2026-06-30T00:00:00Z') });
    const later = await differences(voided, { voided: new Date('2030-01-01T00:00:00Z') });
    expect(await referencesOf(await differences(later))).toEqual([original, later].map(numberOf));
  });

  test('an original issued elsewhere', async () => {
    const external = { external_number: 'VIEJA-7', external_issued_on: '2024-03-05' };
    const first = await differences(null, external);
    expect((await contentOf(first)).rectification?.references).toEqual([
      { number: 'VIEJA-7', issuedOn: '2024-03-05' },
    ]);
    expect(await referencesOf(await differences(first))).toEqual(['VIEJA-7', numberOf(first)]);
  });

  test('and an exchange its tickets', async () => {
    const tickets = [await issue({ type: 'simplified' }), await issue({ type: 'simplified' })];
    const exchange_id = await issue({ kind: 'exchange' });
    for (const ticket_id of tickets) {
      await insert('invoice_exchange', { exchange_id, ticket_id, environment_id: home.environmentId });
    }
    const { exchanged } = await contentOf(exchange_id);
    expect(exchanged).toEqual(tickets.map((id) => ({ number: numberOf(id), issuedOn: '2026-07-01' })));
  });
});

describe('the document of an invoice', () => {
  const stateOf = async (id: string) => {
    const { rows } = await db.pool.query<{ state: string; bytes: Buffer | null; sha256: Buffer | null }>(
      'select state, bytes, sha256, rendered_at from invoice_document where invoice_id = $1',
      [id],
    );
    return rows[0];
  };

  async function bytesOf(id: string, from = documents): Promise<Buffer> {
    const document = await documentFor(from, home.environmentId, id);
    if (isRefusal(document)) throw new Error(document.detail);
    return document.bytes;
  }

  test('is rendered when it is asked for before the job came to it, and kept with its checksum', async () => {
    const id = await issue();
    const bytes = await bytesOf(id);
    expect(bytes.subarray(0, 8).toString()).toBe('%PDF-1.7');
    const sha256 = createHash('sha256').update(bytes).digest();
    expect(await stateOf(id)).toMatchObject({
      state: 'stored',
      bytes,
      sha256,
      rendered_at: expect.any(Date),
    });
  });

  test('is rendered once and then only read', async () => {
    const id = await issue();
    const before = renderings;
    const first = await bytesOf(id);
    expect(await bytesOf(id)).toEqual(first);
    expect(renderings).toBe(before + 1);
  });

  test('is rendered once for all who ask at the same time', async () => {
    const id = await issue();
    const before = renderings;
    const all = await Promise.all(Array.from({ length: 20 }, () => bytesOf(id)));
    expect(renderings).toBe(before + 1);
    for (const bytes of all) expect(bytes).toEqual(all[0]);
  });

  test('is the first rendering for every process, whichever was quicker', async () => {
    const id = await issue();
    const other = openDb(database.url, { max: 2, log: pino({ level: 'silent' }) });
    try {
      // Another version of the service, whose pages look different.
      const renderer = { ...threads, render: async () => Buffer.from('%PDF another') };
      const [here, there] = await Promise.all([bytesOf(id), bytesOf(id, { db: other, qrBases, renderer })]);
      expect(here).toEqual(there);
      expect((await stateOf(id))?.bytes).toEqual(here);
    } finally {
      await closeDb(other);
    }
  });

  test('waits on when rendering fails, for the next who asks', async () => {
    const id = await issue();
    const renderer = { ...threads, render: () => Promise.reject(new Error('out of ink')) };
    await expect(bytesOf(id, { ...documents, renderer })).rejects.toThrow('out of ink');
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', bytes: null });
    expect((await bytesOf(id)).length).toBeGreaterThan(10_000);
  });

  test('of an imported invoice is made too', async () => {
    const id = await issue({ imported: true, ...imported });
    const bytes = await bytesOf(id);
    expect(await stateOf(id)).toMatchObject({ state: 'stored', bytes });
  });

  test('that nobody issued, or of another environment, is invoice_not_found', async () => {
    const id = await issue();
    for (const [environmentId, invoiceId] of [
      [home.environmentId, 'inv_unknown'],
      [live.environmentId, id],
    ] as const) {
      expect(await documentFor(documents, environmentId, invoiceId)).toMatchObject({
        code: 'invoice_not_found',
      });
    }
    expect(await stateOf(id)).toMatchObject({ state: 'waiting' });
  });

  test('is made by the job, which may run twice', async () => {
    const id = await issue();
    const task = renderPdfTask(documents);
    const run = () => task({ environmentId: home.environmentId, invoiceId: id }, undefined as never);
    await run();
    const first = await stateOf(id);
    expect(first?.state).toBe('stored');
    await run();
    expect(await stateOf(id)).toEqual(first);
    await expect(task({ invoiceId: 'inv_unknown' }, undefined as never)).rejects.toThrow();
  });
});
