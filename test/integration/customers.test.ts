import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { findCustomer, recordCustomers } from '../../src/subjects/customers/customers.ts';
import { createIntegration } from '../../src/subjects/customers/integrations.ts';
import { listCustomers } from '../../src/subjects/customers/store/read-customers.ts';
import { customerOf } from '../../src/subjects/issuing/named-customer.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';

let database: TestDatabase;
let company: TestCompany;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  company = await createCompany(database.db);
});
afterAll(() => database.close());

async function integration(name: string, environmentId = company.test.environmentId): Promise<string> {
  const made = await createIntegration(
    database.db,
    environmentId,
    { name },
    { actor: 'opk_1', reason: null },
  );
  if (isRefusal(made)) throw new Error(made.detail);
  return made.id;
}

const keep = (integrationId: string, externalCustomerId: string, name: string | null = null) =>
  recordCustomers(database.db.pool, company.test.environmentId, [
    customerOf(
      { recipient: null },
      { integrationId, externalCustomerId, isFirst: false, ...(name === null ? {} : { name }) },
    ),
  ]);

/** The customer's id at the integration and its name, or the code. */
async function find(
  externalCustomerId: string,
  integrationId?: string,
  environmentId = company.test.environmentId,
) {
  const found = await findCustomer(database.db, environmentId, { externalCustomerId, integrationId });
  return isRefusal(found) ? found.code : `${found.externalCustomerId} ${found.name}`;
}

test('a customer of the only integration is found without naming it', async () => {
  expect(await find('c-1')).toBe('customer_not_found');
  const shop = await integration('shop');
  await keep(shop, 'c-1', 'Ana');
  expect(await find('c-1')).toBe('c-1 Ana');
  expect(await find('C-1')).toBe('customer_not_found');
  expect(await find('c-2')).toBe('customer_not_found');
});

test('with several integrations the integration must be named, also for an unknown customer', async () => {
  const [shop, till] = [await integration('shop'), await integration('till')];
  await keep(shop, 'c-1', 'Ana');
  await keep(till, 'c-1', 'Berta');
  expect(await find('c-1')).toBe('customer_ambiguous');
  expect(await find('c-9')).toBe('customer_ambiguous');
  expect(await find('c-1', shop)).toBe('c-1 Ana');
  expect(await find('c-1', till)).toBe('c-1 Berta');
  expect(await find('c-9', till)).toBe('customer_not_found');
  expect(await find('c-1', `int_${'0'.repeat(32)}`)).toBe('customer_not_found');
  expect(await find('c-1', 'x')).toBe('customer_not_found');
});

test('integrations and customers of the other environment do not count', async () => {
  const shop = await integration('shop');
  await integration('shop', company.live.environmentId);
  await keep(shop, 'c-1', 'Ana');
  expect(await find('c-1')).toBe('c-1 Ana');
  expect(await find('c-1', undefined, company.live.environmentId)).toBe('customer_not_found');
  expect(await find('c-1', shop, company.live.environmentId)).toBe('customer_not_found');
});

test('customers are listed in pages, each once, of all integrations or of one', async () => {
  const [shop, till] = [await integration('shop'), await integration('till')];
  for (const id of ['c-3', 'c-1', 'c-2']) await keep(shop, id);
  await keep(till, 'c-2');
  const { environmentId } = company.test;
  const pageAfter = async (after: string | null) => {
    const page = await listCustomers(database.db, environmentId, { size: 1, after });
    if (isRefusal(page)) throw new Error(page.detail);
    return page;
  };
  const seen: string[] = [];
  for (let after: string | null = null, hasMore = true; hasMore; ) {
    const page: Awaited<ReturnType<typeof pageAfter>> = await pageAfter(after);
    seen.push(...page.rows.map((customer) => customer.externalCustomerId));
    hasMore = page.hasMore;
    after = page.rows.at(-1)!.id;
  }
  expect(seen).toEqual(['c-1', 'c-2', 'c-2', 'c-3']);
  const narrowed = await listCustomers(database.db, environmentId, {
    integrationId: till,
    size: 9,
    after: null,
  });
  expect(narrowed).toMatchObject({
    rows: [{ externalCustomerId: 'c-2', integrationId: till }],
    hasMore: false,
  });
  const unknown = await listCustomers(database.db, environmentId, { size: 1, after: 'cus_x' });
  expect(unknown).toMatchObject({ code: 'invalid_request', errors: [{ field: 'after' }] });
});
