import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInvoiceReader, createPageReader, readRecord } from '../../src/subjects/invoices/reader.ts';
import { LINES_AT_ONCE } from '../../src/subjects/invoices/store/read.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { issueWith } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
const ids: string[] = [];
beforeAll(async () => {
  service = await testService();
  for (const body of [aCompleteInvoice(), aSimplifiedInvoice()]) {
    ids.push((await issueWith(service, body, 'live')).id);
  }
});
afterAll(() => service.close());

test('the records of an invoice are read whole if they are requested, and the rest is the same', async () => {
  const read = createInvoiceReader(service.db);
  const { environmentId } = service.company.live;
  const shown = await read(environmentId, ids[0]!);
  const whole = await read(environmentId, ids[0]!, 'whole');
  expect(shown!.wholeRecords).toBeNull();
  expect(whole!.wholeRecords).toEqual([expect.objectContaining(shown!.records[0]!)]);
  expect({ ...whole, wholeRecords: null, records: shown!.records }).toEqual(shown);
  const [record] = whole!.wholeRecords!;
  expect(record!.xml).toContain(record!.fingerprint);
  expect(await readRecord(service.db, record!.id)).toEqual(record);
  expect(await readRecord(service.db, 'rec_0')).toBeNull();
});

test('of several that are read together each is as it is read alone', async () => {
  const read = createInvoiceReader(service.db);
  const { environmentId } = service.company.live;
  const alone = [await read(environmentId, ids[0]!), await read(environmentId, ids[1]!), null];
  expect(await Promise.all([...ids, 'inv_0'].map((id) => read(environmentId, id)))).toEqual(alone);
  expect(await Promise.all([...ids, 'inv_0'].map((id) => read(null, id)))).toEqual(alone);
  expect(await read(service.company.test.environmentId, ids[0]!)).toBeNull();
});

test('a page has its invoices in the order of their ids, each as it is read alone', async () => {
  const read = createInvoiceReader(service.db);
  const page = createPageReader(service.db, read);
  const { environmentId } = service.company.live;
  const alone = [await read(environmentId, ids[1]!), await read(environmentId, ids[0]!)];
  const wanted = [ids[1]!, 'inv_0', ids[0]!];
  expect(await page(environmentId, wanted, 'shown', 2)).toEqual(alone);
  expect(await page(environmentId, wanted, 'shown', LINES_AT_ONCE + 1)).toEqual(alone);
});

test('pages that are read at once have no more lines together than one statement may read', async () => {
  const { pool } = service.db;
  let [underWay, most] = [0, 0];
  const counting = {
    query: async (...given: Parameters<typeof pool.query>) => {
      most = Math.max(most, ++underWay);
      return (pool.query(...given) as unknown as Promise<unknown>).finally(() => {
        underWay -= 1;
      });
    },
  } as unknown as typeof pool;
  const page = createPageReader({ pool: counting }, createInvoiceReader(service.db));
  const lines = LINES_AT_ONCE / 2;
  const pages = Array.from({ length: 6 }, () =>
    page(service.company.live.environmentId, ids, 'shown', lines),
  );
  for (const found of await Promise.all(pages)) expect(found).toHaveLength(ids.length);
  expect(most).toBe(2);
});

test('invoices of an environment that are requested together are read by one statement, others by their own', async () => {
  const { environmentId } = service.company.test;
  const own = [
    (await issueWith(service, aCompleteInvoice(), 'test')).id,
    (await issueWith(service, aCompleteInvoice(), 'test')).id,
  ];
  const { pool } = service.db;
  const statements: [number, string[]][] = [];
  const noting = {
    query: (...given: Parameters<typeof pool.query>) => {
      statements.push((given[0] as unknown as { values: [number, string[]] }).values);
      return pool.query(...given);
    },
  } as unknown as typeof pool;
  const read = createInvoiceReader({ pool: noting });
  const live = service.company.live.environmentId;
  await Promise.all([...own.map((id) => read(environmentId, id)), read(live, ids[0]!)]);
  expect(new Map(statements)).toEqual(
    new Map([
      [environmentId, own],
      [live, [ids[0]!]],
    ]),
  );
});
