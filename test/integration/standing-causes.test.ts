import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { causes } from '../../src/faces/cli/doctor/causes.ts';
import { CAUSES, type Cause, FIRST_STEPS } from '../../src/ground/lib/causes.ts';
import { CauseWatch } from '../../src/startup/watch-causes.ts';
import { createGauges } from '../../src/subjects/operations/gauges.ts';
import { standingCauses } from '../../src/subjects/operations/standing-causes.ts';
import { Samples } from '../support/alerts/evaluate.ts';
import { AlertState, alertRules } from '../support/alerts/rules.ts';
import { labelsOf } from '../support/alerts/scenarios.ts';
import { fillEveryTable } from '../support/database/rows.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operatorIn } from '../support/pages/console.ts';
import { testLog } from '../support/processes/run-log.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
  const client = await service.owner.connect();
  await fillEveryTable(client, service.company.live);
  client.release();
});
afterAll(() => service?.close());

const sql = (text: string) => service.owner.query(text);

/** A worker that runs, and nothing else that anybody would be woken for. */
beforeEach(async () => {
  await sql(`delete from service_process`);
  await sql(`insert into service_process (id, started_at, beat_at, issues, worker_pools)
    values ('worker', now(), now() + interval '1 hour', false, array['pool'])`);
  await sql(`update chain set hold = null, held_at = null`);
  await sql(
    `update chain_dispatch set stopped_at = null, stopped_reason = null, consecutive_failures = 0, lease_token = null, lease_until = null`,
  );
  await sql(`update submission set outcome = 'processed', message = null, finished_at = now()`);
  await sql(`delete from client_certificate`);
});

const lastMessage = (outcome: string, message: string) =>
  `update submission set outcome = ${outcome}, message = ${message}, started_at = now() - interval '1 minute';
   update chain_dispatch set consecutive_failures = 1`;

const STANDING: readonly (readonly [Cause, string, string])[] = [
  ['no_worker', 'whose worker was stopped', `delete from service_process`],
  [
    'process_died',
    'of which a process has lately ended without saying so',
    `insert into service_process (id, started_at, beat_at, issues, worker_pools)
     values ('api', now(), now() - interval '20 seconds', true, '{}')`,
  ],
  ['agency_silent', 'whose agency cannot be reached', lastMessage(`'not_sent'`, `'ECONNREFUSED'`)],
  ['agency_silent', 'whose agency answers with a page', lastMessage(`'unreadable'`, `'HTTP 503, no XML'`)],
  [
    'agency_silent',
    'whose agency has not answered for half a minute',
    `${lastMessage('null', 'null')}; update chain_dispatch set lease_until = now(), lease_token = 'x'`,
  ],
  [
    'certificate_refused',
    'whose handshake is refused',
    lastMessage(`'not_sent'`, `'ssl/tls alert bad certificate'`),
  ],
  [
    'certificate_refused',
    'whose certificate is forbidden',
    lastMessage(`'unreadable'`, `'HTTP 403, no XML'`),
  ],
  [
    'certificate_expired',
    'with a certificate that has expired',
    `insert into client_certificate values ('cert_1', null, 'seal', 'B00000000', 'X', now() - interval '1 year', now() - interval '2 days',
       repeat('0', 64), true, 'test', '', 'cli:test', now());
     ${lastMessage(`'not_sent'`, `'ssl/tls alert certificate expired'`)}`,
  ],
  [
    'chains_stopped',
    'with a chain that has stopped',
    `update chain_dispatch set stopped_at = now(), stopped_reason = '4112: no mandate'`,
  ],
  ['chains_held', 'that was restored', `update chain set hold = 'restored', held_at = now()`],
];

test('where nothing stands nothing is said', async () => {
  expect(await standingCauses(service.services)).toEqual([]);
  expect(await causes(service.services.config, service.db)).toMatchObject([{ result: 'ok' }]);
});

describe.each(STANDING)('%s: a service %s', (cause, _what, statements) => {
  beforeEach(() => sql(statements));

  test('has the same sentence in the doctor, the log, the console and the alert, and no other', async () => {
    const sentence = CAUSES[cause];
    expect(await causes(service.services.config, service.db)).toMatchObject([
      { result: 'failure', summary: sentence, remediation: FIRST_STEPS[cause] },
    ]);
    expect(await logged()).toEqual([sentence.toUpperCase()]);
    const visitor = await operatorIn(service);
    expect((await visitor.get('/console')).text).toContain(`<strong>${sentence}</strong>`);
    // The certificates that were refused are counted where they are shown to the agency (agency-client.test.ts).
    if (cause !== 'certificate_refused')
      expect(await alerted()).toEqual([expect.stringMatching(`^${sentence}`)]);
  });
});

/** What is logged by a process that looks for a quarter of a minute. */
async function logged(): Promise<string[]> {
  const lines: string[] = [];
  const log = testLog((line) => lines.push((JSON.parse(line) as { msg: string }).msg), 'warn');
  const watch = new CauseWatch({ ...service.services, log });
  for (const seconds of [0, 5, 10, 15]) await watch.look(seconds * 1_000);
  return lines;
}

/** The summaries of the alerts that fire when the figures have been the same for a quarter of a minute. */
async function alerted(): Promise<string[]> {
  const samples = new Samples();
  const state = new AlertState(samples);
  let firing: readonly { readonly summary: string }[] = [];
  for (const seconds of [0, 15]) {
    const text = await createGauges(service.services)();
    for (const [, series = '', value] of text.matchAll(
      /^(lacre_(?:cause|chains|records_pending)(?:\{[^}]*\})?) (\S+)$/gm,
    ))
      samples.add(labelsOf(series), seconds, Number(value));
    firing = state.evaluate(seconds);
  }
  return firing.map(({ summary }) => summary);
}

test('what has stood for ten seconds is logged once, and once that it is over; what passes sooner is not', async () => {
  const lines: string[] = [];
  const log = testLog((line) => lines.push((JSON.parse(line) as { msg: string }).msg), 'warn');
  const watch = new CauseWatch({ ...service.services, log });
  const held = (hold: string) =>
    sql(`update chain set hold = ${hold}, held_at = ${hold === 'null' ? 'null' : 'now()'}`);
  await held(`'forked'`);
  for (const seconds of [0, 5]) await watch.look(seconds * 1_000);
  await held('null');
  await watch.look(10_000);
  expect(lines).toEqual([]);
  await held(`'forked'`);
  for (const seconds of [15, 20, 25, 30]) await watch.look(seconds * 1_000);
  await held('null');
  for (const seconds of [35, 40]) await watch.look(seconds * 1_000);
  expect(lines).toEqual([CAUSES.chains_held.toUpperCase(), `over: ${CAUSES.chains_held}`]);
});

test('each cause has an alert whose summary begins with its sentence, within 60 s of scrapes every 15 s', () => {
  const SCRAPE_AND_EVALUATION = 30;
  for (const sentence of Object.values(CAUSES)) {
    const alerts = alertRules.filter(({ annotations }) => annotations?.['summary']?.startsWith(sentence));
    expect(alerts, sentence).toHaveLength(1);
    expect(Number.parseInt(alerts[0]!.for ?? '0s', 10) + SCRAPE_AND_EVALUATION, sentence).toBeLessThanOrEqual(
      60,
    );
  }
});
