import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { renderPdfTask } from '../../jobs/render-pdf.ts';
import type { ObjectStoreConfig } from '../../src/ground/config/config.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { type Documents, documentFor } from '../../src/subjects/documents/document.ts';
import { moveToStore } from '../../src/subjects/documents/move-to-store.ts';
import { ObjectStoreError, openObjectStore } from '../../src/subjects/documents/object-store.ts';
import { createRenderer, type Renderer } from '../../src/subjects/documents/render.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type DatabaseProxy, databaseProxy } from '../support/database/database-proxy.ts';
import { issuedInvoice } from '../support/documents/issued-invoice.ts';
import { type TestObjectStore, testObjectStore } from '../support/documents/object-store.ts';
import { testService } from '../support/http/http-service.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { commandLine } from '../support/processes/command-line.ts';
import { testLog } from '../support/processes/run-log.ts';

const qrBases = { live: 'https://agency.example/ValidarQR', test: 'http://simulator.example/ValidarQR' };

let database: TestDatabase;
let store: TestObjectStore;
let way: DatabaseProxy;
let home: TestEnvironment;
let companyId: string;
let threads: Renderer;
let renderings = 0;
let logged: { level: number; msg: string; defect?: string; before?: string; now?: string }[] = [];
const log = testLog((line) => logged.push(JSON.parse(line)), 'info');

beforeAll(async () => {
  [database, store] = await Promise.all([testDatabase(), testObjectStore()]);
  way = await databaseProxy(store.url);
  const company = await createCompany(database.db);
  home = company.live;
  companyId = company.companyId;
  threads = createRenderer({ threads: 1 });
});
beforeEach(() => {
  logged = [];
  renderings = 0;
});
afterAll(async () => {
  await threads?.stop();
  await way?.close();
  await store?.close();
  await database?.close();
});

const renderer: Renderer = {
  render: (content: InvoiceContent) => {
    renderings += 1;
    return threads.render(content);
  },
  stop: async () => {},
};

/** What a process works with; null for one that knows of no object store. */
function documents(given: Partial<ObjectStoreConfig> | null = {}, limits = {}): Documents {
  const objectStore = given === null ? null : openObjectStore({ ...store.config, ...given }, limits);
  onTestFinished(() => objectStore?.close());
  return { db: database.db, log, qrBases, renderer, objectStore };
}

async function bytesOf(from: Documents, id: string): Promise<Buffer> {
  const document = await documentFor(from, home.environmentId, id);
  if (isRefusal(document)) throw new Error(document.detail);
  return document.bytes;
}

async function rowOf(id: string) {
  const { rows } = await database.db.pool.query(
    `select state, bytes, object_key as key, sha256, renderings, lease_token as lease
       from invoice_document where invoice_id = $1`,
    [id],
  );
  return rows[0] as { bytes: Buffer | null; key: string | null; sha256: Buffer; renderings: number };
}

const issue = () => issuedInvoice(database.db, home);
const hex = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a document in the object store', () => {
  test('lies under a key that no other environment, invoice or version can have; its checksum is in Postgres', async () => {
    const id = await issue();
    const bytes = await bytesOf(documents({ prefix: 'lacre/2026/' }), id);
    const checksum = Buffer.from(hex(bytes), 'hex').toString('base64');
    expect(store.requestHeaders.at(-1)).toMatchObject({ 'x-amz-checksum-sha256': checksum });
    const key = `lacre/2026/${companyId}/live/${id}/${hex(bytes)}.pdf`;
    expect(await rowOf(id)).toEqual({
      ...{ state: 'stored', bytes: null, key, renderings: 1, lease: null },
      sha256: Buffer.from(hex(bytes), 'hex'),
    });
    expect(await store.get(key)).toEqual(bytes);
    // Where it lies is remembered: it is found whatever new keys begin with.
    expect(await bytesOf(documents(), id)).toEqual(bytes);
    expect(renderings).toBe(1);
  });

  test('stays readable when new ones go to Postgres, and the other way round', async () => {
    const [first, second] = [await issue(), await issue()];
    const there = await bytesOf(documents(), first);
    const back = documents({ storesNew: false });
    const here = await bytesOf(back, second);
    expect(await rowOf(second)).toMatchObject({ key: null, bytes: here });
    for (const from of [back, documents()]) {
      expect(await bytesOf(from, first)).toEqual(there);
      expect(await bytesOf(from, second)).toEqual(here);
    }
    expect(renderings).toBe(2);
  });
});

describe('a document that was lost', () => {
  const downloads = (from: Documents, id: string) =>
    Promise.all(Array.from({ length: 5 }, () => bytesOf(from, id)));

  test.each([
    ['missing', (key: string) => store.remove(key)],
    ['corrupt', (key: string) => store.put(key, Buffer.from('%PDF-1.7 of somebody else'))],
  ] as const)(
    '%s in the object store, is rendered once more to the same bytes and stored again',
    async (defect, remove) => {
      const id = await issue();
      const from = documents();
      const bytes = await bytesOf(from, id);
      const before = await rowOf(id);
      await remove(before.key!);
      for (const again of await downloads(from, id)) expect(again).toEqual(bytes);
      expect(renderings).toBe(2);
      expect(await rowOf(id)).toEqual({ ...before, renderings: 2 });
      expect(await store.get(before.key!)).toEqual(bytes);
      expect(logged.map(({ level, msg, defect: found }) => [level, msg.slice(0, 26), found])).toEqual([
        [50, 'a stored document is lost;', defect],
        [30, 'a lost document is back, b', undefined],
      ]);
      expect(JSON.stringify(logged)).toContain(id);
    },
  );

  test('or changed in Postgres, too', async () => {
    const id = await issue();
    const from = documents(null);
    const bytes = await bytesOf(from, id);
    await database.db.pool.query(
      'update invoice_document set bytes = set_byte(bytes, 99, (get_byte(bytes, 99) + 1) % 256) where invoice_id = $1',
      [id],
    );
    for (const again of await downloads(from, id)) expect(again).toEqual(bytes);
    expect(await rowOf(id)).toMatchObject({ bytes, renderings: 2 });
    expect(logged[0]).toMatchObject({ level: 50, defect: 'corrupt' });
  });

  test('is stored where new ones go', async () => {
    const id = await issue();
    const bytes = await bytesOf(documents(), id);
    const { key } = await rowOf(id);
    await store.remove(key!);
    expect(await bytesOf(documents({ storesNew: false }), id)).toEqual(bytes);
    expect(await rowOf(id)).toMatchObject({ key: null, bytes, renderings: 2 });
  });

  test('and is rendered differently by now, is another document, and the log states it', async () => {
    const id = await issue();
    const bytes = await bytesOf(documents(), id);
    const { key } = await rowOf(id);
    await store.remove(key!);
    const other = Buffer.from('%PDF of another version');
    const later = { ...documents(), renderer: { ...threads, render: async () => other } };
    expect(await bytesOf(later, id)).toEqual(other);
    expect(await bytesOf(documents(), id)).toEqual(other);
    expect(logged.at(-1)).toMatchObject({ level: 50, before: hex(bytes), now: hex(other) });
  });
});

describe('while the object store is unavailable', () => {
  const refused = { code: 'service_unavailable', status: 503, retryAfter: 5 };
  const outcome = (from: Documents, id: string) => documentFor(from, home.environmentId, id);

  test('unavailable, nothing is lost: stored and new documents wait until it is back', async () => {
    const [old, fresh] = [await issue(), await issue()];
    const from = documents({ endpoint: way.through(store.url) });
    const bytes = await bytesOf(from, old);
    way.cut();
    expect(await outcome(from, old)).toMatchObject(refused);
    expect(await outcome(from, fresh)).toMatchObject(refused);
    expect(await rowOf(fresh)).toMatchObject({ state: 'waiting', renderings: 0, lease: null });
    way.resume();
    expect(await bytesOf(from, old)).toEqual(bytes);
    expect((await bytesOf(from, fresh)).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await rowOf(old)).toMatchObject({ renderings: 1 });
  });

  test('silent, callers wait only at first, and are served soon after it is back', async () => {
    const id = await issue();
    const from = documents(
      { endpoint: way.through(store.url) },
      { answerWithinMs: 2_000, probeAfterMs: 3_000 },
    );
    const bytes = await bytesOf(from, id);
    // Those who request one document at the same time share a reading, and would fail together.
    const others: string[] = [];
    while (others.length < 8) others.push(await issue());
    for (const other of others) await bytesOf(from, other);
    way.deafen();
    onTestFinished(() => way.resume());
    const inVain = await Promise.all(others.map((other) => outcome(from, other)));
    for (const answer of inVain) expect(answer).toMatchObject(refused);
    const begun = performance.now();
    expect(await outcome(from, id)).toMatchObject(refused);
    // Nobody waited for the store.
    expect(performance.now() - begun).toBeLessThan(2_000);
    way.cut();
    way.resume();
    await expect.poll(() => outcome(from, id)).toMatchObject({ bytes });
  });

  test.each([
    ['a bucket that is not there', { bucket: 'elsewhere' }],
    ['a key that it refuses', { credentials: { accessKeyId: 'NOBODY', secretAccessKey: 'wrong' } }],
  ])('%s does not count as a lost document', async (_what, fault) => {
    const id = await issue();
    await bytesOf(documents(), id);
    expect(await outcome(documents(fault), id)).toMatchObject(refused);
    expect(await rowOf(id)).toMatchObject({ renderings: 1 });
    expect(renderings).toBe(1);
  });

  test('nor when it is no longer configured', async () => {
    const id = await issue();
    await bytesOf(documents(), id);
    expect(await outcome(documents(null), id)).toMatchObject(refused);
    expect(logged.at(-1)).toMatchObject({ level: 40, reason: expect.stringContaining('S3_BUCKET') });
  });
});

test('whose object store is unavailable, the service issues on, and downloads are to be retried', async () => {
  const service = await testService(store.variables(way.through(store.url)));
  onTestFinished(() => service.close());
  onTestFinished(() => way.resume());
  way.cut();
  const issued = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  expect(issued.status).toBe(201);
  const { pathname, search } = new URL(issued.body.pdf_url);
  const download = () => service.call('GET', pathname + search, { key: null });
  const answer = await download();
  expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  expect(answer.headers.get('retry-after')).toBe('5');
  const render = renderPdfTask(service.services);
  const job = { environmentId: service.company.test.environmentId, invoiceId: issued.body.id };
  await expect(render(job, undefined as never)).rejects.toThrow(issued.body.id);

  way.resume();
  await render(job, undefined as never);
  expect(await store.keys()).toContainEqual(expect.stringContaining(`/test/${issued.body.id}/`));
  const there = await download();
  expect(there.status).toBe(200);
  expect(there.headers.get('content-type')).toBe('application/pdf');
  const figures = (await service.call('GET', '/metrics', { key: null })).body as string;
  expect(figures).toMatch(
    /lacre_document_store_duration_seconds_count\{operation="write",outcome="failed"\} [1-9]/,
  );
  expect(figures).toMatch(
    /lacre_document_store_duration_seconds_count\{operation="write",outcome="ok"\} [1-9]/,
  );
  expect(figures).toMatch(/lacre_documents_lost_total\{reason="missing"\} [1-9]/);
});

/** For documents that must not be rendered again. */
const NOBODY: Renderer = {
  render: () => Promise.reject(new Error('rendered again')),
  stop: async () => {},
};

describe('documents that are moved to the object store', () => {
  const BY = { actor: 'cli:test', reason: 'by hand' };
  const by = ['--reason', 'the bucket is there', '--live'];
  const line = (variables = store.variables()) => commandLine(database.db, variables);
  const moves = (variables?: Record<string, string>) =>
    line(variables)(['database', 'move-documents', ...by, '--json']);

  test('are the same ones there, rendered no second time; a run that broke off goes on', async () => {
    const before = new Map<string, Buffer>();
    while (before.size < 12) {
      const id = await issue();
      before.set(id, await bytesOf(documents(null), id));
    }
    const there = async () => {
      for (const [id, bytes] of before)
        expect(await bytesOf({ ...documents(), renderer: NOBODY }, id)).toEqual(bytes);
    };
    const result = await line()(['database', 'move-documents', '--reason', 'x', '--json']);
    expect(result).toMatchObject({ exit: 7, stderr: expect.stringContaining('This would move') });
    way.cut();
    expect((await moves(store.variables(way.through(store.url)))).exit).toBe(5);
    way.resume();
    // The store goes away while some are moved.
    const whole = openObjectStore(store.config);
    let written = 0;
    const write: typeof whole.write = (...object) => {
      written += 1;
      return written > 9 ? Promise.reject(new ObjectStoreError('away')) : whole.write(...object);
    };
    const seen: number[] = [];
    const broken = moveToStore({ db: database.db, store: { ...whole, write } }, BY, (done) =>
      seen.push(done),
    );
    await expect(broken).rejects.toThrow('away');
    expect(seen).toEqual([8]);
    await there();

    const { exit, json } = await moves();
    expect([exit, json()]).toEqual([
      0,
      { moved: expect.any(Number), bytes: expect.any(Number), changed: 0, corrupt: 0 },
    ]);
    await there();
    for (const [id, bytes] of before) {
      const key = `${companyId}/live/${id}/${hex(bytes)}.pdf`;
      const sha256 = Buffer.from(hex(bytes), 'hex');
      expect(await rowOf(id)).toMatchObject({ bytes: null, renderings: 1, key, sha256 });
    }
    expect((await moves()).json()).toMatchObject({ moved: 0 });
    const { rows } = await database.db.pool.query(
      "select reason from audit_entry where action = 'move_documents' order by at, id",
    );
    expect(rows.map(({ reason }) => reason)).toEqual([by[1], BY.reason, by[1]]);
  });

  test('stay where they are when their bytes do not match the checksum, and nothing moves without DOCUMENTS=s3', async () => {
    const [damaged, whole] = [await issue(), await issue()];
    const bytes = await bytesOf(documents(null), whole);
    await bytesOf(documents(null), damaged);
    await database.db.pool.query(
      'update invoice_document set bytes = set_byte(bytes, 9, (get_byte(bytes, 9) + 1) % 256) where invoice_id = $1',
      [damaged],
    );
    expect((await moves({ ...store.variables(), DOCUMENTS: 'database' })).exit).toBe(2);
    expect(await rowOf(whole)).toMatchObject({ key: null, bytes });
    expect((await moves()).json()).toMatchObject({ moved: 1, corrupt: 1 });
    expect(await rowOf(whole)).toMatchObject({ bytes: null });
    expect(await rowOf(damaged)).toMatchObject({ key: null });
  });

  test('are found by lacre verify when their bytes are changed or missing, wherever they are stored', async () => {
    const [damaged, away, swapped, sound] = [await issue(), await issue(), await issue(), await issue()];
    for (const id of [away, swapped]) await bytesOf(documents(openObjectStore(store.config)), id);
    for (const id of [damaged, sound]) await bytesOf(documents(null), id);
    const environment = ['--environment', `${home.environmentId}`];
    const verify = async (variables: Record<string, string> = store.variables()) =>
      line(variables)(['verify', '--documents', ...environment, '--json']);
    const before = (await verify()).json().documents[0];

    await database.db.pool.query(
      'update invoice_document set bytes = set_byte(bytes, 9, (get_byte(bytes, 9) + 1) % 256) where invoice_id = $1',
      [damaged],
    );
    const whole = openObjectStore(store.config);
    await whole.write((await rowOf(swapped)).key!, Buffer.from('%PDF of somebody else'));
    await database.db.pool.query(
      "update invoice_document set object_key = object_key || '.gone' where invoice_id = $1",
      [away],
    );
    const { exit, json } = await verify();
    const found = json().documents[0];
    expect([exit, json().sound, found.findingCount - before.findingCount]).toEqual([6, false, 3]);
    expect(found.documents).toBe(before.documents);
    const others = before.findings.map(({ invoiceId }: { invoiceId: string }) => invoiceId);
    const newFindings = found.findings.filter(
      ({ invoiceId }: { invoiceId: string }) => !others.includes(invoiceId),
    );
    const sums = Object.fromEntries(
      newFindings.map(({ invoiceId, found: sum }: { invoiceId: string; found: string | null }) => [
        invoiceId,
        sum,
      ]),
    );
    expect(sums).toEqual({
      [damaged]: expect.stringMatching(/^[0-9a-f]{64}$/),
      [swapped]: hex(Buffer.from('%PDF of somebody else')),
      [away]: null,
    });
    expect((await verify({ DOCUMENTS: 'database' })).exit).toBe(5);
  });

  test('are not given up for what the store gives back otherwise', async () => {
    const id = await issue();
    const bytes = await bytesOf(documents(null), id);
    const other = {
      ...openObjectStore(store.config),
      read: async () => Buffer.from('%PDF of somebody else'),
    };
    await expect(moveToStore({ db: database.db, store: other }, BY)).rejects.toThrow('gives back another');
    expect(await rowOf(id)).toMatchObject({ key: null, bytes });
  });
});
