import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderPdfTask } from '../../jobs/render-pdf.ts';
import type { Db } from '../../src/ground/db/client.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { type Documents, documentFor } from '../../src/subjects/documents/document.ts';
import { createRenderer, type Renderer } from '../../src/subjects/documents/render.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type Given, imported, issuedInvoice } from '../support/documents/issued-invoice.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { testLog } from '../support/processes/run-log.ts';

const qrBases = { live: 'https://agency.example/ValidarQR', test: 'http://simulator.example/ValidarQR' };

const log = testLog();

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
  ({ test: home, live } = await createCompany(db));
  threads = createRenderer({ threads: 1 });
  documents = { db, log, qrBases, renderer: counting(threads), objectStore: null };
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

/** The pool, noting at each statement how many are in progress then. */
function watched(pool: Db['pool'], inProgress: number[]): Db['pool'] {
  let running = 0;
  const query = (...sent: unknown[]) => {
    running += 1;
    inProgress.push(running);
    const answered = Reflect.apply(pool.query, pool, sent) as Promise<unknown>;
    return answered.finally(() => {
      running -= 1;
    });
  };
  return Object.create(pool, { query: { value: query } }) as Db['pool'];
}

const issue = (given: Given = {}) => issuedInvoice(db, home, given);

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

  test('is rendered when it is requested before the job ran, and stored with its checksum', async () => {
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

  test('takes three round trips: it is read, claimed while its content is read, and stored', async () => {
    const id = await issue();
    const inProgress: number[] = [];
    const from = { ...documents, db: { pool: watched(db.pool, inProgress) } };
    await bytesOf(id, from);
    expect(inProgress).toEqual([1, 1, 2, 3, 1]);
    await bytesOf(id, from);
    expect(inProgress, 'stored, it is read once').toHaveLength(6);
  });

  test('is rendered once and then only read', async () => {
    const id = await issue();
    const before = renderings;
    const first = await bytesOf(id);
    expect(await bytesOf(id)).toEqual(first);
    expect(renderings).toBe(before + 1);
  });

  test('is rendered once for all who request it at the same time', async () => {
    const id = await issue();
    const before = renderings;
    const all = await Promise.all(Array.from({ length: 20 }, () => bytesOf(id)));
    expect(renderings).toBe(before + 1);
    for (const bytes of all) expect(bytes).toEqual(all[0]);
  });

  test('keeps waiting when rendering fails, for the next request', async () => {
    const id = await issue();
    const renderer = { ...threads, render: () => Promise.reject(new Error('out of ink')) };
    await expect(bytesOf(id, { ...documents, renderer })).rejects.toThrow('out of ink');
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', bytes: null });
    expect((await bytesOf(id)).length).toBeGreaterThan(10_000);
  });

  test('of an imported invoice is made too', async () => {
    const id = await issue(imported);
    const bytes = await bytesOf(id);
    expect(await stateOf(id)).toMatchObject({ state: 'stored', bytes });
  });

  test('that does not exist, or is of another environment, is invoice_not_found', async () => {
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
