import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { holdRequest } from '../support/database/held-requests.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf } from '../support/http/protocols.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
/** As another process beside it. */
let other: TestService;
let operations: Operations;
beforeAll(async () => {
  service = await testService();
  other = await testService({}, { beside: service });
  operations = operationsOf(service, 'REST');
});
afterAll(async () => {
  await other.close();
  await service.close();
});
afterEach(() => clock.reset());

let company: TestCompany;
let key: string;
beforeEach(async () => {
  company = await createCompany(service.db);
  key = company.test.key;
});

const numberOf = async (parts: Record<string, unknown> = {}): Promise<string> =>
  (await operations.issue(aSimplifiedInvoice(parts), { key })).body.number;
const newSeries = async (body: object): Promise<string> =>
  (await operations.createSeries(body, { key })).body.id;
const counters = async (seriesId: string) => {
  const { rows } = await service.db.pool.query<{ last_number: number }>(
    'select last_number from series_counter where series_id = $1 order by year',
    [seriesId],
  );
  return rows.map(({ last_number }) => last_number);
};

describe('the year of a number', () => {
  test('begins at midnight in Madrid, an hour before that of UTC', async () => {
    clock.freeze(new Date('2030-12-31T22:59:59.000Z'));
    expect([await numberOf(), await numberOf()]).toEqual(['F-2030-1', 'F-2030-2']);
    clock.freeze(new Date('2030-12-31T23:00:00.000Z'));
    expect([await numberOf(), await numberOf()]).toEqual(['F-2031-1', 'F-2031-2']);
    clock.freeze(new Date('2031-01-01T00:00:00.000Z'));
    expect(await numberOf()).toBe('F-2031-3');
  });

  test('changes nothing in a series that never restarts', async () => {
    const id = await newSeries({ prefix: 'ever', type: 'standard', yearly: false });
    clock.freeze(new Date('2030-12-31T22:00:00.000Z'));
    expect(await numberOf({ number_series_id: id })).toBe('EVER-1');
    clock.freeze(new Date('2031-06-01T22:00:00.000Z'));
    expect(await numberOf({ number_series_id: id })).toBe('EVER-2');
  });

  test('never goes back when the clock does', async () => {
    clock.freeze(new Date('2031-01-01T00:00:00.000Z'));
    expect(await numberOf()).toBe('F-2031-1');
    clock.freeze(new Date('2030-12-31T12:00:00.000Z'));
    expect(await numberOf()).toBe('F-2031-2');
  });
});

describe('a series has neither gaps nor duplicates', () => {
  const withoutGaps = (numbers: string[]) => {
    const counted = numbers.map((number) => Number(number.split('-').at(-1))).sort((a, b) => a - b);
    expect(counted).toEqual(counted.map((_, index) => index + 1));
  };

  test('when many issue at once through two processes', async () => {
    const second = await newSeries({ prefix: 'second', type: 'standard', yearly: false });
    const replies = await Promise.all(
      Array.from({ length: 80 }, (_, index) => {
        const through = operationsOf(index % 2 === 0 ? service : other, 'REST');
        const parts = index % 3 === 0 ? { number_series_id: second } : {};
        return through.issue(aSimplifiedInvoice(parts), { key });
      }),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const numbers: string[] = replies.map(({ body }) => body.number);
    withoutGaps(numbers.filter((number) => number.startsWith('F-')));
    withoutGaps(numbers.filter((number) => number.startsWith('SECOND-')));
    // The order of the numbers is that of the chain.
    const { rows } = await service.db.pool.query<{ number: string }>(
      `select number from registration_record record join invoice on invoice.id = record.invoice_id
        where record.environment_id = $1 order by position`,
      [company.test.environmentId],
    );
    const ordered = rows.map(({ number }) => number).filter((number) => number.startsWith('F-'));
    withoutGaps(ordered);
    expect(ordered).toEqual([...ordered].sort((a, b) => Number(a.split('-')[2]) - Number(b.split('-')[2])));
  });

  test('when refused requests stand among the others', async () => {
    const refused = [
      aSimplifiedInvoice({ external_id: 'one' }),
      aSimplifiedInvoice({ number_series_id: 'ns_1' }),
      aSimplifiedInvoice({ line_items: [] }),
      aCompleteInvoice({ recipient: { ...aCompleteInvoice().recipient, name: 'NO CENSADO SL' } }),
    ];
    expect(await numberOf({ external_id: 'one' })).toMatch(/-1$/);
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        operations.issue(index % 2 === 0 ? refused[(index / 2) % 4]! : aSimplifiedInvoice(), { key }),
      ),
    );
    const numbers = replies.filter(({ status }) => status === 201).map(({ body }) => body.number as string);
    expect(numbers).toHaveLength(20);
    withoutGaps([...numbers, 'F-2026-1']);
  });

  test('when a transaction fails in the middle', async () => {
    await numberOf();
    await service.owner.query(`
      create function fail_once() returns trigger language plpgsql as $$
        begin raise exception 'a bug'; end $$;
      create trigger fail_once before insert on invoice_line for each row
        when (new.description = 'FAIL') execute function fail_once()`);
    const failing = aSimplifiedInvoice({
      line_items: [{ ...aSimplifiedInvoice().line_items[0], description: 'FAIL' }],
    });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        operations.issue(index % 2 === 0 ? failing : aSimplifiedInvoice(), { key }),
      ),
    );
    expect(replies.map(({ code }) => code)).toEqual(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'internal_error' : null)),
    );
    expect(await counters(company.test.standardSeriesId)).toEqual([11]);
    await service.owner.query('drop function fail_once() cascade');
  });
});

describe('deleting a series while an invoice is issued on it', () => {
  test('waits for the invoice and then refuses', async () => {
    const id = await newSeries({ prefix: 'busy', type: 'standard' });
    // The invoice has taken its number and is held up before it is written.
    const hold = await holdRequest(service, 'insert on invoice', company.test.environmentId);
    const issuing = operations.issue(aSimplifiedInvoice({ number_series_id: id }), { key });
    await hold.reached();
    const deleting = operations.deleteSeries(id, { key });
    // Whoever issues holds the chain, which deleting takes first.
    await hold.waiters('from chain');
    await hold.release();
    expect(await issuing).toMatchObject({ status: 201 });
    expect(await deleting).toMatchObject({ status: 409, code: 'number_series_in_use' });
  });

  test('before the number is taken leaves the invoice without a series', async () => {
    const id = await newSeries({ prefix: 'late', type: 'standard' });
    // Deleting is first in the queue for the chain; the invoice has been checked and comes after it.
    const hold = await holdRequest(service, 'the chain', company.test.environmentId);
    const deleting = operations.deleteSeries(id, { key });
    await hold.waiters('from chain');
    const issuing = operations.issue(aSimplifiedInvoice({ number_series_id: id }), {
      key,
      idempotencyKey: 'k',
    });
    await hold.waiters('lock_chains');
    await hold.release();
    expect((await deleting).status).toBe(204);
    const refusal = { status: 422, code: 'invalid_number_series' };
    expect(await issuing).toMatchObject(refusal);
    const again = operations.issue(aSimplifiedInvoice({ number_series_id: id }), {
      key,
      idempotencyKey: 'k',
    });
    expect(await again).toMatchObject({ ...refusal, replayed: true });
    expect(await counters(id)).toEqual([]);
  });
});
