import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numbersOfNif } from '../../src/faces/cli/doctor/environments.ts';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../src/ground/errors/refusal.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import {
  type CompanyInput,
  createCompany,
  type NewCompany,
  setCompanyFlags,
} from '../../src/subjects/accounts/companies.ts';
import { createApiKey } from '../../src/subjects/accounts/keys.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { holdChain, untilWaiting } from '../support/database/held-locks.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany as aCompany, type TestCompany } from '../support/invoices/company.ts';
import { ANA, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';

const files = importFiles();
let service: TestService;
let before: TestCompany;
let ticket: { id: string };
let invoice: { number: string };
let after: NewCompany;
let key: string;

const issue = (key: string, body: object = aSimplifiedInvoice()) =>
  service.call('POST', '/v1/invoices', { key, body });
const series = (key: string, prefix: string, parts: object = {}) =>
  service.call('POST', '/v1/number_series', { key, body: { prefix, type: 'standard', ...parts } });

/** Another company of the NIF of the one given. */
function succeed(companyId: string, input: Partial<CompanyInput> = {}): Promise<Outcome<NewCompany>> {
  return inTransaction(service.db.pool, async (client) => {
    const { rows } = await client.query<{ nif: string }>('select nif from company where id = $1', [
      companyId,
    ]);
    return createCompany(client, {
      ...{ nif: rows[0]!.nif, legalName: 'Nueva SL', succeeds: companyId },
      address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid' },
      ...input,
    });
  });
}

function made(company: Outcome<NewCompany>): NewCompany {
  if (isRefusal(company)) throw new Error(company.detail);
  return company;
}

async function keyOf(company: NewCompany, environment: 'test' | 'live'): Promise<string> {
  await setCompanyFlags(service.db.pool, company.companyId, {
    ...{ mandateApproved: true, onboardingFinished: true, subscriptionActive: true },
  });
  const { environmentId } = company[environment];
  return (await createApiKey(service.db.pool, { environmentId, environment, name: 'x' })).key;
}

beforeAll(async () => {
  service = await testService();
  before = await aCompany(service.db);
  ticket = (await issue(before.test.key)).body;
  invoice = (await issue(before.test.key, aCompleteInvoice())).body;
  await series(before.test.key, 'WEB', { yearly: false });
  after = made(await succeed(before.companyId));
  key = await keyOf(after, 'test');
});
afterAll(async () => {
  await service.close();
  files.remove();
});

describe('a company that was succeeded', () => {
  const FORBIDDEN = {
    status: 403,
    body: { code: 'forbidden', detail: expect.stringContaining('succeeded') },
  };

  test('issues nothing in either environment, in whatever way, and validates nothing', async () => {
    for (const { key } of [before.test, before.live]) expect(await issue(key)).toMatchObject(FORBIDDEN);
    const own = before.test.key;
    const correction = {
      type: 'simplified',
      line_items: aSimplifiedInvoice().line_items,
      rectifies: { method: 'differences', reason: 'correction', invoice_id: ticket.id },
    };
    const post = (path: string, body: object) => service.call('POST', path, { key: own, body });
    expect(await issue(own, correction)).toMatchObject(FORBIDDEN);
    expect(await post('/v1/invoices/validate', aSimplifiedInvoice())).toMatchObject(FORBIDDEN);
    const batch = { invoices: [aSimplifiedInvoice({ external_id: 'b-1' })] };
    expect(await post('/v1/invoice_batches', batch)).toMatchObject(FORBIDDEN);
    const schedule = { invoice: aSimplifiedInvoice(), frequency: 'monthly', starts_on: '2030-01-01' };
    expect(await post('/v1/invoice_schedules', schedule)).toMatchObject(FORBIDDEN);
    const { body: draft } = await post('/v1/invoice_drafts', { invoice: aSimplifiedInvoice() });
    expect(await post(`/v1/invoice_drafts/${draft.id}/issue`, {})).toMatchObject(FORBIDDEN);
    const operator = await operatorOf(service);
    const exchanged = await operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA });
    expect(exchanged.errors[0].extensions.code).toBe('forbidden');
  });

  test('is read, and voids, as before', async () => {
    const { status, body } = await service.call('GET', '/v1/invoices', { key: before.test.key });
    expect([status, body.data.length]).toEqual([200, 2]);
    const { voidInvoice } = await operatorOf(service);
    expect((await voidInvoice(ticket.id)).data.result.status).toBe('voided');
  });
});

describe('its successor', () => {
  test('has no series, and issues once it has its own, which is its default', async () => {
    expect(after.test).toMatchObject({ standardSeriesId: null, rectifyingSeriesId: null });
    expect(await issue(key)).toMatchObject({ status: 422, body: { code: 'invalid_number_series' } });
    expect(await series(key, 'G')).toMatchObject({ status: 201, body: { is_default: true } });
    expect((await issue(key)).body.number).toMatch(/^G-\d{4}-1$/);
  });

  test('is refused every prefix and numbering of the NIF, in live and in test each for itself', async () => {
    const taken = { status: 409, body: { code: 'number_series_prefix_taken' } };
    const colliding = { status: 409, body: { code: 'number_series_numbering_collision' } };
    for (const prefix of ['F', 'R', 'web']) expect(await series(key, prefix)).toMatchObject(taken);
    expect(await series(key, 'F-2026', { yearly: false })).toMatchObject(colliding);
    expect(await series(before.test.key, 'G')).toMatchObject(taken);
    expect(await series(before.test.key, 'G-2026', { yearly: false })).toMatchObject(colliding);
    // The predecessor has WEB in test alone.
    expect((await series(await keyOf(after, 'live'), 'WEB')).status).toBe(201);
  });

  test('gets a prefix that was deleted unused', async () => {
    const { body } = await series(before.test.key, 'FREE');
    expect((await series(key, 'FREE')).status).toBe(409);
    await service.call('DELETE', `/v1/number_series/${body.id}`, { key: before.test.key });
    expect((await series(key, 'FREE')).status).toBe(201);
  });

  test('cannot number what was imported for its predecessor, nor import what its series or that one’s number', async () => {
    const imported = (company: { readonly environmentId: number }, number: string) =>
      importInvoices(service.db, {
        environmentId: company.environmentId,
        file: files.jsonLines([anOldInvoice(number)]),
        actor: 'opk_1',
      });
    expect(await imported(before.test, 'OLD-7')).toMatchObject({ accepted: 1 });
    const colliding = { status: 409, body: { code: 'number_series_numbering_collision' } };
    expect(await series(key, 'OLD', { yearly: false })).toMatchObject(colliding);
    const { body } = await series(before.test.key, 'NEW', { yearly: false });
    expect(body.prefix).toBe('NEW');
    for (const number of ['NEW-5', 'G-2011-3']) {
      for (const company of [before.test, after.test])
        expect(await imported(company, number), number).toMatchObject({ accepted: 0, refused: 1 });
    }
  });

  test('corrects what its predecessor issued as issued elsewhere', async () => {
    expect((await series(key, 'GR', { type: 'rectifying' })).body.is_default).toBe(true);
    const answer = await issue(key, {
      ...aCompleteInvoice(),
      rectifies: {
        ...{ method: 'differences', reason: 'correction' },
        external: { number: invoice.number, issued_on: madridDay(new Date()) },
      },
    });
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  });

  test('issues at once with the series that it names, and is refused those of before', async () => {
    const other = await aCompany(service.db);
    const refused = await succeed(other.companyId, { series: { standard: 'f', rectifying: 'X' } });
    expect(isRefusal(refused) && refused.code).toBe('number_series_prefix_taken');
    const same = await succeed(other.companyId, { series: { standard: 'X', rectifying: ' x' } });
    expect(isRefusal(same) && same.code).toBe('number_series_prefix_taken');
    expect((await issue(other.test.key)).status, 'nothing has changed').toBe(201);
    const next = made(await succeed(other.companyId, { series: { standard: 'h', rectifying: 'HR' } }));
    expect((await issue(await keyOf(next, 'live'))).body.number).toMatch(/^H-\d{4}-1$/);
  });
});

test('of the same prefix for two companies of a NIF at once one wins', async () => {
  const other = await aCompany(service.db);
  const next = made(await succeed(other.companyId));
  const keys = [other.test.key, await keyOf(next, 'test')];
  for (const prefix of ['A1', 'A2', 'A3']) {
    const answers = await Promise.all(keys.map((one) => series(one, prefix)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  }
});

test('what is being issued while the successor is created is issued before that, and nothing after it', async () => {
  const other = await aCompany(service.db);
  const chain = await holdChain(service.db, other.live.environmentId);
  const creating = succeed(other.companyId).then(made);
  await untilWaiting(service.db, 1);
  const late = issue(other.live.key);
  await untilWaiting(service.db, 2);
  await chain.release();
  await creating;
  expect((await late).status).toBe(403);
  expect((await issue(other.live.key)).status).toBe(403);
});

test('numbers that both have issued, with a prefix from before prefixes were compared, are named by doctor', async () => {
  const clean = { result: 'ok', check: 'numbers' };
  expect(await numbersOfNif(service.db)).toMatchObject(clean);
  const other = await aCompany(service.db);
  const { body: first } = await issue(other.live.key);
  const next = made(await succeed(other.companyId));
  const { environmentId } = next.live;
  await service.owner.query(`
    update taken_prefix set company_id = null where company_id = '${other.companyId}';
    insert into number_series (id, environment_id, prefix, type, yearly, imported, created_at)
      values ('ns_${'a'.repeat(32)}', ${environmentId}, 'F', 'standard', true, false, now());
    insert into series_default (environment_id, type, series_id, created_at)
      values (${environmentId}, 'standard', 'ns_${'a'.repeat(32)}', now())`);
  expect((await issue(await keyOf(next, 'live'))).body.number).toBe(first.number);
  expect(await numbersOfNif(service.db)).toMatchObject({
    result: 'warning',
    summary: expect.stringContaining(`, such as ${first.number}`),
  });
});
