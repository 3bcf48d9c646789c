import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setCompanyFlags } from '../../src/subjects/accounts/companies.ts';
import type { CompanyFlags } from '../../src/subjects/accounts/flags.ts';
import { createApiKey, createOperatorKey, revokeKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '1000' });
});
afterAll(() => service.close());

const MANDATE = { status: 403, code: 'aeat_mandate_not_approved', retryAfter: null };
const SUBSCRIPTION = { status: 402, code: 'no_active_subscription', retryAfter: null };

describe.each(PROTOCOLS)('the account gates over %s', (protocol) => {
  test.each<[flags: CompanyFlags, refusal: object]>([
    [{ subscriptionActive: false }, SUBSCRIPTION],
    [{ mandateApproved: false }, MANDATE],
    [{ onboardingFinished: false }, MANDATE],
    [{ mandateApproved: false, subscriptionActive: false }, MANDATE],
    [{ onboardingFinished: false, subscriptionActive: false }, MANDATE],
    [{ mandateApproved: false, onboardingFinished: false, subscriptionActive: false }, MANDATE],
  ])('with %j close live and leave test open', async (flags, refusal) => {
    const operations = operationsOf(service, protocol);
    const { test, live } = await createCompany(service.db, flags);
    for (const body of [aCompleteInvoice(), aSimplifiedInvoice()]) {
      expect(await operations.issue(body, { key: live.key })).toMatchObject(refusal);
      expect(await operations.validate(body, { key: live.key })).toMatchObject(refusal);
      expect(await operations.issue(body, { key: test.key })).toMatchObject({ status: 201 });
      expect(await operations.validate(body, { key: test.key })).toMatchObject({ status: 200 });
    }
    // They stand before issuing alone.
    expect(await operations.invoices({}, { key: live.key })).toMatchObject({ status: 200 });
    const series = await operations.createSeries({ prefix: 'A', type: 'standard' }, { key: live.key });
    expect(series.status).toBe(201);
  });

  test('a refusal of theirs leaves the idempotency key free for the same body and for another', async () => {
    const operations = operationsOf(service, protocol);
    const company = await createCompany(service.db, { mandateApproved: false, subscriptionActive: false });
    const { key } = company.live;
    const options = { key, idempotencyKey: 'k' };
    const raise = (flags: CompanyFlags) => setCompanyFlags(service.db.pool, company.companyId, flags);
    expect(await operations.issue(aSimplifiedInvoice(), options)).toMatchObject(MANDATE);
    expect(await operations.issue(aCompleteInvoice(), options)).toMatchObject(MANDATE);
    await raise({ mandateApproved: true });
    expect(await operations.issue(aCompleteInvoice(), options)).toMatchObject(SUBSCRIPTION);
    await raise({ subscriptionActive: true });
    expect(await operations.issue(aCompleteInvoice(), options)).toMatchObject({
      status: 201,
      replayed: false,
    });
    await raise({ mandateApproved: false });
    // What was issued stays issued: the stored answer comes before the gates.
    expect(await operations.issue(aCompleteInvoice(), options)).toMatchObject({
      status: 201,
      replayed: true,
    });
  });
});

describe.each(PROTOCOLS)('keys over %s', (protocol) => {
  test('a revoked key ends with the next request', async () => {
    const operations = operationsOf(service, protocol);
    const owner = {
      environmentId: service.company.live.environmentId,
      environment: 'live',
      name: 'x',
    } as const;
    const { id, key } = await createApiKey(service.db.pool, owner);
    expect(await operations.issue(aSimplifiedInvoice(), { key })).toMatchObject({ status: 201 });
    await revokeKey(service.db.pool, id);
    for (const reply of [
      await operations.issue(aSimplifiedInvoice(), { key }),
      await operations.validate(aSimplifiedInvoice(), { key }),
      await operations.invoices({}, { key }),
      await operations.seriesList({}, { key }),
      await operations.validateTaxId({ tax_id: '12345678Z' }, { key }),
    ]) {
      expect(reply).toMatchObject({ status: 401, code: 'unauthorized' });
    }
  });

  test('only a key of a merchant, whole and in force, opens anything', async () => {
    const operations = operationsOf(service, protocol);
    const { key } = service.company.test;
    for (const wrong of [
      null,
      key.slice(0, -1),
      `${key}x`,
      key.replace('test', 'live'),
      key.toUpperCase(),
      'x',
    ]) {
      expect(await operations.invoices({}, { key: wrong })).toMatchObject({
        status: 401,
        code: 'unauthorized',
      });
    }
  });

  test('an operator’s key is valid, but cannot issue', async () => {
    const operations = operationsOf(service, protocol);
    const { key } = await createOperatorKey(service.db.pool, 'Ada');
    const reply = await operations.issue(aSimplifiedInvoice(), { key });
    expect(reply).toMatchObject({ status: 403, code: 'forbidden' });
    expect(reply.detail).toBe('This needs the API key of an environment, not an operator key.');
  });
});

test('the scheme of the header is read in any case, and no other scheme is', async () => {
  const { key } = service.company.test;
  const listWith = (authorization: string) =>
    service.call('GET', '/v1/invoices', { key: null, headers: { authorization } });
  for (const good of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`]) {
    expect((await listWith(good)).status).toBe(200);
  }
  for (const bad of [
    key,
    `Basic ${key}`,
    `Bearer${key}`,
    `Bearer ${key} ${key}`,
    `Bearer ${key},`,
    'Bearer',
  ]) {
    expect((await listWith(bad)).status).toBe(401);
  }
});

/** One environment must not be told apart from nothing by the key of another. */
describe.each(PROTOCOLS)('environments over %s', (protocol) => {
  test.each(['test and live of one company', 'live of two companies'])(
    '%s see nothing of each other',
    async (pair) => {
      const operations = operationsOf(service, protocol);
      const [mine, other] = [await createCompany(service.db), await createCompany(service.db)];
      const [owner, stranger] =
        pair === 'live of two companies' ? [mine.live, other.live] : [mine.live, mine.test];
      const { key } = owner;
      const foreign = { key: stranger.key };
      const invoice = await operations.issue(aSimplifiedInvoice({ external_id: 'mine' }), {
        key,
        idempotencyKey: 'k',
      });
      const { body: series } = await operations.createSeries(
        { prefix: 'X', type: 'standard' },
        { key, idempotencyKey: 's' },
      );
      const { id } = invoice.body;

      expect(await operations.invoice(id, foreign)).toMatchObject({ status: 404, code: 'invoice_not_found' });
      expect(await operations.series(series.id, foreign)).toMatchObject({
        status: 404,
        code: 'number_series_not_found',
      });
      const deleted = await operations.deleteSeries(series.id, foreign);
      expect(deleted).toMatchObject({ status: 404, code: 'number_series_not_found' });
      const cursor = { starting_after: id };
      const unknown = { status: 400, faults: ['starting_after invalid_value'] };
      expect(await operations.invoices(cursor, foreign)).toMatchObject(unknown);
      expect(await operations.seriesList({ starting_after: series.id }, foreign)).toMatchObject(unknown);
      expect((await operations.invoices({ number: invoice.body.number }, foreign)).body.data).toEqual([]);
      const onTheirs = aSimplifiedInvoice({ number_series_id: series.id });
      expect(await operations.issue(onTheirs, foreign)).toMatchObject({
        status: 422,
        code: 'invalid_number_series',
      });

      // Values and keys are taken in one environment only.
      const again = await operations.issue(aSimplifiedInvoice({ external_id: 'mine' }), {
        ...foreign,
        idempotencyKey: 'k',
      });
      expect(again).toMatchObject({ status: 201, replayed: false });
      expect(again.body.id).not.toBe(id);
      const sibling = await operations.createSeries(
        { prefix: 'X', type: 'standard' },
        { ...foreign, idempotencyKey: 's' },
      );
      expect(sibling).toMatchObject({ status: 201, replayed: false });
      expect(await operations.series(series.id, { key })).toMatchObject({ status: 200 });
    },
  );

  test('a download can be requested in the own environment alone', async () => {
    const operations = operationsOf(service, protocol);
    const { body } = await operations.issue(aSimplifiedInvoice(), { key: service.company.live.key });
    const foreign = { key: service.company.test.key };
    const { status, body: refused } = await service.call('GET', `/v1/invoices/${body.id}/download`, foreign);
    expect({ status, code: refused.code }).toEqual({ status: 404, code: 'invoice_not_found' });
    const download = `{ invoiceDownload(id: "${body.id}") { downloadUrl } }`;
    const { body: over } = await service.graphql(download, {}, foreign);
    expect(over.errors[0].extensions.code).toBe('invoice_not_found');
  });
});
