import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { readEnvironmentNow } from '../../src/subjects/accounts/entry/environment-time.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const environmentId = (): number => service.company.test.environmentId;

async function setAhead(days: number): Promise<string> {
  const ahead = days * DAY_MS;
  await service.db.pool.query(
    'update environment set clock_target_ms = $2, clock_ahead_ms = $2 where id = $1',
    [environmentId(), ahead],
  );
  return madridDay(await readEnvironmentNow(service.db.pool, environmentId()));
}

const issue = (changes: Record<string, unknown> = {}) =>
  service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice(changes) });

const today = () => madridDay(new Date());

test.each(['P1000000000Y', 'PT9007199254740991S', 'P4294967295Y', 'P10Y1M'])(
  'a clock is not advanced by %s, over neither protocol',
  async (advance) => {
    const { status, body } = await service.call('POST', '/v1/test_clock', { body: { advance } });
    const refused = [{ field: 'advance', code: 'too_big' }];
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: refused },
    });
    const mutation = 'mutation ($advance: String) { advanceTestClock(advance: $advance) { now } }';
    const { body: answer } = await service.graphql(mutation, { advance });
    expect(answer.errors[0].extensions).toMatchObject({ code: 'invalid_request', errors: refused });
  },
);

describe('an environment whose clock is ahead', () => {
  test('issues, numbers and voids by its own time, also after its clock was removed', async () => {
    const ahead = await setAhead(400);
    expect(ahead > today()).toBe(true);
    const operationDate = { operation_date: ahead };
    const { status, body } = await issue(operationDate);
    expect(status).toBe(201);
    expect(madridDay(new Date(body.created_at)) >= ahead).toBe(true);
    expect(body.number).toContain(ahead.slice(0, 4));
    const operator = await operatorOf(service);
    expect((await operator.voidInvoice(body.id)).errors).toBeUndefined();

    await setAhead(0);
    expect((await issue(operationDate)).body.code).toBe('invalid_request');
    const later = (await issue()).body;
    expect(later.created_at >= body.created_at).toBe(true);
    expect(later.number).toContain(ahead.slice(0, 4));

    const found = await verifyEnvironment(service.db.pool, environmentId());
    expect(found?.findings).toEqual([]);
  });

  test('does not delay the other environment, and a live one has none', async () => {
    await setAhead(30);
    const live = { key: service.company.live.key, body: aSimplifiedInvoice() };
    expect(madridDay(new Date((await service.call('POST', '/v1/invoices', live)).body.created_at))).toBe(
      today(),
    );
    const moved = service.owner.query('update environment set clock_target_ms = 1 where id = $1', [
      service.company.live.environmentId,
    ]);
    await expect(moved).rejects.toMatchObject({ constraint: 'environment_clock' });
  });
});
