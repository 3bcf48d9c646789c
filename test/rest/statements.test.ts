import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readChanges } from '../../src/subjects/events/store.ts';
import { NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import { cursorsAt, filteredInvoices } from '../../src/subjects/invoices/store/list.ts';
import { readShown } from '../../src/subjects/invoices/store/read.ts';
import { readNewestShown } from '../../src/subjects/invoices/store/read-newest.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

type GraphQLFault = { readonly extensions: { readonly code: string } };

/** Looking the key up is one statement of every request. */
const KEY = 1;

let service: TestService;
let id: string;
beforeAll(async () => {
  service = await testService();
  const operations = operationsOf(service, 'REST');
  const lines = Array.from({ length: 20 }, () => aLine());
  ({
    body: { id },
  } = await operations.issue(
    aSimplifiedInvoice({ line_items: lines.map((line) => ({ ...line, unit_amount: 100 })) }),
  ));
  for (let issued = 0; issued < 30; issued += 1) await operations.issue(aSimplifiedInvoice());
});
afterAll(() => service.close());

const count = async (work: () => Promise<unknown>): Promise<number> => (await statementsOf(work)).length;

describe.each(PROTOCOLS)('reading over %s takes a number of statements that does not grow', (protocol) => {
  test('an invoice with everything in it: the key and one more', async () => {
    const operations = operationsOf(service, protocol);
    await operations.invoice(id);
    expect(await count(() => operations.invoice(id))).toBe(KEY + 1);
  });

  test('a page of the newest, however long and wherever it begins: the key and one more', async () => {
    const operations = operationsOf(service, protocol);
    for (const limit of [1, 5, 30]) expect(await count(() => operations.invoices({ limit }))).toBe(KEY + 1);
    const { body } = await operations.invoices({ limit: 2 });
    const next = { limit: 20, starting_after: body.next_cursor };
    expect(await count(() => operations.invoices(next))).toBe(KEY + 1);
  });

  test('any other list: the key, the page and its invoices', async () => {
    const operations = operationsOf(service, protocol);
    const { body } = await operations.invoices({ limit: 1 });
    const { number } = body.data[0];
    expect(await count(() => operations.invoices({ number }))).toBe(KEY + 2);
    expect(await count(() => operations.invoices({ number: 'none' }))).toBe(KEY + 1);
    expect(await count(() => operations.invoices({ limit: 100 }))).toBe(KEY + 2);
    const next = { limit: 60, starting_after: body.next_cursor };
    expect(await count(() => operations.invoices(next))).toBe(KEY + 3);
  });

  test('series: the key, the page, and where it begins', async () => {
    const operations = operationsOf(service, protocol);
    expect(await count(() => operations.seriesList({ limit: 1 }))).toBe(KEY + 1);
    const { body } = await operations.seriesList({ limit: 1 });
    expect(await count(() => operations.seriesList({ starting_after: body.next_cursor }))).toBe(KEY + 2);
    expect(await count(() => operations.series(service.company.test.standardSeriesId))).toBe(KEY + 1);
  });

  test('a malformed id is not queried', async () => {
    const operations = operationsOf(service, protocol);
    expect(await count(() => operations.invoice('inv_1'))).toBe(KEY);
    expect(await count(() => operations.series('ns_1'))).toBe(KEY);
    expect(await count(() => operations.invoices({}, { key: 'x' }))).toBe(0);
  });
});

test('a query for all fields of a page takes one statement more than one for its ids: the one that computes its cost', async () => {
  const everything = `{ invoices(first: 30) { edges { node { id status number lineItems { id taxItems { name } }
    recipient { name } verifactu { status hash qrUrl error { code } } rectifiedBy { id }
    records { kind xml status } } } } }`;
  expect(await count(() => service.graphql(everything))).toBe(KEY + 3);
});

test('a list that shows nothing of the lines of its invoices does not read them, and one that shows any of it does', async () => {
  const texts = (fields: string) =>
    statementsOf(async () => {
      const { body } = await service.graphql(`{ invoices(first: 3) { edges { node { id ${fields} } } } }`);
      // A ticket has no recipient, which the format refuses to be without.
      const codes = (body.errors ?? []).map(({ extensions }: GraphQLFault) => extensions.code);
      expect(new Set(codes)).toEqual(new Set(fields.startsWith('document') ? ['format_not_applicable'] : []));
    });
  const reading = (statements: string[]) =>
    statements.find((text) => text.includes('invoice.recipient_name'));
  const summary = 'number total status recipientName verifactu { status } rectifiedBy { id }';
  expect(reading(await texts(summary))).not.toContain('invoice_line');
  const ofLines = ['lineItems { id }', 'taxBreakdown { base }', 'formats { format }'];
  for (const selection of [
    ...ofLines,
    'document(format: ubl) { filename }',
    '... on Invoice { lineItems { id } }',
  ]) {
    expect(reading(await texts(selection)), selection).toContain('invoice_line');
  }
});

test('what is read all day is planned once for each connection, and not each time', async () => {
  const client = await service.db.pool.connect();
  const { environmentId } = service.company.test;
  const newest = { order: NEWEST_FIRST, size: 26, backwards: false, before: null };
  const page = await filteredInvoices(client, environmentId, {}, { ...newest, after: null });
  const key = (await cursorsAt(client, environmentId, [page[3]!.id], NEWEST_FIRST)).get(page[3]!.id)!;
  for (let times = 0; times < 20; times += 1) {
    await readNewestShown(client, environmentId, { size: 1 + times, after: null });
    await readNewestShown(client, environmentId, { size: 1 + times, after: page[3]!.id });
    await readShown(client, environmentId, [id]);
    await readChanges(client, environmentId, [id]);
    await filteredInvoices(client, environmentId, {}, { ...newest, size: 1 + times, after: null });
    await filteredInvoices(client, environmentId, {}, { ...newest, size: 1 + times, after: key });
  }
  const { rows } = await client.query<{ name: string; kept: boolean }>(
    `select name, generic_plans > 0 as kept from pg_prepared_statements
      where name in ('read-invoices', 'event-changes', 'newest-invoices', 'newest-invoices-after',
                     'newest-shown', 'newest-shown-after') order by name`,
  );
  client.release(true);
  expect(rows).toEqual([
    { name: 'event-changes', kept: true },
    { name: 'newest-invoices', kept: true },
    { name: 'newest-invoices-after', kept: true },
    { name: 'newest-shown', kept: true },
    { name: 'newest-shown-after', kept: true },
    { name: 'read-invoices', kept: true },
  ]);
});

describe('issuing', () => {
  /** begin with the chain, number, write, commit; beside the key and, if there is one, the idempotency key. */
  const TRANSACTION = 4;

  test.each([
    ['a ticket', aSimplifiedInvoice(), {}, TRANSACTION],
    [
      'a ticket of 500 lines',
      aSimplifiedInvoice({ line_items: Array(500).fill(aLine({ unit_amount: 10 })) }),
      {},
      TRANSACTION,
    ],
    ['under an idempotency key', aSimplifiedInvoice(), { idempotencyKey: 'k' }, TRANSACTION + 1],
    // Looked for before and again under the lock.
    ['with an external_id', aSimplifiedInvoice({ external_id: 'x' }), {}, TRANSACTION + 2],
    ['for a recipient of the census', aCompleteInvoice(), {}, TRANSACTION],
  ])('%s takes a number of statements that does not grow', async (_what, body, options, expected) => {
    const operations = operationsOf(service, 'REST');
    let status = 0;
    const statements = await statementsOf(async () => {
      ({ status } = await operations.issue(body, options));
    });
    expect(status).toBe(201);
    expect(statements.length, statements.map((text) => text.slice(0, 60)).join('\n')).toBe(KEY + expected);
  });
});
