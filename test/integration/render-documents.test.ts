import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { renderDocumentsTask } from '../../jobs/render-documents.ts';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import type { Documents } from '../../src/subjects/documents/document.ts';
import { ObjectStoreError } from '../../src/subjects/documents/object-store.ts';
import type { Renderer } from '../../src/subjects/documents/render.ts';
import { issuedInvoice } from '../support/documents/issued-invoice.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let home: TestEnvironment;
let other: TestEnvironment;
let drawn: string[];
let documents: Documents;

beforeAll(async () => {
  service = await testService({});
});
afterAll(() => service.close());
beforeEach(async () => {
  ({ test: home, live: other } = await createCompany(service.db));
  await service.owner.query('delete from graphile_worker._private_jobs');
  drawn = [];
  documents = { ...service.services, renderer: drawing(async () => Buffer.from('%PDF')) };
});

/** A renderer that notes what it is given to draw. */
function drawing(draw: (content: InvoiceContent) => Promise<Buffer>): Renderer {
  const render = (content: InvoiceContent) => {
    drawn.push(content.number);
    return draw(content);
  };
  return { ...service.services.renderer, render };
}

const issue = (place = home, number?: string) =>
  issuedInvoice(service.db, place, number === undefined ? {} : { number });
const jobs = async () =>
  (
    await service.owner.query<{ task: string; key: string; attempts: number }>(
      'select task_identifier as task, key, attempts from graphile_worker.jobs order by key',
    )
  ).rows;
/** The state of each document, by its invoice. */
const states = async () => {
  const { rows } = await service.owner.query<{ id: string; state: string }>(
    'select invoice_id as id, state from invoice_document where environment_id = any($1)',
    [[home.environmentId, other.environmentId]],
  );
  return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
};
const all = (ids: readonly string[], state: string) => Object.fromEntries(ids.map((id) => [id, state]));
const run = (from = documents, abortSignal?: AbortSignal) =>
  renderDocumentsTask(from)({ environmentId: home.environmentId }, { abortSignal } as never);

/** Runs turns until the environment has no job for its documents. */
async function render(from = documents): Promise<void> {
  const isDue = async () => (await jobs()).some(({ task }) => task === 'render_documents');
  do {
    await service.owner.query(
      `delete from graphile_worker._private_jobs where key like 'render_documents:%'`,
    );
    await run(from);
  } while (await isDue());
}

test('issuing any number of invoices leaves one job for the documents of the environment', async () => {
  for (let sent = 0; sent < 3; sent += 1) {
    const { status } = await service.call('POST', '/v1/invoices', {
      key: home.key,
      body: aSimplifiedInvoice(),
    });
    expect(status).toBe(201);
  }
  expect(await jobs()).toEqual([
    expect.objectContaining({ task: 'render_documents', key: `render_documents:${home.environmentId}` }),
  ]);
});

test('the job stores every document that waits in its environment, and no others', async () => {
  const ids = [await issue(), await issue(), await issue()];
  const elsewhere = await issue(other);
  await render();
  expect(await states()).toEqual({ ...all(ids, 'stored'), [elsewhere]: 'waiting' });
  expect(drawn).toHaveLength(3);
  expect(await jobs()).toEqual([]);
  await render();
  expect(drawn).toHaveLength(3);
});

test('a document whose rendering fails gets a job of its own and does not hold up the others', async () => {
  const [broken, whole] = [await issue(home, 'BROKEN'), await issue()];
  const failing = drawing((content) =>
    content.number === 'BROKEN' ? Promise.reject(new Error('a bug')) : Promise.resolve(Buffer.from('%PDF')),
  );
  await render({ ...documents, renderer: failing });
  expect(await states()).toEqual({ [broken]: 'waiting', [whole]: 'stored' });
  expect(await jobs()).toEqual([expect.objectContaining({ task: 'render_pdf', key: `pdf:${broken}` })]);
  await render({ ...documents, renderer: failing });
  expect(drawn).toHaveLength(2);
});

test('while nothing can be stored the job fails, and no document gets a job of its own', async () => {
  const id = await issue();
  const down = {
    storesNew: true,
    prefix: '',
    write: () => Promise.reject(new ObjectStoreError('down')),
    read: () => Promise.reject(new ObjectStoreError('down')),
  };
  await expect(run({ ...documents, objectStore: down as never })).rejects.toThrow('unavailable');
  expect(await states()).toEqual({ [id]: 'waiting' });
  expect(await jobs()).toEqual([]);
});

test('a turn that is over leaves the rest to the next job', async () => {
  const ids = [await issue(), await issue()];
  await run(documents, AbortSignal.abort());
  expect(await states()).toEqual(all(ids, 'waiting'));
  expect(await jobs()).toEqual([
    expect.objectContaining({ task: 'render_documents', key: `render_documents:${home.environmentId}` }),
  ]);
});

test('a document that another process claimed and left is stored once the claim has expired', async () => {
  const id = await issue();
  await service.owner.query(
    `update invoice_document set lease_token = 'dead', lease_until = now() + interval '300 milliseconds'
      where invoice_id = $1`,
    [id],
  );
  await render();
  expect(await states()).toEqual({ [id]: 'stored' });
});

test('a document that has a job of its own is left to it', async () => {
  const id = await issue();
  const payload = { environmentId: home.environmentId, invoiceId: id };
  await enqueue(service.db.pool, [{ task: 'render_pdf', payload }]);
  await render();
  expect(await states()).toEqual({ [id]: 'waiting' });
});

test('a job beside one that renders for its environment ends at once, and is added again for later', async () => {
  await issue();
  const drawingBegan = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const slow = drawing(async () => {
    drawingBegan.resolve();
    await finish.promise;
    return Buffer.from('%PDF');
  });
  const task = renderDocumentsTask({ ...documents, renderer: slow });
  const turn = () => task({ environmentId: home.environmentId }, {} as never);
  const first = turn();
  await drawingBegan.promise;
  await turn();
  const { rows } = await service.owner.query<{ later: boolean }>(
    'select run_at > now() as later from graphile_worker.jobs',
  );
  expect(rows).toEqual([{ later: true }]);
  finish.resolve();
  await first;
  expect(drawn).toHaveLength(1);
});
