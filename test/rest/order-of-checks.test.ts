import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setCompanyFlags } from '../../src/subjects/accounts/companies.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS, type Reply } from '../support/http/protocols.ts';
import { rawConnection, rawRequest } from '../support/http/raw-http.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '14' });
});
afterAll(() => service.close());

const { recipient: ana } = aCompleteInvoice();
const ALL_DOWN = { mandateApproved: false, onboardingFinished: false, subscriptionActive: false };

/** A request in which every step of the checks would find something. */
const AS_WRONG_AS_CAN_BE = {
  ...aCompleteInvoice({ external_id: 'taken', number_series_id: 'ns_unknown' }),
  line_items: [
    aLine({ quantity: 1_000_000, unit_amount: 99_999_999_999, tax_items: [{ type: 'vat', rate: 7 }] }),
  ],
  recipient: {
    ...ana,
    company_name: 'CENSO CAIDO SL',
    tax_id: '12345678A',
    tax_id_type: 'es_nif',
    tax_id_country: 'FR',
  },
};

type Body = typeof AS_WRONG_AS_CAN_BE;
type Step = {
  /** What is answered while the fault is there. */
  readonly answer: Partial<Reply>;
  /** The request without it. */
  readonly fix: (body: Body) => Body | Promise<Body>;
};

/** The steps of docs/contract.md#order-of-checks behind the body, each with the way past it. */
function steps(company: TestCompany): Step[] {
  const raise = (flags: object) => async (body: Body) => {
    await setCompanyFlags(service.db.pool, company.companyId, flags);
    return body;
  };
  const withRecipient = (parts: object) => (body: Body) => ({
    ...body,
    recipient: { ...body.recipient, ...parts },
  });
  const withTax = (rate: number) => (body: Body) => ({
    ...body,
    line_items: [{ ...body.line_items[0]!, tax_items: [{ type: 'vat', rate }] }],
  });
  return [
    {
      answer: { status: 400, faults: ['line_items[0] too_big'] },
      fix: (body) => ({ ...body, line_items: [{ ...body.line_items[0]!, quantity: 1, unit_amount: 100 }] }),
    },
    { answer: { status: 403, code: 'aeat_mandate_not_approved' }, fix: raise({ mandateApproved: true }) },
    { answer: { status: 403, code: 'aeat_mandate_not_approved' }, fix: raise({ onboardingFinished: true }) },
    { answer: { status: 402, code: 'no_active_subscription' }, fix: raise({ subscriptionActive: true }) },
    {
      answer: { status: 409, code: 'external_id_already_used' },
      fix: (body) => ({ ...body, external_id: 'free' }),
    },
    {
      answer: { status: 422, code: 'invalid_number_series' },
      fix: (body) => ({ ...body, number_series_id: company.live.standardSeriesId }),
    },
    { answer: { status: 422, code: 'invalid_tax_rate' }, fix: withTax(21) },
    {
      answer: { status: 422, code: 'tax_id_type_country_mismatch' },
      fix: withRecipient({ tax_id_country: 'ES' }),
    },
    { answer: { status: 422, code: 'invalid_tax_id' }, fix: withRecipient({ tax_id: '12345678Z' }) },
    {
      answer: { status: 503, code: 'tax_id_validation_unavailable' },
      fix: withRecipient({ company_name: 'ANDANTE SL' }),
    },
  ];
}

describe.each(PROTOCOLS)('over %s the first fault is the answer', (protocol) => {
  let operations: Operations;
  let company: TestCompany;
  let key: string;
  beforeEach(async () => {
    operations = operationsOf(service, protocol);
    company = await createCompany(service.db);
    key = company.live.key;
    const holder = await operations.issue(aCompleteInvoice({ external_id: 'taken' }), { key });
    expect(holder.status).toBe(201);
    await setCompanyFlags(service.db.pool, company.companyId, ALL_DOWN);
  });

  test('when issuing', async () => {
    let body: Body = AS_WRONG_AS_CAN_BE;
    expect(await operations.issue(body, { key: null, idempotencyKey: '' })).toMatchObject({
      code: 'unauthorized',
    });
    for (const { answer, fix } of steps(company)) {
      expect(await operations.issue(body, { key })).toMatchObject(answer);
      body = await fix(body);
    }
    expect(await operations.issue(body, { key })).toMatchObject({ status: 201 });
  });

  test('when validating, after the limit of requests', async () => {
    let body: Body = AS_WRONG_AS_CAN_BE;
    expect(await operations.validate(body, { key: null })).toMatchObject({ code: 'unauthorized' });
    for (const { answer, fix } of steps(company)) {
      expect(await operations.validate(body, { key })).toMatchObject(answer);
      body = await fix(body);
    }
    expect(await operations.validate(body, { key })).toMatchObject({ status: 200 });
    while ((await operations.validate(body, { key })).status === 200);
    expect(await operations.validate(AS_WRONG_AS_CAN_BE, { key })).toMatchObject({ code: 'rate_limited' });
  });

  test('with an idempotency key: its form before the body, the body before its past, its past before the gates', async () => {
    const valid = aCompleteInvoice({ external_id: 'free' });
    const { companyId } = company;
    const flags = { mandateApproved: true, onboardingFinished: true, subscriptionActive: true };
    await setCompanyFlags(service.db.pool, companyId, flags);
    expect((await operations.issue(valid, { key, idempotencyKey: 'used' })).status).toBe(201);
    await setCompanyFlags(service.db.pool, companyId, ALL_DOWN);

    expect(await operations.issue(AS_WRONG_AS_CAN_BE, { key, idempotencyKey: 'é' })).toMatchObject({
      status: 400,
      faults: ['Idempotency-Key invalid_format'],
    });
    expect(await operations.issue(AS_WRONG_AS_CAN_BE, { key, idempotencyKey: 'used' })).toMatchObject({
      status: 400,
      faults: ['line_items[0] too_big'],
    });
    const other = { ...valid, number_series_id: 'ns_unknown' };
    const conflict = { status: 409, code: 'idempotency_conflict', replayed: false };
    expect(await operations.issue(other, { key, idempotencyKey: 'used' })).toMatchObject(conflict);
    expect(await operations.issue(valid, { key, idempotencyKey: 'used' })).toMatchObject({
      status: 201,
      replayed: true,
    });
    expect(await operations.issue(valid, { key, idempotencyKey: 'fresh' })).toMatchObject({ status: 403 });
  });
});

describe('REST looks at the head of a request before its body', () => {
  const send = (headers: Record<string, string>, path = '/v1/invoices') =>
    service.call('POST', path, { body: '{', headers });

  test('the key, then Idempotency-Key, then the type of the body, then the body', async () => {
    const wrong = { 'idempotency-key': 'é', 'content-type': 'text/plain' };
    const unknown = await service.call('POST', '/v1/invoices', { key: null, body: '{', headers: wrong });
    expect(unknown.status).toBe(401);
    for (const path of ['/v1/invoices', '/v1/number_series']) {
      const faulty = await send(wrong, path);
      expect(faulty.body.errors).toEqual([
        {
          field: 'Idempotency-Key',
          code: 'invalid_format',
          message: 'must be 1 to 255 printable ASCII characters',
        },
      ]);
      expect((await send({ 'idempotency-key': 'x', 'content-type': 'text/plain' }, path)).status).toBe(415);
      expect((await send({ 'idempotency-key': 'x' }, path)).body.code).toBe('invalid_request');
    }
  });

  test('two idempotency keys are refused', async () => {
    const connection = await rawConnection(service.url);
    const body = JSON.stringify(aCompleteInvoice());
    const headers = {
      authorization: `Bearer ${service.company.test.key}`,
      'content-type': 'application/json',
      'idempotency-key': 'one',
      'Idempotency-Key': 'two',
    };
    connection.send(rawRequest('POST', '/v1/invoices', headers, body));
    const answer = await connection.answer();
    connection.close();
    expect(JSON.parse(answer.body)).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'Idempotency-Key', code: 'invalid_type' }],
    });
  });
});
