import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { type InvoiceFilter, NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import { countInvoices, filteredInvoices } from '../../src/subjects/invoices/store/list.ts';
import { sentDuring } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  decideRecords,
  differences,
  issueWith,
  operatorOf,
  substitution,
} from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';

/** An environment with originals and corrections of them, imported and voided ones, in several states at the agency. */

const files = importFiles();
let service: TestService;
let environmentId: number;
beforeAll(async () => {
  service = await testService();
  ({ environmentId } = service.company.live);
  const issue = (body: object = aSimplifiedInvoice()) => issueWith(service, body, 'live');
  const tickets = [];
  for (let issued = 0; issued < 7; issued++) tickets.push(await issue());
  for (const { id } of tickets.slice(0, 5)) await decideRecords(service.db, id, 'registered');
  await decideRecords(service.db, tickets[5]!.id, 'rejected', '1110');
  const operator = await operatorOf(service);
  expect((await operator.voidInvoice(tickets[0]!.id)).errors).toBeUndefined();
  await issue(differences(tickets[1]!, -100));
  await issue(substitution(tickets[2]!, 500));
  // What they corrected is in force again.
  for (const correction of [differences(tickets[3]!, -100), substitution(tickets[4]!, 500)]) {
    const { id } = await issue(correction);
    await decideRecords(service.db, id, 'registered');
    expect((await operator.voidInvoice(id)).errors).toBeUndefined();
  }
  const rows = ['OLD-1', 'OLD-2', 'OLD-3'].map((number) => anOldInvoice(number));
  const imported = await importInvoices(service.db, {
    ...{ environmentId, file: files.jsonLines(rows), actor: 'opk_1' },
  });
  if (isRefusal(imported)) throw new Error(imported.detail);
});
afterAll(async () => {
  await service?.close();
  files.remove();
});

const FILTERS: readonly (readonly [filter: InvoiceFilter, matching: number])[] = [
  [{}, 14],
  [{ kinds: ['original'] }, 10],
  [{ registrationStatuses: ['registered'] }, 7],
  [{ inForce: true }, 10],
  [{ inForce: true, kinds: ['original'] }, 8],
  [{ registrationStatuses: ['registered'], kinds: ['original'] }, 5],
  [{ registrationStatuses: ['registered', 'rejected'] }, 8],
  [{ kinds: ['original', 'rectifying_substitution'] }, 12],
  [{ kinds: ['rectifying_differences', 'rectifying_substitution'] }, 4],
  [{ registrationStatuses: ['rejected'] }, 1],
  [{ registrationStatuses: ['pending', 'rejected'] }, 4],
  [{ registrationStatuses: ['rejected'], types: ['complete'] }, 0],
  [{ inForce: false }, 4],
  [{ inForce: false, types: ['simplified'] }, 4],
  [{ inForce: false, types: ['complete'] }, 0],
  [{ inForce: false, kinds: ['original'] }, 2],
  [{ inForce: false, kinds: ['rectifying_differences', 'rectifying_substitution'] }, 2],
  [{ inForce: false, types: ['simplified'], kinds: ['rectifying_substitution'] }, 1],
];

test.each(FILTERS)('%j is counted as it is listed, up to any limit', async (filter, matching) => {
  const { pool } = service.db;
  const range = { order: NEWEST_FIRST, size: 100, backwards: false, after: null, before: null };
  expect(await filteredInvoices(pool, environmentId, filter, range)).toHaveLength(matching);
  for (const max of [1, 4, matching, matching + 1, 10_001])
    expect(await countInvoices(pool, environmentId, filter, max), `up to ${max}`).toBe(
      Math.min(matching, max),
    );
});

test('of a state are counted by the states alone, of a period too', async () => {
  const { pool } = service.db;
  const states = { registrationStatuses: ['pending' as const, 'rejected' as const] };
  const hour = 60 * 60 * 1_000;
  const [issuedFrom, issuedBefore] = [new Date(Date.now() - hour), new Date(Date.now() + hour)];
  const counts: number[] = [];
  const sent = await sentDuring(async () => {
    for (const period of [{ issuedFrom }, { issuedBefore: issuedFrom }, { issuedFrom, issuedBefore }])
      counts.push(await countInvoices(pool, environmentId, { ...states, ...period }, 10_001));
  });
  expect(counts).toEqual([4, 0, 4]);
  expect(sent.filter(({ text }) => text.includes('registration_record'))).toEqual([]);
});

test('where enough was issued since an instant, other changes since then are not looked up', async () => {
  const { pool } = service.db;
  const changedSince = new Date(Date.now() - 60 * 60 * 1_000);
  const count = (max: number) => countInvoices(pool, environmentId, { changedSince }, max);
  // All but the three that were imported were issued a moment ago.
  const sent = await sentDuring(async () => expect(await count(9)).toBe(9));
  expect(sent.filter(({ text }) => text.includes('journal'))).toEqual([]);
  expect(await count(12)).toBe(12);
  expect(await count(15)).toBe(14);
  const elsewhere = { changedSince, kinds: ['original' as const] };
  expect(await countInvoices(pool, environmentId, elsewhere, 9)).toBe(9);
});

test('where many are out of force, both are counted without looking at each', async () => {
  const { owner, db } = service;
  const client = await owner.connect();
  // As if each of a thousand had been voided; nothing else of them matters here.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into invoice
     select another.* from generate_series(1, 1001) as n,
            (select * from invoice where environment_id = $1 and not imported order by issued_at limit 1) as model,
            jsonb_populate_record(null::invoice, to_jsonb(model) || jsonb_build_object('id', 'inv_' || n, 'number', 'MANY-' || n)) as another`,
    [environmentId],
  );
  await client.query(
    `insert into corrected_invoice (environment_id, invoice_id, listed_at, type, kind, voided)
     select $1, 'inv_' || n, now(), 'complete', 'original', true from generate_series(1, 1001) as n`,
    [environmentId],
  );
  await client.query(
    `insert into invoice_void (environment_id, invoice_id, record_id, reason, voided_at, voided_by)
     select $1, 'inv_' || n, 'rec_' || n, 'x', now(), 'x' from generate_series(1, 1001) as n`,
    [environmentId],
  );
  client.release(true);
  expect(await countInvoices(db.pool, environmentId, { inForce: true }, 10_001)).toBe(10);
  expect(await countInvoices(db.pool, environmentId, { inForce: false }, 10_001)).toBe(1_005);
});
