import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS, type Reply } from '../support/http/protocols.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
/** As another process beside it. */
let other: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '1000' });
  other = await testService({}, { beside: service });
});
afterAll(async () => {
  await other.close();
  await service.close();
});
afterEach(() => clock.reset());

const usedBy = (id: string) => ({
  status: 409,
  code: 'external_id_already_used',
  detail: expect.stringContaining(id),
  faults: ['external_id external_id_already_used'],
});

describe.each(PROTOCOLS)('over %s an external_id', (protocol) => {
  let operations: Operations;
  let company: TestCompany;
  let key: string;
  beforeEach(async () => {
    operations = operationsOf(service, protocol);
    company = await createCompany(service.db);
    key = company.test.key;
  });
  const issue = (external_id: string, parts: object = {}, idempotencyKey?: string) =>
    operations.issue(aSimplifiedInvoice({ external_id, ...parts }), {
      key,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });

  test('is kept with the invoice and read back', async () => {
    const { body } = await issue('order 7');
    expect(body.external_id).toBe('order 7');
    expect((await operations.invoice(body.id, { key })).body.external_id).toBe('order 7');
  });

  test('is taken by the first invoice for any body, idempotency key and time', async () => {
    const { body } = await issue('a', {}, 'k1');
    expect(await issue('a')).toMatchObject(usedBy(body.id));
    expect(await issue('a', {}, 'k2')).toMatchObject(usedBy(body.id));
    expect(await issue('a', { notes: 'another' }, 'k3')).toMatchObject(usedBy(body.id));
    const complete = aCompleteInvoice({ external_id: 'a' });
    expect(await operations.issue(complete, { key })).toMatchObject(usedBy(body.id));
    clock.shift(400 * 24 * 60 * 60 * 1_000);
    expect(await issue('a')).toMatchObject(usedBy(body.id));
    // Under its own key the first request gets its own answer, for as long as that is kept.
    clock.reset();
    expect(await issue('a', {}, 'k1')).toMatchObject({ status: 201, replayed: true });
  });

  test('is refused by a dry run too, which takes none', async () => {
    const dryRun = aSimplifiedInvoice({ external_id: 'dry' });
    expect(await operations.validate(dryRun, { key })).toMatchObject({ status: 200 });
    expect(await operations.validate(dryRun, { key })).toMatchObject({ status: 200 });
    const { body } = await issue('dry');
    expect(await operations.validate(dryRun, { key })).toMatchObject(usedBy(body.id));
  });

  test('stays taken after its invoice is voided', async () => {
    const { body } = await issue('void');
    await service.db.pool.query(
      `insert into invoice_void (invoice_id, environment_id, record_id, reason, voided_by, voided_at)
       select invoice_id, environment_id, id, 'duplicate', 'opk_1', now() from registration_record where invoice_id = $1`,
      [body.id],
    );
    expect(await issue('void')).toMatchObject(usedBy(body.id));
  });

  test('is not taken by a request that was refused', async () => {
    expect(await issue('free', { number_series_id: 'ns_1' })).toMatchObject({ status: 422 });
    expect(await issue('free')).toMatchObject({ status: 201 });
  });

  test('is taken once when many want it at the same time through two processes', async () => {
    const issuing: Promise<Reply>[] = [];
    for (let index = 0; index < 24; index += 1) {
      const through = operationsOf(index % 2 === 0 ? service : other, protocol);
      const body = aSimplifiedInvoice({ external_id: `race-${index % 3}` });
      issuing.push(through.issue(body, { key, idempotencyKey: `race-${index}` }));
    }
    const replies = await Promise.all(issuing);
    for (const value of [0, 1, 2]) {
      const sameId = replies.filter((_, index) => index % 3 === value);
      const winners = sameId.filter(({ status }) => status === 201);
      expect(winners).toHaveLength(1);
      for (const refused of sameId.filter(({ status }) => status !== 201)) {
        expect(refused).toMatchObject(usedBy(winners[0]!.body.id));
      }
    }
    // The losers' answers are kept under their keys as they are.
    const again = await Promise.all(
      replies.map((_, index) => {
        const body = aSimplifiedInvoice({ external_id: `race-${index % 3}` });
        return operations.issue(body, { key, idempotencyKey: `race-${index}` });
      }),
    );
    expect(again.map(({ code, detail }) => [code, detail])).toEqual(
      replies.map(({ code, detail }) => [code, detail]),
    );
    expect(again.every(({ replayed }) => replayed)).toBe(true);
  });
});
