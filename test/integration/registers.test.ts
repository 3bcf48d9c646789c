import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Simulator } from '../../src/agency-simulator/options.ts';
import { startSimulator } from '../../src/agency-simulator/start.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { type RecipientInput, resolveRecipient } from '../../src/subjects/recipients/recipient.ts';
import { singleCensus } from '../../src/subjects/recipients/registers/census.ts';
import {
  createRegisters,
  type Registers,
  type TaxIdQuestion,
} from '../../src/subjects/recipients/registers/registers.ts';
import { openSoapClient } from '../../src/subjects/recipients/registers/soap.ts';
import { testLog } from '../support/processes/run-log.ts';

/** Any: one certificate serves all. */
const ENVIRONMENT = 1;

const dataDir = mkdtempSync(join(tmpdir(), 'registers-'));
let simulator: Simulator;
let registers: Registers;
const logged: string[] = [];

function open(at: Simulator, change: { tlsUrl?: string; passphrase?: string } = {}): Registers {
  const file = (name: string) => readFileSync(join(at.tlsDir, name));
  return createRegisters({
    census: singleCensus({
      url: `${change.tlsUrl ?? at.tlsUrl}/wlpl/BURT-JDIT/ws/VNifV2SOAP`,
      pfx: file('client.p12'),
      passphrase: change.passphrase ?? file('client-passphrase.txt').toString().trim(),
      ca: file('ca.pem'),
    }),
    vies: { url: `${at.url}/taxation_customs/vies/services/checkVatService` },
    log: testLog((line) => logged.push(line), 'info'),
  });
}

beforeAll(async () => {
  simulator = await startSimulator({ dataDir, port: 0, tlsPort: 0, host: '127.0.0.1', waitSeconds: 1 });
  registers = open(simulator);
});

afterAll(async () => {
  registers.close();
  await simulator.stop();
  rmSync(dataDir, { recursive: true });
});

function recipient(change: Partial<RecipientInput> = {}) {
  const input = {
    name: 'Clienta SL',
    taxId: 'B72877814',
    address: { line1: 'Calle Mayor 1', postalCode: '28013', city: 'Madrid', country: 'ES' },
    ...change,
  };
  const outcome = resolveRecipient(input, { complete: true });
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  return outcome;
}

async function identified(change: Partial<RecipientInput>, by: Registers = registers) {
  const outcome = await by.identify(recipient(change), ENVIRONMENT);
  return isRefusal(outcome) ? outcome.code : outcome;
}

describe('the recipient of a complete invoice', () => {
  test('with a NIF is identified by the census under its fiscal name', async () => {
    expect(await identified({ name: 'Ana', companyName: 'Clienta Ñ & Hijas <SL>' })).toEqual({
      register: 'aeat_census',
      askedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      reference: null,
      result: 'IDENTIFICADO',
      registeredName: 'CLIENTA Ñ & HIJAS <SL>',
    });
    expect(await identified({ companyName: 'Baja SL' })).toMatchObject({ result: 'IDENTIFICADO-BAJA' });
  });

  test.each(['NO CENSADO SL', 'REVOCADO SL', 'SIMILAR SL'])('%s is not accepted', async (name) => {
    expect(await identified({ name })).toBe('invalid_tax_id');
    // The company's name counts, not the person's.
    expect(await identified({ name, companyName: 'Clienta SL' })).toMatchObject({ result: 'IDENTIFICADO' });
  });

  test('a similar name is hinted at', async () => {
    const outcome = await registers.identify(recipient({ name: 'SIMILAR SL' }), ENVIRONMENT);
    expect(isRefusal(outcome) && outcome.detail).toMatch(/under a similar name, SL: send it/);
  });

  test.each(['CENSO CAIDO SL', 'NO PROCESADO SL'])('%s brings no answer', async (name) => {
    const outcome = await registers.identify(recipient({ name }), ENVIRONMENT);
    expect(isRefusal(outcome) && [outcome.code, outcome.status, outcome.retryAfter]).toEqual([
      'tax_id_validation_unavailable',
      503,
      30,
    ]);
  });

  test('with an EU VAT number is identified by VIES, with any name', async () => {
    expect(await identified({ taxId: 'DE123456789', name: 'NO CENSADO SL' })).toMatchObject({
      register: 'vies',
      result: 'valid',
      reference: expect.stringMatching(/^\d{4}-\d\d-\d\d/),
      registeredName: null,
    });
    expect(await identified({ taxId: 'GR123456789' })).toMatchObject({ result: 'valid' });
    expect(await identified({ taxId: 'DE123456200' })).toBe('invalid_tax_id');
    expect(await identified({ taxId: 'DE123456300' })).toBe('tax_id_validation_unavailable');
  });

  test('with another document is looked up nowhere', async () => {
    const away = open({ ...simulator, url: 'http://localhost:1' }, { tlsUrl: 'https://localhost:1' });
    expect(
      await identified({ taxId: 'XDA123456', taxIdType: 'passport', taxIdCountry: 'US' }, away),
    ).toBeNull();
    expect(await identified({ taxId: '12345678Z', taxIdType: 'not_registered' }, away)).toBeNull();
    expect(await identified({}, away)).toBe('tax_id_validation_unavailable');
    expect(await identified({ taxId: 'DE123456789' }, away)).toBe('tax_id_validation_unavailable');
    away.close();
  });

  test('leaves no trace in the log', async () => {
    await identified({ name: 'CENSO CAIDO SL' });
    await identified({ name: 'BAJA SL', taxId: '12345678Z' });
    expect(logged.join('')).toMatch(/does not answer/);
    expect(logged.join('')).toMatch(/deregistered/);
    expect(logged.join('')).not.toMatch(/CAIDO|BAJA SL|B72877814|12345678Z/);
  });
});

test('answers are cached for a while when the register is down, good ones longer', async () => {
  const other = await startSimulator({
    dataDir: mkdtempSync(join(dataDir, 'other-')),
    port: 0,
    tlsPort: 0,
    host: '127.0.0.1',
    waitSeconds: 1,
  });
  const mine = open(other);
  const before = await identified({ name: 'Fiel SL' }, mine);
  expect(before).toMatchObject({ result: 'IDENTIFICADO' });
  expect(await identified({ name: 'NO CENSADO SL' }, mine)).toBe('invalid_tax_id');
  expect(await identified({ taxId: 'PT123456789' }, mine)).toMatchObject({ result: 'valid' });
  await other.stop();
  expect(await identified({ name: 'Fiel SL' }, mine)).toEqual(before);
  expect(await identified({ taxId: 'PT123456789' }, mine)).toMatchObject({ result: 'valid' });
  // Another name is another question; a bad answer is kept for a minute.
  expect(await identified({ name: 'Nueva SL' }, mine)).toBe('tax_id_validation_unavailable');
  expect(await identified({ name: 'NO CENSADO SL' }, mine)).toBe('invalid_tax_id');
  clock.shift(61_000);
  expect(await identified({ name: 'Fiel SL' }, mine)).toEqual(before);
  expect(await identified({ name: 'NO CENSADO SL' }, mine)).toBe('tax_id_validation_unavailable');
  clock.reset();
  mine.close();
});

test('a client certificate with the wrong passphrase is reported at start-up', () => {
  expect(() => open(simulator, { passphrase: 'wrong' })).toThrow();
});

describe('a tax id that is validated', () => {
  const validate = async (question: TaxIdQuestion) => {
    const outcome = await registers.validateTaxId(question, ENVIRONMENT);
    return isRefusal(outcome) ? [outcome.code, ...outcome.errors.map((issue) => issue.field)] : outcome;
  };

  test('a NIF is looked up in the census when a name comes with it, else its format decides', async () => {
    const nif = { taxId: 'B72877814', taxIdType: 'es_nif', taxIdCountry: 'ES' };
    expect(await validate({ taxId: 'es-b72877814' })).toEqual({
      ...nif,
      valid: true,
      reason: null,
      register: null,
      registeredName: null,
    });
    expect(await validate({ taxId: 'B72877814', name: 'Clienta SL' })).toEqual({
      ...nif,
      valid: true,
      reason: null,
      register: 'aeat_census',
      registeredName: null,
    });
    const named = async (name: string) => validate({ taxId: 'B72877814', taxIdType: 'es_nif', name });
    expect(await named('NO CENSADO SL')).toMatchObject({
      valid: false,
      reason: 'not_registered',
      register: 'aeat_census',
    });
    expect(await named('REVOCADO SL')).toMatchObject({ valid: false, reason: 'not_registered' });
    expect(await named('SIMILAR SL')).toMatchObject({ valid: false, reason: 'name_mismatch' });
    expect(await named('BAJA SL')).toMatchObject({ valid: true, reason: null });
    expect(await named('CENSO CAIDO SL')).toEqual(['tax_id_validation_unavailable']);
  });

  test('an EU VAT number is looked up in VIES', async () => {
    expect(await validate({ taxId: 'gr 123.456.789' })).toEqual({
      taxId: 'EL123456789',
      taxIdType: 'eu_vat',
      taxIdCountry: 'GR',
      valid: true,
      reason: null,
      register: 'vies',
      registeredName: null,
    });
    expect(await validate({ taxId: 'DE123456200' })).toMatchObject({
      valid: false,
      reason: 'not_registered',
      register: 'vies',
    });
    expect(await validate({ taxId: '123456200', taxIdCountry: 'DE' })).toMatchObject({
      taxId: 'DE123456200',
      valid: false,
    });
    expect(await validate({ taxId: 'DE123456300' })).toEqual(['tax_id_validation_unavailable']);
  });

  test('what local rules refuse is looked up nowhere', async () => {
    expect(await validate({ taxId: '12345678A', name: 'CENSO CAIDO SL' })).toEqual({
      taxId: '12345678A',
      taxIdType: null,
      taxIdCountry: null,
      valid: false,
      reason: 'format',
      register: null,
      registeredName: null,
    });
    expect(await validate({ taxId: 'DE300', taxIdType: 'eu_vat' })).toMatchObject({
      taxIdType: 'eu_vat',
      reason: 'format',
    });
    expect(await validate({ taxId: '12345678A', taxIdType: 'es_nif' })).toMatchObject({
      taxIdCountry: 'ES',
      reason: 'format',
    });
    expect(await validate({ taxId: '...' })).toMatchObject({ taxId: '', valid: false, reason: 'format' });
  });

  test('other documents are judged by their form', async () => {
    expect(await validate({ taxId: 'AB 12', taxIdType: 'passport', taxIdCountry: 'us' })).toMatchObject({
      taxId: 'AB12',
      taxIdCountry: 'US',
      valid: true,
      register: null,
    });
    expect(await validate({ taxId: '12345678Z', taxIdType: 'not_registered' })).toMatchObject({
      valid: true,
      register: null,
    });
    expect(await validate({ taxId: 'B72877814', taxIdType: 'not_registered' })).toMatchObject({
      valid: false,
      reason: 'format',
    });
  });

  test('a contradictory query is refused', async () => {
    expect(await validate({ taxId: 'AB12', taxIdType: 'passport' })).toEqual([
      'invalid_request',
      'taxIdCountry',
    ]);
    expect(await validate({ taxId: 'AB12', taxIdType: 'passport', taxIdCountry: 'ZZ' })).toEqual([
      'insufficient_recipient_data',
      'taxIdCountry',
    ]);
    expect(await validate({ taxId: 'AB12', taxIdType: 'other', taxIdCountry: 'XI' })).toEqual([
      'insufficient_recipient_data',
      'taxIdCountry',
    ]);
    expect(await validate({ taxId: 'DE123456789', taxIdType: 'eu_vat', taxIdCountry: 'FR' })).toEqual([
      'tax_id_type_country_mismatch',
    ]);
  });
});

describe('a register that fails', () => {
  let server: Server;
  let answering: (requestCount: number) => string | null;
  let requests = 0;
  const answer = '<e:Envelope xmlns:e="x"><e:Body><a><b>1</b></a></e:Body></e:Envelope>';

  beforeAll(async () => {
    server = createServer((_, response) => {
      requests += 1;
      const text = answering(requests);
      if (text !== null) response.end(text);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const line = (limits: { answerWithinMs: number; probeAfterMs: number }) => {
    requests = 0;
    return openSoapClient(
      'vies',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      null,
      limits,
    );
  };

  test('that hangs is waited for a few times and then not queried, until it is back', async () => {
    const hung = line({ answerWithinMs: 150, probeAfterMs: 1_000 });
    answering = () => null;
    for (let wait = 0; wait < 5; wait += 1) {
      expect(await hung.request('', 'a')).toMatchObject({ kind: 'silent', late: true });
    }
    expect(await hung.request('', 'a')).toMatchObject({ kind: 'silent', late: false });
    expect(requests).toBe(5);
    answering = () => answer;
    await expect.poll(() => hung.request('', 'a')).toMatchObject({ kind: 'message' });
    expect(requests).toBeGreaterThan(5);
    hung.close();
  });

  test('that drips is waited for no longer than one that is silent', async () => {
    const drips: NodeJS.Timeout[] = [];
    const dripping = createServer((_, response) => {
      drips.push(setInterval(() => response.write(' '), 5));
    });
    await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve));
    const { port } = dripping.address() as AddressInfo;
    const limits = { answerWithinMs: 150, probeAfterMs: 5_000 };
    const slow = openSoapClient('vies', `http://127.0.0.1:${port}/`, null, limits);
    expect(await slow.request('', 'a')).toEqual({
      kind: 'silent',
      reason: 'no answer within 150 ms',
      late: true,
    });
    for (const drip of drips) clearInterval(drip);
    slow.close();
    dripping.closeAllConnections();
    dripping.close();
  });

  test('that answers with nonsense, or with too much, has not answered', async () => {
    const broken = line({ answerWithinMs: 5_000, probeAfterMs: 5_000 });
    answering = () => 'busy';
    for (let time = 0; time < 8; time += 1) expect((await broken.request('', 'a')).kind).toBe('silent');
    answering = () => ' '.repeat(70_000) + answer;
    expect((await broken.request('', 'a')).kind).toBe('silent');
    // These cost no wait, so they do not open the circuit.
    answering = () => answer;
    expect((await broken.request('', 'a')).kind).toBe('message');
    broken.close();
  });

  test('that switches protocols has not answered, and is not waited for', async () => {
    const odd = line({ answerWithinMs: 60_000, probeAfterMs: 5_000 });
    answering = () => null;
    server.once('request', ({ socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    );
    expect(await odd.request('', 'a')).toMatchObject({
      ...{ kind: 'silent', late: false, reason: 'the answer switches protocols' },
    });
    odd.close();
  });

  test('that closes a kept connection is queried once more', async () => {
    const kept = line({ answerWithinMs: 5_000, probeAfterMs: 5_000 });
    answering = () => answer;
    expect((await kept.request('', 'a')).kind).toBe('message');
    server.once('request', (request) => request.socket.destroy());
    answering = (time) => (time === 2 ? null : answer);
    expect((await kept.request('', 'a')).kind).toBe('message');
    expect(requests).toBe(3);
    kept.close();
  });
});
