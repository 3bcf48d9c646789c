import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEY_SCOPES, type KeyScope } from '../../src/subjects/accounts/entry/permissions.ts';
import { createApiKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  ANA,
  codeOf,
  correctorWith,
  decideRecords,
  issueWith,
  persistedCounts,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const merchantWith = async (kind: 'test' | 'live', scopes: readonly KeyScope[] = KEY_SCOPES) => {
  const { environmentId } = service.company[kind];
  const owner = { environmentId, environment: kind, name: 'x', scopes };
  return correctorWith(service, await createApiKey(service.db.pool, owner));
};

test('a merchant voids, exchanges and amends its own invoices, and the audit log names the key', async () => {
  const merchant = await merchantWith('test');
  const [complete, ticket, flagged] = [
    await issueWith(service, aCompleteInvoice(), 'test'),
    await issueWith(service, aSimplifiedInvoice(), 'test'),
    await issueWith(service, aCompleteInvoice(), 'live'),
  ];
  expect((await merchant.voidInvoice(complete.id)).data.result).toMatchObject({
    id: complete.id,
    status: 'voided',
  });
  const exchanged = await merchant.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA });
  expect(exchanged.data.result).toMatchObject({ kind: 'exchange', exchanges: [{ id: ticket.id }] });
  await decideRecords(service.db, flagged.id, 'registered_with_errors');
  const live = await merchantWith('live');
  expect((await live.amendRecord({ invoiceId: flagged.id })).data.result.id).toBe(flagged.id);
  const { rows } = await service.db.pool.query(
    'select action, actor, environment_id from environment_audit_entry order by at',
  );
  expect(rows).toMatchObject([
    { action: 'void_invoice', actor: merchant.id, environment_id: service.company.test.environmentId },
    { action: 'exchange_invoices', actor: merchant.id },
    { action: 'amend_record', actor: live.id, environment_id: service.company.live.environmentId },
  ]);
});

test('data of another environment is invisible to it, and unchanged', async () => {
  const merchant = await merchantWith('test');
  const complete = await issueWith(service, aCompleteInvoice(), 'live');
  const ticket = await issueWith(service, aSimplifiedInvoice(), 'live');
  await decideRecords(service.db, complete.id, 'registered_with_errors');
  const before = await persistedCounts(service.db);
  expect(codeOf(await merchant.voidInvoice(complete.id))).toBe('invoice_not_found');
  expect(codeOf(await merchant.amendRecord({ invoiceId: complete.id }))).toBe('invoice_not_found');
  expect(codeOf(await merchant.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA }))).toBe(
    'invoice_not_found',
  );
  expect(await persistedCounts(service.db)).toEqual(before);
});

test('without the scope it corrects nothing', async () => {
  const { id } = await issueWith(service, aCompleteInvoice(), 'test');
  const before = await persistedCounts(service.db);
  const reader = await merchantWith('test', ['read', 'issue', 'manage']);
  expect(codeOf(await reader.voidInvoice(id))).toBe('forbidden');
  expect(codeOf(await reader.amendRecord({ invoiceId: id }))).toBe('forbidden');
  const corrector = await merchantWith('test', ['read', 'correct', 'manage']);
  expect(codeOf(await corrector.exchangeInvoices({ ticketIds: [id], recipient: ANA }))).toBe('forbidden');
  expect(await persistedCounts(service.db)).toEqual(before);
});
