import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Built, chainOf, consulta, envelope, today } from '../support/agency/declared-records.ts';
import {
  faultCode,
  type Reply,
  type TestSimulator,
  testSimulator,
  textOf,
} from '../support/agency/simulator.ts';

let simulator: TestSimulator;
let tests = 0;
let next: ReturnType<typeof chainOf>;

beforeAll(async () => {
  simulator = await testSimulator();
});
afterAll(() => simulator.stop());

beforeEach(async () => {
  await simulator.control({ mode: 'ok', wait_seconds: 0, enforce_wait: false, clock_ahead_ms: 0 });
  tests += 1;
  next = chainOf(`T${tests}`);
});

/** What is held of this test's records. */
async function held(): Promise<string[]> {
  const answer = await fetch(`${simulator.url}/records.json`);
  const { records } = (await answer.json()) as { records: { number: string }[] };
  return records.map(({ number }) => number).filter((number) => number.startsWith(`T${tests}-`));
}

/** The reply, or the word "broken" when the connection broke. */
const outcomeOf = (sent: Promise<Reply>) =>
  sent.then(
    (reply) => (reply.status === 200 ? textOf(reply.text, 'EstadoEnvio') : faultCode(reply)),
    () => 'broken',
  );

const census =
  '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><v:VNifV2Ent xmlns:v="http://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/burt/jdit/ws/VNifV2Ent.xsd"><v:Contribuyente><v:Nif>B00000000</v:Nif><v:Nombre>X</v:Nombre></v:Contribuyente></v:VNifV2Ent></e:Body></e:Envelope>';

test('down: connections break, nothing is kept, and the census still answers', async () => {
  await simulator.control({ mode: 'down' });
  expect(await outcomeOf(simulator.post(envelope([next('1')])))).toBe('broken');
  expect((await simulator.postCensus(census)).status).toBe(200);
  await simulator.control({ mode: 'ok' });
  expect(await held()).toEqual([]);
});

test('fault: refused with a fault that requests a retry, or with the configured code', async () => {
  await simulator.control({ mode: 'fault' });
  const reply = await simulator.post(envelope([next('1')]));
  expect([faultCode(reply), textOf(reply.text, 'faultcode')]).toEqual(['3501', 'env:Server']);
  await simulator.control({ mode: 'fault', fault_code: 4112 });
  const mandate = await simulator.post(envelope([next('2')]));
  expect([faultCode(mandate), textOf(mandate.text, 'faultcode')]).toEqual(['4112', 'env:Client']);
  expect(await held()).toEqual([]);
});

test('hang: no answer until the mode changes, and then none to the ones that waited', async () => {
  await simulator.control({ mode: 'hang' });
  let settled = false;
  const waiting = outcomeOf(simulator.post(envelope([next('1')]))).finally(() => {
    settled = true;
  });
  // A round trip to the other port is longer than an ordinary answer would take.
  for (let round = 0; round < 20; round += 1) await held();
  expect(settled).toBe(false);
  await simulator.control({ mode: 'ok' });
  expect(await waiting).toBe('broken');
  expect(await held()).toEqual([]);
  expect(await outcomeOf(simulator.post(envelope([next('2')])))).toBe('Correcto');
});

test('accept_then_drop: the records are kept, the answer is lost, and the query finds them', async () => {
  await simulator.control({ mode: 'accept_then_drop' });
  const record = next('1');
  expect(await outcomeOf(simulator.post(envelope([record])))).toBe('broken');
  const [, month = '', year = ''] = today().split('-');
  expect((await simulator.post(consulta(year, month))).text).toContain(record.id.fingerprint);
  await simulator.control({ mode: 'ok' });
  expect((await simulator.submit([record]))[0]?.code).toBe('3000');
});

test('garbage: the records are kept, and the reply is no answer, a different one each time', async () => {
  await simulator.control({ mode: 'garbage' });
  const record = next('1');
  const answers = [await simulator.post(envelope([record]))];
  for (let again = 0; again < 4; again += 1)
    answers.push(await simulator.post(envelope([next(`${again}+`)])));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(5);
  for (const { text } of answers) expect(text).not.toMatch(/<\/env:Envelope>/);
  await simulator.control({ mode: 'ok' });
  expect((await simulator.submit([record]))[0]?.code).toBe('3000');
});

test('slow: the answer takes its time to come, and is whole', async () => {
  await simulator.control({ mode: 'slow', delay_ms: 300 });
  const started = performance.now();
  expect(await outcomeOf(simulator.post(envelope([next('1')])))).toBe('Correcto');
  expect(performance.now() - started).toBeGreaterThan(280);
  expect(await (await simulator.control({ mode: 'slow' })).json()).toMatchObject({ delay_ms: 10_000 });
});

test('a delay is applied, and a mode set without one has none', async () => {
  await simulator.control({ mode: 'ok', delay_ms: 300 });
  const started = performance.now();
  await simulator.submit([next('1')]);
  expect(performance.now() - started).toBeGreaterThan(290);
  expect(await (await simulator.control({ mode: 'ok' })).json()).toMatchObject({ delay_ms: 0 });
});

type Settings = { statistics: Record<'envelopes' | 'records' | 'early_envelopes', number> };

test('envelopes before their time are counted, and refused when that is switched on', async () => {
  const { statistics } = (await (await simulator.control({ wait_seconds: 60 })).json()) as Settings;
  // Of another issuer than the other tests', whose last envelope may be too recent.
  const issuer = { name: 'OTRA EMISORA SL', nif: 'A39200019' };
  const send = (records: Built[]) => simulator.post(envelope(records, issuer));
  const record = (number: string) => next(number, { nif: issuer.nif });
  expect(textOf((await send([record('1')])).text, 'TiempoEsperaEnvio')).toBe('60');
  expect(await outcomeOf(send([record('2')]))).toBe('Correcto');
  expect(await (await simulator.control({ enforce_wait: true })).json()).toMatchObject({
    wait_seconds: 60,
    enforce_wait: true,
    statistics: {
      envelopes: statistics.envelopes + 2,
      records: statistics.records + 2,
      early_envelopes: statistics.early_envelopes + 1,
    },
  });
  expect(await outcomeOf(send([record('3')]))).toBe('4134');
  // A full envelope may come at any time.
  const full = Array.from({ length: 1_000 }, (_, index) => record(`full-${index}`));
  expect(await outcomeOf(send(full))).toBe('Correcto');
});

type Envelopes = { envelopes: Record<string, unknown>[] };

/** The envelopes of an issuer, as the simulator tells them. */
async function envelopesOf(nif: string): Promise<Envelopes['envelopes']> {
  return ((await (await fetch(`${simulator.url}/envelopes.json?nif=${nif}`)).json()) as Envelopes).envelopes;
}

test('an issuer must respect its own wait, whatever others get later; an empty one changes nothing', async () => {
  const issuer = { name: 'TERCERA EMISORA SL', nif: 'B12345674' };
  const send = (number: string) => simulator.post(envelope([next(number, { nif: issuer.nif })], issuer));
  await simulator.control({ wait_seconds: 5, enforce_wait: true });
  expect(textOf((await send('1')).text, 'TiempoEsperaEnvio')).toBe('5');
  await simulator.control({ wait_seconds: 0 });
  expect(await outcomeOf(send('2'))).toBe('4134');
  await simulator.control({ wait_seconds: null, clock_ahead_ms: 5_000 });
  const { text } = await send('3');
  expect([textOf(text, 'EstadoEnvio'), textOf(text, 'TiempoEsperaEnvio')]).toEqual(['Correcto', '']);
  await simulator.control({ clock_ahead_ms: 9_000 });
  expect(await outcomeOf(send('4'))).toBe('4134');
  await simulator.control({ mode: 'accept_then_drop', clock_ahead_ms: 10_000 });
  expect(await outcomeOf(send('5'))).toBe('broken');
  const received = { nif: issuer.nif, records: 1, early: false };
  expect(await envelopesOf(issuer.nif)).toMatchObject([
    { ...received, wait_seconds: 5, answered_at: expect.any(String) },
    { ...received, wait_seconds: null, answered_at: expect.any(String) },
    { ...received, wait_seconds: null, answered_at: null },
  ]);
});

test.each([
  ['{"mode":"sideways"}', 'mode'],
  ['{"mode":"ok","delay_ms":-1}', 'delay_ms'],
  ['{"delay_ms":1.5}', 'delay_ms'],
  ['{"wait_seconds":"60"}', 'wait_seconds'],
  ['{"wait_seconds":10000}', 'wait_seconds'],
  ['{"enforce_wait":1}', 'enforce_wait'],
  ['{"clock_ahead_ms":1e12}', 'clock_ahead_ms'],
  ['{"fault_code":9999}', 'fault_code'],
  ['{"mode":"down","colour":"red"}', 'colour'],
  ['{"__proto__":1,"constructor":2}', '__proto__'],
  ['[]', 'object'],
  ['mode=down', 'JSON'],
  ['', 'JSON'],
])('the setting %s is refused, and nothing of it holds', async (body, named) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${simulator.url}/_control`, { method: 'POST', headers, body });
  expect(response.status).toBe(400);
  expect(((await response.json()) as { error: string }).error).toContain(named);
  expect(await (await fetch(`${simulator.url}/_control`)).json()).toMatchObject({ mode: 'ok', delay_ms: 0 });
});

test('the settings are set by POST and read by GET alone', async () => {
  const response = await fetch(`${simulator.url}/_control`, { method: 'DELETE' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});
