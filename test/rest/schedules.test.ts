import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceTestClockTask } from '../../jobs/schedules.ts';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { issueDue } from '../../src/subjects/drafts/issue-due.ts';
import { dayOfPeriod, lastDayOfPeriod, nextDays } from '../../src/subjects/drafts/periods.ts';
import { type Answer, type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

/** A company of its own, whose time nobody else moves. */
async function aCompany() {
  const company: TestCompany = await createCompany(service.db);
  const { key, environmentId } = company.test;
  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    service.call(method, path, { key, ...(body === undefined ? {} : { body }) });
  return {
    ...{ company, call, environmentId },
    create: (body: object) =>
      call('POST', '/v1/invoice_schedules', { invoice: aSimplifiedInvoice(), frequency: 'monthly', ...body }),
    /** Has the clock go there, and everything that is due by then happen. */
    async advance(to: object) {
      const set = await call('POST', '/v1/test_clock', to);
      expect(set.status, JSON.stringify(set.body)).toBe(200);
      await advanceTestClockTask(service.services)({ environmentId }, {} as never);
      const { body } = await call('GET', '/v1/test_clock');
      expect(body).toMatchObject({ status: 'ready', target: null });
      return body.now as string;
    },
    async invoices(): Promise<
      {
        id: string;
        invoice_date: string;
        draft_id: string;
        due_date?: string;
        line_items: { description: string }[];
      }[]
    > {
      return (await call('GET', '/v1/invoices?limit=100')).body.data.reverse();
    },
    issueDue: () => issueDue(service.services, environmentId),
  };
}

const days = (invoices: { invoice_date: string }[]) =>
  invoices.map((one) => madridDay(new Date(one.invoice_date)));
const issueDueWith = (services: object, environmentId: number) =>
  issueDue(services as TestService['services'], environmentId);
const today = () => madridDay(new Date());

test('days are counted from the first one, so that the end of a month stays the end of a month', () => {
  const months = Array.from({ length: 5 }, (_, period) => dayOfPeriod('2027-01-31', 'monthly', period));
  expect(months).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
  expect(dayOfPeriod('2028-01-31', 'monthly', 1)).toBe('2028-02-29');
  expect(dayOfPeriod('2027-11-30', 'quarterly', 1)).toBe('2028-02-29');
  expect([1, 4].map((year) => dayOfPeriod('2028-02-29', 'yearly', year))).toEqual([
    '2029-02-28',
    '2032-02-29',
  ]);
  const quarters = Array.from({ length: 5 }, (_, period) => dayOfPeriod('2027-08-31', 'quarterly', period));
  expect(quarters).toEqual(['2027-08-31', '2027-11-30', '2028-02-29', '2028-05-31', '2028-08-31']);
  expect(lastDayOfPeriod('2027-01-31', 'monthly', 0)).toBe('2027-02-27');
  expect(lastDayOfPeriod('2028-02-29', 'yearly', 0)).toBe('2029-02-27');
  const ending = { startsOn: '2027-01-31', frequency: 'monthly', endsOn: '2027-03-30', count: null } as const;
  expect(nextDays({ ...ending, nextPeriod: 0, made: 0, nextOn: '2027-01-31' }, 5)).toEqual([
    '2027-01-31',
    '2027-02-28',
  ]);
});

describe('a schedule', () => {
  test('issues its invoices on their days, with its own payment days and months', async () => {
    const { create, advance, invoices, call, environmentId } = await aCompany();
    const first = `${Number(today().slice(0, 4)) + 1}-01-31`;
    const line_items = [
      aLine({ description: 'Cuota de {{month}} de {{ year }}, {{period_start}} a {{period_end}}' }),
    ];
    const { status, body: made } = await create({
      invoice: aSimplifiedInvoice({ line_items }),
      ...{ starts_on: first, count: 4, due_in_days: 10 },
    });
    expect(status).toBe(201);
    const year = Array.from({ length: 4 }, (_, month) => dayOfPeriod(first, 'monthly', month));
    expect(made.next_dates).toEqual(year);

    await advance({ now: `${plusDays(year.at(-1)!, 3)}T10:00:00Z` });
    const issued = await invoices();
    expect(days(issued)).toEqual(year);
    expect(issued.map((invoice) => invoice.due_date)).toEqual(year.map((day) => plusDays(day, 10)));
    const [january] = issued;
    const written = (day: string) => day.split('-').reverse().join('/');
    expect(january!.line_items[0]!.description).toBe(
      `Cuota de enero de ${first.slice(0, 4)}, ${written(first)} a ${written(plusDays(year[1]!, -1))}`,
    );
    expect((await call('GET', `/v1/invoice_schedules/${made.id}`)).body).toMatchObject({
      ...{ status: 'ended', made: 4, next_dates: [] },
    });
    const { body: drafts } = await call('GET', `/v1/invoice_drafts?schedule_id=${made.id}&limit=100`);
    expect(drafts.data.map(({ period }: { period: string }) => period).reverse()).toEqual(year);
    expect(drafts.data.map(({ invoice_id }: { invoice_id: string }) => invoice_id).reverse()).toEqual(
      issued.map(({ id }) => id),
    );

    // None was paid; the last one has seven days left.
    const { body: events } = await call('GET', '/v1/events?type=invoice.overdue&limit=100');
    expect(
      events.data.map(({ data }: { data: { object: { id: string } } }) => data.object.id).reverse(),
    ).toEqual(issued.slice(0, -1).map(({ id }) => id));

    const found = await verifyEnvironment(service.db.pool, environmentId);
    expect(found?.findings).toEqual([]);
    // Back in real time nothing is issued before what was issued.
    expect((await call('DELETE', '/v1/test_clock')).status).toBe(204);
    const { body: later } = await call('POST', '/v1/invoices', aSimplifiedInvoice());
    expect(later.invoice_date >= issued.at(-1)!.invoice_date).toBe(true);
  });

  test.each([
    ['spring, when Madrid goes to summer time', '2028-03-26', '2028-03-25T23:00:00.000Z'],
    ['autumn, when it goes back', '2027-10-31', '2027-10-30T22:00:00.000Z'],
  ])('issues on its day in %s, from Madrid’s midnight on', async (_, day, midnight) => {
    const { create, invoices, issueDue, call, company, environmentId } = await aCompany();
    const { body: made } = await create({ starts_on: day, frequency: 'quarterly' });
    const at = async (instant: number) => {
      const ahead = Math.ceil(instant - Date.now());
      const text = 'update environment set clock_target_ms = $2, clock_ahead_ms = $2 where id = $1';
      await service.db.pool.query(text, [environmentId, ahead]);
      return issueDue();
    };
    // Ten minutes are long enough for a slow machine.
    await at(Date.parse(midnight) - 600_000);
    expect(await invoices()).toHaveLength(0);
    await at(Date.parse(midnight));
    await issueDue();
    const [first, ...others] = await invoices();
    expect([madridDay(new Date(first!.invoice_date)), others]).toEqual([day, []]);
    const { body: now } = await call('GET', `/v1/invoice_schedules/${made.id}`);
    expect(now.next_dates[0]).toBe(dayOfPeriod(day, 'quarterly', 1));
    // The event tells of its draft, as GraphQL does of the invoice.
    const { body: events } = await call('GET', '/v1/events?type=invoice.issued');
    expect(events.data).toMatchObject([{ data: { object: { id: first!.id, draft_id: first!.draft_id } } }]);
    const { key } = company.test;
    const { body } = await service.graphql(`{ invoice(id: "${first!.id}") { draftId } }`, {}, { key });
    expect([body.data.invoice.draftId, first!.draft_id.slice(0, 4)]).toEqual([first!.draft_id, 'dft_']);
  });

  test('makes and issues each period once, though processes end and several work at it', async () => {
    const { create, invoices, issueDue, environmentId, call } = await aCompany();
    const { body: made } = await create({ starts_on: today(), count: 3 });
    // A worker died after it had made the draft, and one before it had.
    await service.db.pool.query(
      `update environment set clock_target_ms = $2, clock_ahead_ms = $2 where id = $1`,
      [environmentId, 70 * 24 * 60 * 60 * 1_000],
    );
    const broken = { ...service.services, issueQueue: { submit: () => Promise.reject(new Error('died')) } };
    await expect(issueDueWith(broken, environmentId)).rejects.toThrow('died');
    expect(await invoices()).toHaveLength(0);
    await Promise.all(Array.from({ length: 5 }, () => issueDue()));
    await issueDue();
    const issued = await invoices();
    expect(issued).toHaveLength(3);
    expect(new Set(issued.map(({ draft_id }) => draft_id)).size).toBe(3);
    // What was missed is issued on the day on which it is issued: no invoice bears a day that has passed.
    const later = plusDays(today(), 70);
    for (const day of days(issued)) expect([later, plusDays(later, 1)]).toContain(day);
    expect((await call('GET', `/v1/invoice_schedules/${made.id}`)).body.made).toBe(3);
  });

  test('reports what is refused, and leaves it to be corrected and issued by hand', async () => {
    const { create, invoices, issueDue, call, environmentId } = await aCompany();
    const { body: series } = await call('POST', '/v1/number_series', { prefix: 'CUOTA', type: 'standard' });
    const invoice = aSimplifiedInvoice({ number_series_id: series.id });
    const { body: made } = await create({ invoice, starts_on: today(), count: 2 });
    await call('DELETE', `/v1/number_series/${series.id}`);
    expect(await issueDue()).toBe('done');
    const failed = async () =>
      (await call('GET', `/v1/invoice_drafts?status=open&schedule_id=${made.id}`)).body.data;
    const [draft] = await failed();
    expect(draft).toMatchObject({
      ...{ period: today(), failure: { code: 'invalid_number_series' } },
      errors: [{ field: 'number_series_id', code: 'invalid_number_series' }],
    });
    const { body: events } = await call('GET', '/v1/events?type=invoice_schedule.failed');
    expect(events.data.map(({ data }: { data: { object: object } }) => data.object)).toMatchObject([
      { id: made.id, draft_id: draft.id, period: today(), code: 'invalid_number_series' },
    ]);
    // It is told once, and tried by nobody but by hand.
    await issueDue();
    expect(await invoices()).toHaveLength(0);
    await call('PATCH', `/v1/invoice_drafts/${draft.id}`, { invoice: aSimplifiedInvoice() });
    expect((await call('POST', `/v1/invoice_drafts/${draft.id}/issue`)).status).toBe(201);
    expect(await failed()).toEqual([]);
    expect((await verifyEnvironment(service.db.pool, environmentId))?.findings).toEqual([]);
  });

  test('waits while it is paused, and leaves out what has passed', async () => {
    const { create, invoices, advance, call } = await aCompany();
    const { body: made } = await create({ starts_on: today() });
    await advance({ advance: 'PT1M' });
    expect(await invoices()).toHaveLength(1);
    expect((await call('POST', `/v1/invoice_schedules/${made.id}/pause`)).body.status).toBe('paused');
    await advance({ advance: 'P75D' });
    expect(await invoices()).toHaveLength(1);
    const { body: resumed } = await call('POST', `/v1/invoice_schedules/${made.id}/resume`);
    expect(resumed.next_dates[0]).toBe(dayOfPeriod(today(), 'monthly', 3));
    await advance({ advance: 'P31D' });
    expect(await invoices()).toHaveLength(2);
    expect((await call('POST', `/v1/invoice_schedules/${made.id}/end`)).body).toMatchObject({
      ...{ status: 'ended', next_dates: [], made: 2 },
    });
    for (const act of ['pause', 'resume', 'end']) {
      const refused = await call('POST', `/v1/invoice_schedules/${made.id}/${act}`);
      expect(refused).toMatchObject({ status: 409, body: { code: 'invoice_schedule_ended' } });
    }
  });

  test('is changed from the next period on', async () => {
    const { create, invoices, advance, call } = await aCompany();
    const { body: made } = await create({ starts_on: today() });
    await advance({ advance: 'PT1M' });
    const dearer = aSimplifiedInvoice({ line_items: [aLine({ description: 'Dearer' })] });
    const { body: changed } = await call('PATCH', `/v1/invoice_schedules/${made.id}`, {
      invoice: dearer,
      count: 2,
    });
    expect(changed.next_dates).toHaveLength(1);
    await advance({ advance: 'P75D' });
    expect((await invoices()).map(({ line_items }) => line_items[0]!.description)).toEqual([
      aLine().description,
      'Dearer',
    ]);
  });

  test('is refused where none of its invoices could be valid', async () => {
    const { create } = await aCompany();
    const faults = async (body: object) => {
      const { body: answer } = await create({ starts_on: today(), ...body });
      return (answer.errors ?? []).map(
        ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
      );
    };
    expect(await faults({ starts_on: plusDays(today(), -1) })).toEqual(['starts_on too_small']);
    expect(await faults({ ends_on: plusDays(today(), -1) })).toEqual(['ends_on too_small']);
    expect(await faults({ frequency: 'weekly' })).toEqual(['frequency invalid_value']);
    expect(await faults({ count: 0 })).toEqual(['count too_small']);
    for (const part of [{ external_id: 'x' }, { operation_date: '2026-01-01' }, { due_date: '2027-01-01' }]) {
      expect(await faults({ invoice: aSimplifiedInvoice(part) })).toEqual([
        `invoice.${Object.keys(part)[0]} not_supported`,
      ]);
    }
    // The last ones are names that every object has.
    for (const name of ['moon', '', 'MONTH', 'constructor', '__proto__', 'toString']) {
      expect(await faults({ invoice: aSimplifiedInvoice({ notes: `{{${name}}}` }) })).toEqual([
        'invoice unknown_placeholder',
      ]);
    }
    expect(await faults({ invoice: { type: 'simplified' } })).toContain('line_items required');
  });
});

describe('a test clock', () => {
  test('only goes forward, up to a limit', async () => {
    const { call, advance } = await aCompany();
    expect((await call('GET', '/v1/test_clock')).body).toMatchObject({ status: 'real_time', target: null });
    const now = await advance({ advance: 'P10D' });
    expect(madridDay(new Date(now)) >= plusDays(today(), 10)).toBe(true);
    const setClock = async (body: object) => (await call('POST', '/v1/test_clock', body)).body;
    expect(await setClock({ now: new Date().toISOString() })).toMatchObject({
      errors: [{ field: 'now', code: 'too_small' }],
    });
    expect(await setClock({ advance: 'P11Y' })).toMatchObject({
      errors: [{ field: 'advance', code: 'too_big' }],
    });
    for (const wrong of [{}, { now, advance: 'P1D' }, { advance: '-P1D' }, { advance: 'soon' }]) {
      expect(await setClock(wrong)).toMatchObject({ code: 'invalid_request' });
    }
  });

  test('does not exist in a live environment', async () => {
    const { company } = await aCompany();
    for (const [method, body] of [['GET'], ['POST', { advance: 'P1D' }], ['DELETE']] as const) {
      const answer = await service.call(method, '/v1/test_clock', { key: company.live.key, body });
      expect(answer).toMatchObject({ status: 403, body: { code: 'test_clock_not_available' } });
    }
  });
});

test('each day of a clock waits for its turn on the event loop', async () => {
  const { call, environmentId } = await aCompany();
  await call('POST', '/v1/test_clock', { advance: 'P3D' });
  const turns: (number | string)[] = [];
  const waitTurn = async (owner: number | string) => void turns.push(owner);
  const waitIfLarge = async () => {};
  const services = { ...service.services, eventLoop: { waitTurn, waitIfLarge } };
  await advanceTestClockTask(services as unknown as TestService['services'])({ environmentId }, {} as never);
  // Three midnights, and the time of day on the last.
  expect(turns).toEqual(Array.from({ length: 4 }, () => environmentId));
});
