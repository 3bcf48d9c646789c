import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { issueMany } from '../bench/many-invoices.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type Sent, sentDuring } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { issueWith } from '../support/invoices/corrections.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { runDayOfWork } from './query-plan-workload.ts';
import { inflateStatistics, wholeReads } from './query-plans.ts';

/**
 * The statements of everything that is done all day, as the service sends them, planned by Postgres as if every table
 * held a million rows: none may read one of them from end to end. There are a thousand real invoices, so that the
 * statistics of their columns are true; the number of rows alone is told to Postgres.
 */

const INVOICES = 1_000;
const SEEMING_ROWS = 1_000_000;

/** What grows with invoices and requests. */
const OF_INVOICES = [
  ...['invoice', 'invoice_line', 'tax_item', 'registration_record', 'record_state', 'submission'],
  ...[
    'invoice_document',
    'invoice_void',
    'invoice_amendment',
    'invoice_exchange',
    'idempotency_key',
    'audit_entry',
  ],
];
/** What grows with companies and their customers. */
const OF_COMPANIES = [
  ...[
    'account',
    'company',
    'environment',
    'chain',
    'chain_dispatch',
    'api_key',
    'number_series',
    'series_counter',
  ],
  ...['integration', 'customer', 'portal_session'],
];

/** Asked once a minute, or when an operator looks: about all chains, of which each company has one. */
const ABOUT_ALL_COMPANIES = ['waking chains that were forgotten', 'metrics', 'what operators watch'];

let service: TestService;
let client: pg.PoolClient;
const sent = new Map<string, Sent[]>();
beforeAll(async () => {
  service = await testService();
  const { db, company } = service;
  const { id: invoiceId } = await issueWith(service, aCompleteInvoice(), 'live');
  const companies = [];
  for (let n = 1; n <= 3; n += 1) companies.push(await createCompany(db, { nif: companyNif(5_000 + n) }));
  const model = { environmentId: company.live.environmentId, invoiceId };
  await issueMany(db.pool, { model, companies, count: INVOICES });
  service = { ...service, company: companies[0]! };
  // As the server does by itself within a minute: planned for empty tables, filters of a list compare each with each.
  await service.owner.query('analyze');
  // Done once, so that there is something of everything; Postgres plans afterwards.
  for (const [what, work] of await runDayOfWork(service)) sent.set(what, await sentDuring(work));
  client = await service.owner.connect();
  await inflateStatistics(client, [...OF_INVOICES, ...OF_COMPANIES], SEEMING_ROWS);
});
afterAll(async () => {
  client?.release();
  await service?.close();
});

async function offences(statements: readonly Sent[], tables: readonly string[]): Promise<string[]> {
  const reads = await wholeReads(client, statements, new Set(tables));
  return reads.map(({ table, how, statement }) => `${table}: ${how}\n${statement}`);
}

test('the old invoices hold to every rule, as real ones do', async () => {
  const found = await verifyEnvironment(service.db.pool, service.company.live.environmentId);
  expect(found).toMatchObject({ findingCount: 0, complete: true });
  expect(found?.records).toBeGreaterThan(INVOICES / 2);
});

test('no work of the day reads a large table from end to end', async () => {
  expect(sent.size).toBeGreaterThan(30);
  for (const [what, statements] of sent) {
    const tables = ABOUT_ALL_COMPANIES.includes(what) ? OF_INVOICES : [...OF_INVOICES, ...OF_COMPANIES];
    expect(statements.length, what).toBeGreaterThan(0);
    expect(await offences(statements, tables), what).toEqual([]);
  }
});

describe('it would be seen', () => {
  test('when a statement looked for what no index knows', async () => {
    const text = 'select id from invoice where environment_id > $1 and notes = $2';
    const planted = [{ text, values: [0, 'x'], name: null }];
    expect(await offences(planted, OF_INVOICES)).toEqual([expect.stringContaining('invoice: Seq Scan')]);
  });

  test('when a prepared statement did so for values that nobody has sent yet', async () => {
    const text = 'select id from invoice where $1::text is null or number = $1';
    const planted = [{ text, values: ['F-2026-1'], name: 'planted' }];
    expect(await offences(planted, OF_INVOICES)).not.toEqual([]);
  });

  test('when a statement looked in an index for what stands behind its first column', async () => {
    const planted = [{ text: 'select from series_counter where year = $1', values: [2026], name: null }];
    expect(await offences(planted, OF_COMPANIES)).toEqual([expect.stringContaining('series_counter: ')]);
  });

  test('when the index that a statement needs were gone', async () => {
    await client.query('begin');
    await client.query('drop index api_key_hash_key');
    const found = await offences(sent.get('issuing')!, OF_COMPANIES);
    await client.query('rollback');
    expect(found).toEqual([expect.stringContaining('api_key: Seq Scan')]);
  });
});
