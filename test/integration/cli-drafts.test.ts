import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceTestClockTask } from '../../jobs/schedules.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type CommandLine, commandLineOn, SECRETS } from '../support/processes/command-line.ts';

/** Drafts, schedules and the test clock by the command line: over REST, and on the database. */

let service: TestService;
let lacre: CommandLine;
const folder = mkdtempSync(join(tmpdir(), 'lacre-drafts-'));

beforeAll(async () => {
  const simulator = await testSimulator();
  service = await testService({}, { simulator });
  const variables = {
    ...{ DATABASE_URL: service.databaseUrl, SIMULATOR_URL: simulator.url },
    ...{ SIMULATOR_TLS_URL: simulator.tlsUrl, SIMULATOR_TLS_DIR: simulator.tlsDir },
  };
  lacre = commandLineOn({
    config: () => readConfig({ ...SECRETS, ...variables }),
    database: async () => service.db,
    profiles: join(folder, 'profiles.json'),
  });
  for (const profile of ['live', 'test'] as const) {
    const words = ['login', '--profile', profile, '--url', service.url, '--key-file', '-'];
    await lacre(words, `${service.company[profile].key}\n`);
  }
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const today = () => madridDay(clock.now());
const draft = (parts: object = {}) => ({ invoice: aSimplifiedInvoice(), ...parts });
const monthly = () => draft({ frequency: 'monthly', starts_on: today(), count: 3 });

/** The two ways to the same environment. */
const WAYS: readonly [string, () => string[], string[]][] = [
  ['over REST', () => ['--profile', 'test'], []],
  [
    'on the database',
    () => ['--environment', String(service.company.test.environmentId)],
    ['--reason', 'the merchant asked'],
  ],
];

const run = async (words: readonly string[], input: object | string = '') => {
  const ran = await lacre([...words, '--json'], typeof input === 'string' ? input : JSON.stringify(input));
  expect({ exit: ran.exit, stderr: ran.stderr }).toEqual({ exit: 0, stderr: '' });
  return ran.json();
};

const create = (group: string, body: object) => run([group, 'create', '--profile', 'test', '-f', '-'], body);

describe.each(WAYS)('%s', (_, where, why) => {
  test('a draft is listed, read, issued once and deleted', async () => {
    const { id } = await create('drafts', draft());
    const faulty = await create('drafts', { invoice: { type: 'simplified' } });
    expect(faulty.errors).toMatchObject([{ field: 'line_items' }]);

    const listed = await run(['drafts', 'list', ...where(), '--status', 'open', '--limit', '2']);
    expect(listed.drafts).toMatchObject([
      { id: faulty.id, errors: 1, total: null },
      { id, errors: 0, total: 24_200 },
    ]);
    expect(await run(['drafts', 'get', faulty.id, ...where()])).toEqual(faulty);

    const issued = await run(['drafts', 'issue', id, ...where(), ...why]);
    expect(issued).toMatchObject({ draftId: id, total: 24_200 });
    expect(await run(['drafts', 'issue', id, ...where(), ...why])).toEqual(issued);
    const { body } = await service.call('GET', `/v1/invoices/${issued.invoiceId}`);
    expect(body).toMatchObject({ draft_id: id, number: issued.number });

    expect(await run(['drafts', 'delete', faulty.id, ...where(), ...why])).toEqual({ deleted: faulty.id });
    const deleted = await lacre(['drafts', 'get', faulty.id, ...where(), '--json']);
    expect([deleted.exit, JSON.parse(deleted.stderr).code]).toEqual([4, 'invoice_draft_not_found']);
    const refused = await lacre(['drafts', 'delete', id, ...where(), ...why, '--json']);
    expect([refused.exit, JSON.parse(refused.stderr).code]).toEqual([3, 'invoice_draft_already_issued']);
  });

  test('a schedule is listed, read, paused, resumed and ended', async () => {
    const made = await create('schedules', monthly());
    const listed = await run(['schedules', 'list', ...where(), '--status', 'active', '--limit', '1']);
    expect(listed.schedules).toMatchObject([{ id: made.id, next: today(), made: 0, count: 3 }]);
    expect(await run(['schedules', 'get', made.id, ...where()])).toEqual(made);
    for (const [act, status] of [
      ['pause', 'paused'],
      ['resume', 'active'],
      ['end', 'ended'],
    ] as const) {
      const after = await run(['schedules', act, made.id, ...where(), ...why]);
      expect(after).toMatchObject({ id: made.id, status, next: status === 'ended' ? null : today() });
    }
    const again = await lacre(['schedules', 'end', made.id, ...where(), ...why]);
    expect([again.exit, again.stderr]).toEqual([3, expect.stringContaining('invoice_schedule_ended')]);
  });

  test('the time goes forward and back again', async () => {
    const { environmentId } = service.company.test;
    const show = () => run(['test-clock', 'show', ...where()]);
    expect(await show()).toMatchObject({ status: 'real_time', target: null });
    const waiting = run(['test-clock', 'advance', 'P40D', '--wait', ...where(), ...why]);
    // As the job does that it added.
    while ((await show()).status === 'real_time');
    await advanceTestClockTask(service.services)({ environmentId }, {} as never);
    const { status, now } = await waiting;
    expect([status, madridDay(new Date(now)) >= plusDays(today(), 40)]).toEqual(['ready', true]);
    const to = await run(['test-clock', 'advance', plusDays(today(), 60), ...where(), ...why]);
    expect(madridDay(new Date(to.target))).toBe(plusDays(today(), 60));
    const wrong = await lacre(['test-clock', 'advance', 'soon', ...where(), ...why]);
    expect([wrong.exit, wrong.stderr]).toEqual([3, expect.stringContaining('now')]);
    await run(['test-clock', 'remove', ...where(), ...why]);
    expect(await show()).toMatchObject({ status: 'real_time' });
  });
});

test('on the database every act is noted with its reason, and none is done without one', async () => {
  const { id } = await create('drafts', draft());
  const here = ['--environment', String(service.company.test.environmentId)];
  const refused = await lacre(['drafts', 'issue', id, ...here]);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('--reason')]);
  expect((await run(['drafts', 'get', id, ...here])).status).toBe('open');
  const { rows } = await service.db.pool.query('select distinct action, reason from audit_entry order by 1');
  expect(rows).toEqual(
    [
      ...['advance_test_clock', 'delete_invoice_draft', 'end_invoice_schedule', 'issue_invoice_draft'],
      ...['pause_invoice_schedule', 'remove_test_clock', 'resume_invoice_schedule'],
    ].map((action) => ({ action, reason: 'the merchant asked' })),
  );
});

test('nothing live is changed without --live, either way', async () => {
  const key = service.company.live.key;
  const kept = await service.call('POST', '/v1/invoice_drafts', { key, body: draft() });
  const repeating = await service.call('POST', '/v1/invoice_schedules', { key, body: monthly() });
  const acts = [
    ['drafts', 'issue', kept.body.id],
    ['drafts', 'delete', kept.body.id],
    ...['pause', 'resume', 'end'].map((act) => ['schedules', act, repeating.body.id]),
    ['test-clock', 'advance', 'P1D'],
    ['test-clock', 'remove'],
  ];
  const local = ['--environment', String(service.company.live.environmentId), '--reason', 'x'];
  const refused: unknown[] = [];
  for (const words of acts) {
    for (const where of [['--profile', 'live'], local])
      refused.push((await lacre([...words, ...where])).exit);
  }
  for (const group of ['drafts', 'schedules']) {
    const words = [group, 'create', '--profile', 'live', '-f', '-'];
    refused.push((await lacre(words, JSON.stringify(monthly()))).exit);
  }
  expect(refused).toEqual(Array.from({ length: 2 * acts.length + 2 }, () => 7));
  expect((await service.call('GET', `/v1/invoice_drafts/${kept.body.id}`, { key })).body.status).toBe('open');
  expect(
    (await service.call('GET', `/v1/invoice_schedules/${repeating.body.id}`, { key })).body,
  ).toMatchObject({ status: 'active' });
  const words = ['drafts', 'issue', kept.body.id, '--profile', 'live', '--live'];
  expect(await run(words)).toMatchObject({ total: 24_200 });
});
