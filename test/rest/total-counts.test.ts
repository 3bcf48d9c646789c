import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { issueWith } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Counts of lists are exact up to 10,000, and beyond that 10,000, which they say of themselves. */

const COUNTED = 10_000;

let service: TestService;
let environmentId: number;
let invoiceId: string;
beforeAll(async () => {
  service = await testService();
  ({ environmentId } = service.company.test);
  ({ id: invoiceId } = await issueWith(service, aSimplifiedInvoice(), 'test'));
});
afterAll(() => service.close());

type List = {
  /** What is selected of the schema's root, with `COUNT` in the place of the counts. */
  readonly query: () => string;
  /** Rows with the numbers from `$2` to `$3`, of the environment `$1`. */
  readonly insert: () => string;
  readonly has: number;
};

/** One list of each way to count. */
const LISTS: Readonly<Record<string, List>> = {
  drafts: {
    query: () => 'list: invoiceDrafts COUNT',
    insert: () => `insert into invoice_draft (environment_id, id, content, errors, created_at, updated_at)
      select $1, 'dft_' || lpad(n::text, 32, '0'), '{}', '[]', now(), now() from generate_series($2::int, $3::int) n`,
    has: 0,
  },
  'series of an environment': {
    query: () =>
      `node(id: "env_${environmentId}") { ... on CompanyEnvironment { list: numberSeries COUNT } }`,
    insert: () => `insert into number_series (environment_id, id, prefix, type, yearly, imported, created_at)
      select $1, 'ns_' || n, 'S' || n, 'standard', true, false, now() from generate_series($2::int, $3::int) n`,
    has: 2,
  },
  'e-mails of an invoice': {
    query: () => `node(id: "${invoiceId}") { ... on Invoice { list: emails COUNT } }`,
    insert:
      () => `insert into invoice_email (environment_id, id, invoice_id, kind, recipients, language, formats, message_id, requested_by, requested_at)
      select $1, 'eml_' || n, '${invoiceId}', 'invoice', '{a@example.com}', 'es', '{}', 'm' || n, 'key', now()
        from generate_series($2::int, $3::int) n`,
    has: 0,
  },
  invoices: {
    query: () => 'list: invoices COUNT',
    insert: () => `insert into invoice
      select another.* from generate_series($2::int, $3::int) as n, (select * from invoice where id = '${invoiceId}') as model,
             jsonb_populate_record(null::invoice, to_jsonb(model) ||
               jsonb_build_object('id', 'inv_' || lpad(n::text, 32, '0'), 'number', 'MANY-' || n)) as another
       where model.environment_id = $1`,
    has: 1,
  },
};

async function countOf({ query }: List): Promise<unknown[]> {
  const { body } = await service.graphql(
    `{ ${query().replace('COUNT', '{ totalCount totalCountIsExact }')} }`,
  );
  expect(body.errors).toBeUndefined();
  const { totalCount, totalCountIsExact } = (body.data.node ?? body.data).list;
  return [totalCount, totalCountIsExact];
}

test.each(Object.entries(LISTS))('of %s', async (_what, list) => {
  const client = await service.owner.connect();
  const insert = (from: number, to: number) => client.query(list.insert(), [environmentId, from, to]);
  try {
    // Triggers would seal each row.
    await client.query('set session_replication_role = replica');
    await insert(1, COUNTED - list.has);
    expect(await countOf(list)).toEqual([COUNTED, true]);
    await insert(COUNTED + 1, COUNTED + 1);
    expect(await countOf(list)).toEqual([COUNTED, false]);
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
});
