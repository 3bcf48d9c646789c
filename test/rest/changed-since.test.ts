import { afterAll, beforeAll, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { changedWithoutIssue, conditionsOf } from '../../src/subjects/invoices/store/conditions.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  ANA,
  decideRecords,
  differences,
  issueWith,
  operatorOf,
  substitution,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** A list of what changed since an instant has each invoice that a caller may see differently since then, and no other. */

let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
});
afterAll(() => service.close());

const ticket = () => issueWith(service, aSimplifiedInvoice(), 'live');
type Ticket = Awaited<ReturnType<typeof ticket>>;

/** An instant after everything that has happened so far. */
async function aMomentLater(): Promise<Date> {
  const before = Date.now();
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(before + 1);
  return new Date();
}

async function changedSince(instant: Date): Promise<{ ids: string[]; updated: boolean[] }> {
  const { body } = await service.graphql(
    'query ($since: DateTime!) { invoices(filter: { changedSince: $since }) { totalCount edges { node { id updatedAt } } } }',
    { since: instant.toISOString() },
    { key: service.company.live.key },
  );
  expect(body.errors).toBeUndefined();
  const { totalCount, edges } = body.data.invoices;
  const nodes: { id: string; updatedAt: string }[] = edges.map(({ node }: { node: object }) => node);
  expect(totalCount).toBe(nodes.length);
  return {
    ids: nodes.map(({ id }) => id),
    updated: nodes.map(({ updatedAt }) => new Date(updatedAt) >= instant),
  };
}

/** The same, read from the oldest on, one invoice a page: what was issued since and what is older are separate parts of the list. */
async function pagesOfChangedSince(instant: Date): Promise<string[]> {
  const ids: string[] = [];
  for (let before: string | null = null; ; ) {
    const { body } = await service.graphql(
      `query ($since: DateTime!, $before: String) {
         invoices(filter: { changedSince: $since }, last: 1, before: $before) { edges { cursor node { id } } pageInfo { hasPreviousPage } } }`,
      { since: instant.toISOString(), before },
      { key: service.company.live.key },
    );
    expect(body.errors).toBeUndefined();
    const { edges, pageInfo } = body.data.invoices;
    ids.push(...edges.map(({ node }: { node: { id: string } }) => node.id));
    if (!pageInfo.hasPreviousPage) return ids;
    before = edges[0].cursor;
  }
}

/** The same as it is looked for where very much has changed: each invoice by itself, newest first. */
async function eachChangedSince(instant: Date): Promise<string[]> {
  const { environmentId } = service.company.live;
  const filter = { changedSince: instant };
  const { texts, values } = conditionsOf(environmentId, filter, { changedSince: true });
  const { rows } = await service.db.pool.query<{ id: string }>(
    `select id from invoice where ${texts.join(' and ')} order by issued_at desc, id desc`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** What is done to an invoice; the ids of others that change or are new with it. */
const CHANGES: Readonly<Record<string, (own: Ticket) => Promise<readonly string[]>>> = {
  'was registered': async ({ id }) => {
    await decideRecords(service.db, id, 'registered');
    return [];
  },
  'was refused by the agency': async ({ id }) => {
    await decideRecords(service.db, id, 'rejected');
    return [];
  },
  'was corrected by differences': async (own) => [
    (await issueWith(service, differences(own, -100), 'live')).id,
  ],
  'was replaced': async (own) => [(await issueWith(service, substitution(own, 500), 'live')).id],
  'was voided': async ({ id }) => {
    expect((await operator.voidInvoice(id)).errors).toBeUndefined();
    return [];
  },
  'was exchanged': async ({ id }) => {
    const { data, errors } = await operator.exchangeInvoices({ ticketIds: [id], recipient: ANA });
    expect(errors).toBeUndefined();
    return [data.result.id];
  },
  'was paid': async ({ id }) => {
    const body = { amount: 100, paid_on: madridDay(new Date()) };
    const { key } = service.company.live;
    expect((await service.call('POST', `/v1/invoices/${id}/payments`, { body, key })).status).toBe(201);
    return [];
  },
};

/** What happens to a record that has not been sent yet. */
const AT_THE_AGENCY = ['was registered', 'was refused by the agency'];

test.each(Object.entries(CHANGES))('one that %s', async (what, change) => {
  const own = await ticket();
  await ticket();
  if (!AT_THE_AGENCY.includes(what)) await decideRecords(service.db, own.id, 'registered');
  const instant = await aMomentLater();
  expect((await changedSince(instant)).ids).toEqual([]);
  const more = await change(own);
  const { ids, updated } = await changedSince(instant);
  expect(ids).toEqual([...more, own.id]);
  expect(updated).toEqual(ids.map(() => true));
  expect(await eachChangedSince(instant)).toEqual(ids);
  expect(await pagesOfChangedSince(instant)).toEqual(ids.toReversed());
});

test('the one that a voided correction gave back to', async () => {
  const own = await ticket();
  await decideRecords(service.db, own.id, 'registered');
  const correction = await issueWith(service, substitution(own, 500), 'live');
  await decideRecords(service.db, correction.id, 'registered');
  const instant = await aMomentLater();
  expect((await operator.voidInvoice(correction.id)).errors).toBeUndefined();
  expect((await changedSince(instant)).ids).toEqual([correction.id, own.id]);
  expect(await eachChangedSince(instant)).toEqual([correction.id, own.id]);
});

test('tickets that a voided exchange gave back to', async () => {
  const own = await ticket();
  await decideRecords(service.db, own.id, 'registered');
  const { data } = await operator.exchangeInvoices({ ticketIds: [own.id], recipient: ANA });
  await decideRecords(service.db, data.result.id, 'registered');
  const instant = await aMomentLater();
  expect((await operator.voidInvoice(data.result.id)).errors).toBeUndefined();
  expect((await changedSince(instant)).ids).toEqual([data.result.id, own.id]);
  expect(await pagesOfChangedSince(instant)).toEqual([own.id, data.result.id]);
});

test('all that one correction changed', async () => {
  const [one, other] = [
    await issueWith(service, aCompleteInvoice(), 'live'),
    await issueWith(service, aCompleteInvoice(), 'live'),
  ];
  for (const { id } of [one, other]) await decideRecords(service.db, id, 'registered');
  const line_items = [one, other].map(({ id }) => ({
    ...aLine({ unit_amount: -100 }),
    rectifies_invoice_id: id,
  }));
  const rectifies = { invoice_ids: [one.id, other.id], method: 'differences' };
  const instant = await aMomentLater();
  const correction = await issueWith(service, { type: 'complete', rectifies, line_items }, 'live');
  const ids = [correction.id, other.id, one.id];
  expect((await changedSince(instant)).ids).toEqual(ids);
  expect(await eachChangedSince(instant)).toEqual(ids);
  expect(await pagesOfChangedSince(instant)).toEqual(ids.toReversed());
});

test('what a correction changed whose entry stands far behind the first since the instant', async () => {
  const own = await ticket();
  await decideRecords(service.db, own.id, 'registered');
  const instant = await aMomentLater();
  await issueWith(service, substitution(own, 500), 'live');
  // No entry is so far behind: what has changed is known by the invoices that were issued since.
  const changed = async (since: Date) => {
    const values = [service.company.live.environmentId, 1_000_000, since.toISOString()];
    const { rows } = await service.db.pool.query<{ id: string }>(changedWithoutIssue('$2', '$3'), values);
    return rows.map(({ id }) => id);
  };
  expect(await changed(instant)).toEqual([own.id]);
  expect(await changed(await aMomentLater())).toEqual([]);
});

// Last: instants of the journal are ahead afterwards.
test('one whose entry in the journal has a later instant than its issue', async () => {
  const { environmentId } = service.company.live;
  await service.owner.query(
    "update journal_head set last_at = now() + interval '1 second' where environment_id = $1",
    [environmentId],
  );
  const { id } = await ticket();
  const { rows } = await service.db.pool.query<{ after: Date }>(
    "select issued_at + interval '1 millisecond' as after from invoice where environment_id = $1 and id = $2",
    [environmentId, id],
  );
  const instant = rows[0]!.after;
  expect((await changedSince(instant)).ids).toEqual([id]);
  expect(await eachChangedSince(instant)).toEqual([id]);
});
