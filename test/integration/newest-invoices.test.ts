import { afterAll, beforeAll, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { listInvoices } from '../../src/subjects/invoices/list.ts';
import { createInvoiceReader, createNewestReader } from '../../src/subjects/invoices/reader.ts';
import { FEW_INVOICES, FEW_LINES } from '../../src/subjects/invoices/store/read-newest.ts';
import { type Sent, sentDuring } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  ANA,
  codeOf,
  decideRecords,
  differences,
  issueWith,
  operatorOf,
  type Verdict,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** The newest invoices are read by the same statement as their list: what it answers is what both answer apart. */

let service: TestService;
let environmentId: number;
let key: string;
const linesOf = (count: number) =>
  Array.from({ length: count }, () => aLine({ quantity: 1, unit_amount: 50 }));

beforeAll(async () => {
  service = await testService();
  ({ environmentId, key } = service.company.live);
  const operator = await operatorOf(service);
  const issue = async (body: object, outcome: Verdict = 'registered') => {
    const issued = await issueWith(service, body, 'live');
    await decideRecords(service.db, issued.id, outcome);
    return issued;
  };
  const done = async (act: Promise<unknown>) => expect(codeOf(await act)).toBeNull();

  // Older than all others: in its list it would stand after any of theirs.
  await issueWith(service, aSimplifiedInvoice(), 'test');
  await issue(aSimplifiedInvoice({ line_items: linesOf(FEW_LINES) }));
  const amended = await issue(aCompleteInvoice(), 'registered_with_errors');
  await done(operator.amendRecord({ invoiceId: amended.id }));
  const corrected = await issue(aCompleteInvoice());
  const withdrawn = await issue(differences(corrected, -200));
  await done(operator.voidInvoice(withdrawn.id));
  await decideRecords(service.db, withdrawn.id, 'registered');
  await issue(differences(corrected, -100));
  const tickets = [await issue(aSimplifiedInvoice()), await issue(aSimplifiedInvoice())];
  await done(operator.exchangeInvoices({ ticketIds: tickets.map(({ id }) => id), recipient: ANA }));
  const paid = await issue(aCompleteInvoice({ metadata: { order: '"17" \\ €😀' }, due_date: '2099-01-31' }));
  const payment = { amount: 100, paid_on: madridDay(new Date(paid.invoice_date)) };
  const { status } = await service.call('POST', `/v1/invoices/${paid.id}/payments`, { body: payment, key });
  expect(status).toBe(201);
});
afterAll(() => service.close());

/** The same page by a statement for the list and one for each invoice. */
async function apart(size: number, after: string | null) {
  const page = await listInvoices(service.db, environmentId, {}, { size, after });
  if (!('ids' in page)) throw new Error('the list was refused');
  const read = createInvoiceReader(service.db);
  const views = [];
  for (const id of page.ids) views.push(await read(environmentId, id));
  return { views, hasMore: page.hasMore };
}

test('each page has the invoices that reading them one by one has, in the order of the list', async () => {
  const read = createNewestReader(service.db);
  const all = await apart(FEW_INVOICES, null);
  expect(all.views.length).toBeGreaterThan(8);
  for (const size of [1, 3, all.views.length - 1, all.views.length, FEW_INVOICES]) {
    expect(await read(environmentId, { size, after: null }, 'shown')).toEqual(await apart(size, null));
  }
  for (const [place, view] of all.views.slice(0, -1).entries()) {
    const range = { size: 2, after: view!.invoice.id };
    const page = await apart(2, range.after);
    expect(page.views).toEqual(all.views.slice(place + 1, place + 3));
    expect(await read(environmentId, range, 'shown')).toEqual(page);
  }
  const heads = all.views.map((view) => ({ ...view, lines: null }));
  expect(await read(environmentId, { size: FEW_INVOICES, after: null }, 'head')).toEqual({
    views: heads,
    hasMore: false,
  });
});

test('nothing is listed of another environment, nor after an invoice that is not of this one', async () => {
  const read = createNewestReader(service.db);
  const other = service.company.test.environmentId;
  const { invoice } = (await apart(1, null)).views[0]!;
  expect((await read(other, { size: 5, after: null }, 'shown'))?.views).toHaveLength(1);
  expect(await read(other, { size: 5, after: invoice.id }, 'shown')).toBeNull();
  const answer = await service.call('GET', `/v1/invoices?starting_after=${invoice.id}`);
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: 'invalid_request' });
  const oldest = (await apart(FEW_INVOICES, null)).views.at(-1)!.invoice.id;
  const end = await service.call('GET', `/v1/invoices?starting_after=${oldest}`, { key });
  expect(end.body).toEqual({ data: [], has_more: false, next_cursor: null, next_url: null });
});

test('a page with a longer invoice, or of more, is listed before it is read, and no line of it is missing', async () => {
  const read = createNewestReader(service.db);
  expect(await read(environmentId, { size: FEW_INVOICES + 1, after: null }, 'head')).toBeNull();
  const { id } = await issueWith(service, aSimplifiedInvoice({ line_items: linesOf(FEW_LINES + 1) }), 'live');
  const statements = (found: readonly Sent[]) => found.filter(({ name }) => name?.startsWith('newest-shown'));
  const list = () => service.call('GET', '/v1/invoices?limit=5', { key });
  expect(statements(await sentDuring(list))).toHaveLength(1);
  // The environment's invoices are long for now.
  expect(statements(await sentDuring(list))).toHaveLength(0);
  const { body } = await list();
  expect(body.data[0].id).toBe(id);
  expect(body.data[0].line_items).toHaveLength(FEW_LINES + 1);
  const { views } = (await read(environmentId, { size: 5, after: id }, 'shown'))!;
  expect(views).toEqual((await apart(5, id)).views);
});
