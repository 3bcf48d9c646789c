import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/faces/graphql/schema.ts';
import { readScope } from '../../src/subjects/accounts/store/read-callers.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { issueDraft } from '../../src/subjects/drafts/issue-draft.ts';
import { type Answer, type TestService, testService } from '../support/http/http-service.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const create = (invoice: object, rest: object = {}): Promise<Answer> =>
  service.call('POST', '/v1/invoice_drafts', { body: { invoice, ...rest } });
const read = (id: string) => service.call('GET', `/v1/invoice_drafts/${id}`);
const change = (id: string, body: object, state?: string) =>
  service.call('PATCH', `/v1/invoice_drafts/${id}`, { body, headers: state ? { 'if-match': state } : {} });
const issue = (id: string) => service.call('POST', `/v1/invoice_drafts/${id}/issue`);
const faults = ({ body }: Answer) =>
  body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);

/** All fields of a type, and of those below it. */
function selectionOf(name: string): string {
  const fields = Object.values((schema.getType(name) as GraphQLObjectType).getFields());
  const selected = fields.map((field) => {
    const type = getNamedType(field.type);
    return isObjectType(type) ? `${field.name} ${selectionOf(type.name)}` : field.name;
  });
  return `{ ${selected.join(' ')} }`;
}

describe('a draft', () => {
  test('has no number, shows its totals, and becomes an invoice that names it', async () => {
    const sent = aCompleteInvoice({ metadata: { 'Own Key': 'x' } });
    const { status, body: draft } = await create(sent, { due_in_days: 14 });
    expect(status).toBe(201);
    expect(draft).toMatchObject({
      status: 'open',
      errors: [],
      total: 24_200,
      invoice_id: null,
      invoice: sent,
    });
    const before = await service.db.pool.query('select count(*)::int as entries from journal_entry');

    const issued = await issue(draft.id);
    expect(issued.status).toBe(201);
    expect(issued.body.draft_id).toBe(draft.id);
    expect(issued.body.metadata).toEqual({ 'Own Key': 'x' });
    expect(Date.parse(issued.body.due_date) - Date.parse(issued.body.invoice_date)).toBeGreaterThan(
      12 * 86_400_000,
    );
    expect((await read(draft.id)).body).toMatchObject({ status: 'issued', invoice_id: issued.body.id });

    const after = await service.db.pool.query('select count(*)::int as entries from journal_entry');
    expect(after.rows[0].entries).toBeGreaterThan(before.rows[0].entries);
    const events = await service.call('GET', '/v1/events?type=invoice.issued&order=desc&limit=1');
    expect(events.body.data[0].data.object.draft_id).toBe(draft.id);
  });

  test('may be incomplete or wrong, and reports that until it is corrected', async () => {
    const { body: draft } = await create({ line_items: [{ description: 'x', unit_amount: 5_000 }] });
    expect(faults({ body: draft } as Answer)).toEqual(['line_items[0].quantity required', 'type required']);
    const refused = await issue(draft.id);
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await read(draft.id)).body.status).toBe('open');

    const wrong = await change(draft.id, {
      invoice: aCompleteInvoice({ recipient: { name: 'X', tax_id: '12345678A' } }),
    });
    expect(wrong.status).toBe(200);
    expect(faults(wrong)).not.toEqual([]);
    const unknown = await change(draft.id, { invoice: aSimplifiedInvoice({ number_series_id: 'ns_x' }) });
    expect(faults(unknown)).toEqual(['number_series_id invalid_number_series']);
    expect((await issue(draft.id)).body.code).toBe('invalid_number_series');

    const right = await change(draft.id, { invoice: aSimplifiedInvoice() });
    expect(right.body).toMatchObject({ errors: [], total: 24_200 });
    expect((await issue(draft.id)).status).toBe(201);
  });

  test('counts the days until payment, or names the due date, but not both', async () => {
    const dated = aSimplifiedInvoice({ due_date: '2099-12-31' });
    const fault = ['due_in_days not_supported'];
    expect(faults(await create(dated, { due_in_days: 10 }))).toEqual(fault);
    const { body: counted } = await create(aSimplifiedInvoice(), { due_in_days: 10 });
    expect(faults(await change(counted.id, { invoice: dated }))).toEqual(fault);
    const { body: named } = await create(dated);
    expect(faults(await change(named.id, { due_in_days: 10 }))).toEqual(fault);
    expect((await change(counted.id, { invoice: dated, due_in_days: null })).status).toBe(200);
  });

  test('may be for a day to come, and is not issued before', async () => {
    const { body } = await create(aSimplifiedInvoice({ operation_date: '2199-01-01' }));
    expect(faults({ body } as Answer)).toEqual(['operation_date too_big']);
    expect((await issue(body.id)).status).toBe(400);
  });

  test('may be a rectificativa', async () => {
    const { body: original } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    const rectifies = { invoice_id: original.id, method: 'differences' };
    const lines = [aLine({ unit_amount: -100 })];
    const { body: draft } = await create(aSimplifiedInvoice({ line_items: lines, rectifies }));
    expect(draft.errors).toEqual([]);
    expect((await issue(draft.id)).body).toMatchObject({
      kind: 'rectifying_differences',
      draft_id: draft.id,
    });
  });

  test('is issued once, however often and concurrently it is requested', async () => {
    const { body: draft } = await create(aSimplifiedInvoice({ external_id: 'once' }));
    const answers = await Promise.all(Array.from({ length: 12 }, () => issue(draft.id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const again = await issue(draft.id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toMatchObject({ id: answers[0]!.body.id, draft_id: draft.id });
    const { rows } = await service.db.pool.query(
      'select count(*)::int as n from invoice where draft_id = $1',
      [draft.id],
    );
    expect(rows[0].n).toBe(1);

    for (const refused of [
      await change(draft.id, { due_in_days: 3 }),
      await service.call('DELETE', `/v1/invoice_drafts/${draft.id}`),
    ]) {
      expect(refused).toMatchObject({ status: 409, body: { code: 'invoice_draft_already_issued' } });
    }
  });

  test('is issued as it was checked, or not at all, when it is changed concurrently', async () => {
    const { body: draft } = await create(aSimplifiedInvoice());
    const cheaper = { invoice: aSimplifiedInvoice({ line_items: [aLine({ unit_amount: 500 })] }) };
    const { issueQueue } = service.services;
    // Changed between the check and the transaction.
    const slow = {
      ...service.services,
      issueQueue: {
        async submit(...prepared: Parameters<typeof issueQueue.submit>) {
          expect((await change(draft.id, cheaper)).status).toBe(200);
          return issueQueue.submit(...prepared);
        },
      },
    };
    const scope = await readScope(service.db.pool, service.company.test.environmentId);
    const issued = await issueDraft(slow, scope, draft.id, { sign: () => '', by: null });
    expect(issued).toMatchObject({ code: 'invoice_draft_changed' });
    const { body: now } = await read(draft.id);
    expect(now).toMatchObject({ status: 'open', total: 1_210 });
    const { body: invoice } = await issue(draft.id);
    expect(invoice.total).toBe(1_210);
  });

  test('is changed in the state that was read, and in no other', async () => {
    const { body: draft } = await create(aSimplifiedInvoice());
    const tag = (await read(draft.id)).headers.get('etag')!;
    const headers = { 'if-none-match': tag };
    expect((await service.call('GET', `/v1/invoice_drafts/${draft.id}`, { headers })).status).toBe(304);
    const changed = await change(draft.id, { due_in_days: 3 }, tag);
    expect(changed.status).toBe(200);
    for (const state of [tag, '"another"', 'W/"1"']) {
      const refused = await change(draft.id, { due_in_days: 4 }, state);
      expect(refused, state).toMatchObject({ status: 409, body: { code: 'conflict' } });
    }
    for (const state of [changed.headers.get('etag')!, '*'])
      expect((await change(draft.id, { due_in_days: 5 }, state)).status).toBe(200);
    // One of two who read the same state.
    const state = (await read(draft.id)).headers.get('etag')!;
    const both = await Promise.all([6, 7].map((days) => change(draft.id, { due_in_days: days }, state)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('has the fields of an invoice, which can be sent as they were read', async () => {
    const sent = aCompleteInvoice({
      notes: 'By hand',
      metadata: { 'Own Key': 'x' },
      withholding: { rate: 15 },
      delivery: { from: '2026-01-01', to: '2026-01-31' },
    });
    const { body: draft } = await create(sent);
    const query = `query ($id: ID!) { draft: invoiceDraft(id: $id) { updatedAt input ${selectionOf('DraftInvoice')} } }`;
    const { input, updatedAt } = (await service.graphql(query, { id: draft.id })).body.data.draft;
    expect(input).toMatchObject({ notes: 'By hand', type: 'complete', withholding: { rate: 15 } });
    expect(input.lineItems[0]).toMatchObject({ quantity: 2, taxItems: [{ type: 'vat', rate: 21 }] });
    const changes = { id: draft.id, input: { invoice: { ...input, notes: 'By machine' } }, updatedAt };
    const update = `mutation ($id: ID!, $input: UpdateInvoiceDraftInput!, $updatedAt: DateTime) {
      updateInvoiceDraft(id: $id, input: $input, expectedUpdatedAt: $updatedAt) { total } }`;
    expect((await service.graphql(update, changes)).body.data.updateInvoiceDraft.total).toBe(draft.total);
    expect((await read(draft.id)).body.invoice).toMatchObject({ ...sent, notes: 'By machine' });
    const late = await service.graphql(update, changes);
    expect(late.body.errors[0].extensions).toMatchObject({ code: 'conflict', status: 409 });
  });

  test('is deleted while it is a draft, and listed newest first', async () => {
    const { body: draft } = await create({});
    const { body: other } = await create({ type: 'simplified' });
    const { body: page } = await service.call('GET', '/v1/invoice_drafts?limit=2&status=open');
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual([other.id, draft.id]);
    expect((await service.call('DELETE', `/v1/invoice_drafts/${draft.id}`)).status).toBe(204);
    for (const refused of [await read(draft.id), await issue(draft.id), await change(draft.id, {})]) {
      expect(refused).toMatchObject({ status: 404, body: { code: 'invoice_draft_not_found' } });
    }
  });

  test('belongs to its environment', async () => {
    const { body: draft } = await create(aSimplifiedInvoice());
    const key = service.company.live.key;
    expect((await service.call('GET', `/v1/invoice_drafts/${draft.id}`, { key })).status).toBe(404);
    expect((await service.call('POST', `/v1/invoice_drafts/${draft.id}/issue`, { key })).status).toBe(404);
  });

  test('is deleted and issued for a company by operators, with a reason', async () => {
    const { body: one } = await create(aSimplifiedInvoice());
    const { body: other } = await create(aSimplifiedInvoice());
    const { key } = await operatorOf(service);
    const mutate = (field: string, id: string, reason: string) =>
      service.graphql(
        `mutation ($id: ID!, $companyId: ID!, $reason: String) {
          done: ${field}(id: $id, companyId: $companyId, environment: test, reason: $reason) { id } }`,
        { id, companyId: service.company.companyId, reason },
        { key },
      );
    expect((await mutate('issueInvoiceDraft', one.id, '')).body.errors[0].extensions.code).toBe(
      'invalid_request',
    );
    const issued = await mutate('issueInvoiceDraft', one.id, 'asked for by phone');
    expect(issued.body.data.done.id).toBe((await read(one.id)).body.invoice_id);
    expect((await mutate('deleteInvoiceDraft', other.id, 'a test')).body.errors).toBeUndefined();
    const { rows } = await service.db.pool.query(
      `select action from audit_entry where subject = any ($1) order by at`,
      [[one.id, other.id]],
    );
    expect(rows.map(({ action }) => action)).toEqual(['issue_invoice_draft', 'delete_invoice_draft']);
  });
});

test('malformed input is refused as a draft too', async () => {
  for (const [invoice, fault] of [
    [{ line_items: [{ description: 'x'.repeat(501) }] }, 'invoice.line_items[0].description too_big'],
    [{ line_items: [{}] }, 'invoice.line_items[0].description required'],
    [{ line_items: [aLine({ quantity: 0 })] }, 'invoice.line_items[0].quantity too_small'],
    [{ type: 'ticket' }, 'invoice.type invalid_value'],
    [{ notes: 7 }, 'invoice.notes invalid_type'],
    [{ payment: { means: 'transfer', iban: 'ES00' } }, 'invoice.payment.iban invalid_format'],
    [{ withholding: { rate: 51 } }, 'invoice.withholding.rate too_big'],
    [{ metadata: { a: 1 } }, 'invoice.metadata invalid_type'],
    [{ colour: 'red' }, 'invoice.colour unrecognized_field'],
    [{ line_items: Array.from({ length: 501 }, () => aLine()) }, 'invoice.line_items too_big'],
    [{ recipient: { address: { country: 'ESP' } } }, 'invoice.recipient.address.country invalid_format'],
  ] as const) {
    const refused = await create(invoice);
    expect(refused.status, JSON.stringify(fault)).toBe(400);
    expect(faults(refused)).toEqual([fault]);
  }
  expect(faults(await create({}, { due_in_days: 366 }))).toEqual(['due_in_days too_big']);
  expect(faults(await create({ due_date: '2027-01-01' }, { due_in_days: 3 }))).toEqual([
    'due_in_days not_supported',
  ]);
});

test('none of it harms the chain or the journal', async () => {
  const found = await verifyEnvironment(service.db.pool, service.company.test.environmentId);
  expect(found?.findings).toEqual([]);
});

test.each(['a\u0000', '\ud800'])('a series of a draft is a text that can be stored: not %j', async (id) => {
  const body = { invoice: { ...aSimplifiedInvoice(), number_series_id: id } };
  const refused = await service.call('POST', '/v1/invoice_drafts', { body });
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'invoice.number_series_id', code: 'invalid_characters' }] },
  });
});
