import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { type Documents, documentFor } from '../../src/subjects/documents/document.ts';
import { createRenderer, type Renderer } from '../../src/subjects/documents/render.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { imported, issuedInvoice } from '../support/documents/issued-invoice.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually } from '../support/processes/running-program.ts';

const qrBases = { live: 'https://agency.example/ValidarQR', test: 'http://simulator.example/ValidarQR' };
const log = testLog();

let database: TestDatabase;
let home: TestEnvironment;
let threads: Renderer;
let pools: Db[];
/** Two services: each has its own connections, its own renderer, and knows nothing of what the other does. */
let one: Documents;
let other: Documents;
let rendered: string[] = [];
/** What a rendering waits for before it begins. */
let hold: Promise<unknown> = Promise.resolve();

beforeAll(async () => {
  database = await testDatabase();
  home = (await createCompany(database.db)).live;
  threads = createRenderer({ threads: 1 });
  pools = [1, 2].map(() => openDb(database.url, { max: 3, log }));
  [one, other] = ['one', 'other'].map(
    (name, index): Documents => ({
      ...{ db: pools[index]!, log, qrBases, objectStore: null },
      renderer: {
        ...threads,
        render: async (content: InvoiceContent) => {
          rendered.push(name);
          await hold;
          return threads.render(content);
        },
      },
    }),
  ) as [Documents, Documents];
});
beforeEach(() => {
  rendered = [];
  hold = Promise.resolve();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await threads?.stop();
  for (const db of pools ?? []) await closeDb(db);
  await database?.close();
});

async function bytesOf(from: Documents, id: string): Promise<Buffer> {
  const document = await documentFor(from, home.environmentId, id);
  if (isRefusal(document)) throw new Error(document.detail);
  return document.bytes;
}

const set = (id: string, what: string) =>
  database.db.pool.query(`update invoice_document set ${what} where invoice_id = $1`, [id]);

async function rowOf(id: string) {
  const { rows } = await database.db.pool.query(
    `select state, renderings, lease_token as lease, extract(epoch from lease_until - now())::float as seconds
       from invoice_document where invoice_id = $1`,
    [id],
  );
  return rows[0];
}

/** A rendering that goes on until it is told to end. */
function held(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  hold = promise;
  return resolve;
}

const done = { state: 'stored', renderings: 1, lease: null, seconds: null };

describe('a document that is requested from several processes at once', () => {
  test.each([
    ['issued', {}],
    ['imported', imported],
  ])('is rendered by one of them, and the others wait for it: %s', async (_what, given) => {
    const id = await issuedInvoice(database.db, home, given);
    const all = await Promise.all([one, other, one, other].map((from) => bytesOf(from, id)));
    for (const bytes of all) expect(bytes).toEqual(all[0]);
    expect(rendered).toHaveLength(1);
    expect(await rowOf(id)).toEqual(done);
  });

  test('and is lost, is rendered again by one of them', async () => {
    const id = await issuedInvoice(database.db, home);
    const bytes = await bytesOf(one, id);
    await set(id, "bytes = '%PDF'");
    const all = await Promise.all([one, other, other, one].map((from) => bytesOf(from, id)));
    for (const again of all) expect(again).toEqual(bytes);
    expect(rendered).toHaveLength(2);
    expect(await rowOf(id)).toEqual({ ...done, renderings: 2 });
  });

  test('is rendered by the next when the first fails', async () => {
    const id = await issuedInvoice(database.db, home);
    const ink = Promise.withResolvers<Buffer>();
    const render = () => {
      rendered.push('fails');
      return ink.promise;
    };
    const failed = expect(bytesOf({ ...one, renderer: { ...threads, render } }, id)).rejects.toThrow(
      'no ink',
    );
    await eventually(
      async () => rendered,
      ([first]) => first === 'fails',
    );
    const made = bytesOf(other, id);
    ink.reject(new Error('no ink'));
    await failed;
    expect((await made).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await rowOf(id)).toEqual(done);
  });
});

describe('the right to render a document', () => {
  test('of a process that ended expires', async () => {
    const id = await issuedInvoice(database.db, home);
    await set(id, "lease_token = 'dead', lease_until = now() + interval '300 milliseconds'");
    const bytes = bytesOf(one, id);
    expect(rendered).toEqual([]);
    expect((await bytes).subarray(0, 5).toString()).toBe('%PDF-');
    expect(rendered).toEqual(['one']);
  });

  test('is renewed for as long as the rendering takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const end = held();
    const id = await issuedInvoice(database.db, home);
    const bytes = bytesOf(one, id);
    await eventually(
      async () => rendered.length,
      (count) => count === 1,
    );
    await set(id, "lease_until = now() + interval '1 second'");
    vi.advanceTimersByTime(5_000);
    await eventually(
      () => rowOf(id),
      ({ seconds }) => seconds > 10,
    );
    end();
    await bytes;
    expect(await rowOf(id)).toEqual(done);
  });

  test('when it ran out all the same, does not let two documents be kept', async () => {
    const end = held();
    const id = await issuedInvoice(database.db, home);
    const slow = bytesOf(one, id);
    await eventually(
      async () => rendered.length,
      (count) => count === 1,
    );
    await set(id, 'lease_until = now()');
    // Another version of the service, whose pages look different.
    const renderer = { ...threads, render: async () => Buffer.from('%PDF another') };
    const quick = await bytesOf({ ...other, renderer }, id);
    end();
    expect(await slow).toEqual(quick);
    expect(await rowOf(id)).toEqual(done);
  });
});
