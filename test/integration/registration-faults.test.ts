import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { retryChain } from '../../src/subjects/operations/store/controls.ts';
import { AGENCY_LIMITS } from '../../src/subjects/registration/limits.ts';
import { TECHNICAL_ATTEMPTS } from '../../src/subjects/registration/outcome.ts';
import { type AnswerLine, answer, fault, type HeldRecord, queryAnswer } from '../support/agency/answers.ts';
import { type IssuedRecord, issueRecords, ordinary } from '../support/agency/records.ts';
import {
  type Chain,
  dispatchOf,
  newChain,
  registrar,
  skipWait,
  statesOf,
  submissionsOf,
} from '../support/agency/registration.ts';
import { reply, type Script, type ScriptedAgency, scriptedAgency } from '../support/agency/scripted.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

/** What the simulator, which behaves as the agency does, cannot be brought to answer. */

let database: TestDatabase;
let agency: ScriptedAgency;
let worker: ReturnType<typeof registrar>;
let chain: Chain;
beforeAll(async () => {
  [database, agency] = await Promise.all([testDatabase(), scriptedAgency(acceptAll)]);
  worker = registrar(database.db, agency.access, { answerMs: 2_000 });
});
beforeEach(async () => {
  chain = await newChain(database.db);
  agency.received.length = 0;
  agency.script = acceptAll;
});
afterAll(async () => {
  worker?.close();
  await Promise.all([database?.close(), agency?.stop()]);
});

const registered = { status: 'registered', code: null, message: null, settled: true };
const pending = { status: 'pending', settled: false };

const isQuery = (message: string) => message.includes('ConsultaFactuSistemaFacturacion');

/** The invoices of an envelope, in order, each with the line that accepts it. */
function linesFor(message: string): AnswerLine[] {
  const invoices = message.matchAll(
    /<sf:IDFactura><sf:IDEmisorFactura\w*>\w+<.*?<sf:NumSerieFactura\w*>(.*?)<.*?<sf:FechaExpedicionFactura\w*>(.*?)</gs,
  );
  return [...invoices].map(([, number = '', date = '']) => ({ number, date, state: 'Correcto' }));
}

const numbersIn = (message: string) => linesFor(message).map(({ number }) => number);

/** Takes whatever comes; holds nothing when asked. */
function acceptAll(message: string, response: Parameters<Script>[1]): void {
  reply(response, isQuery(message) ? queryAnswer([]) : answer(linesFor(message), '0'));
}

/** Answers the records as told, by their place in the envelope, and queries with what is held. */
function answering(
  change: (line: AnswerLine, index: number) => AnswerLine,
  held: (number: string) => HeldRecord[] = () => [],
): Script {
  return (message, response) => {
    if (!isQuery(message)) return reply(response, answer(linesFor(message).map(change), '0'));
    const number = /<con:NumSerieFactura>(.*?)</.exec(message)?.[1] ?? '';
    return reply(response, queryAnswer(held(number)));
  };
}

async function submitAgain(times = 1): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    await skipWait(database.db, chain);
    await worker.submit(chain);
  }
}

async function submitUntilQuiet(): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    await skipWait(database.db, chain);
    const { nextWakeAt } = await worker.submit(chain);
    if (nextWakeAt === null) return;
  }
  throw new Error('the chain does not come to rest');
}

describe('a record that makes its envelope fail', () => {
  const malformed: Script = (message, response) => {
    if (message.includes('VENENO')) reply(response, fault('4102', 'El XML no cumple el esquema.'), 500);
    else acceptAll(message, response);
  };

  test('is found, parked, and all others are registered in order', async () => {
    agency.script = malformed;
    const descriptions = ordinary(40).descriptions.map((text, index) => (index === 27 ? 'VENENO' : text));
    const issued = await issueRecords(database.db, chain, { descriptions });
    await submitUntilQuiet();
    const states = await statesOf(database.db, chain);
    expect(states[27]).toMatchObject({ ...pending, parked: expect.stringContaining('4102') });
    for (const state of states.filter((_, index) => index !== 27)) expect(state).toMatchObject(registered);
    const submissions = await submissionsOf(database.db, chain);
    const through = submissions.filter(({ outcome }) => outcome === 'processed');
    expect(through.map(({ first }) => first)).toEqual(
      through.map(({ first }) => first).sort((a, b) => a - b),
    );
    // Halving finds one of 40 in about 2 × log2(40) envelopes.
    expect(submissions.length).toBeLessThanOrEqual(14);
    expect(issued).toHaveLength(40);
    expect(await dispatchOf(database.db, chain)).toMatchObject({ incident: true, leased: false });
  });

  test('does not delay later invoices', async () => {
    agency.script = malformed;
    await issueRecords(database.db, chain, { descriptions: ['VENENO'] });
    await submitUntilQuiet();
    await issueRecords(database.db, chain, ordinary(2));
    await submitUntilQuiet();
    expect(await statesOf(database.db, chain)).toMatchObject([pending, registered, registered]);
  });

  test('may be one of several', async () => {
    agency.script = malformed;
    const descriptions = ['VENENO', ...ordinary(9).descriptions, 'VENENO', ...ordinary(5).descriptions];
    await issueRecords(database.db, chain, { descriptions });
    await submitUntilQuiet();
    const parked = (await statesOf(database.db, chain)).filter((state) => state.parked !== null);
    expect(parked.map(({ position }) => position)).toEqual([1, 11]);
    expect((await statesOf(database.db, chain)).filter(({ status }) => status === 'registered')).toHaveLength(
      14,
    );
  });

  test('three in a row stop the chain, and no more are parked', async () => {
    agency.script = (_, response) => reply(response, fault('4102', 'El XML no cumple el esquema.'), 500);
    await issueRecords(database.db, chain, ordinary(10));
    await submitUntilQuiet();
    const states = await statesOf(database.db, chain);
    expect(states.filter(({ parked }) => parked !== null)).toHaveLength(3);
    expect(await dispatchOf(database.db, chain)).toMatchObject({ stopped: expect.stringContaining('4102') });
  });
});

describe('a fault that concerns the company', () => {
  test('stops its chain with the reason; nothing is sent, nothing is lost, other chains continue', async () => {
    agency.script = (_, response) =>
      reply(response, fault('4112', 'El titular del certificado debe ser…'), 500);
    await issueRecords(database.db, chain, ordinary(2));
    expect(await worker.submit(chain)).toEqual({ nextWakeAt: null });
    expect(await dispatchOf(database.db, chain)).toMatchObject({
      ...{ stopped: expect.stringContaining('4112: Codigo[4112]'), incident: true, leased: false },
    });
    expect(await statesOf(database.db, chain)).toMatchObject([pending, pending]);
    await submitAgain(3);
    expect(agency.received).toHaveLength(1);

    agency.script = acceptAll;
    const other = await newChain(database.db);
    await issueRecords(database.db, other, ordinary(1));
    await worker.submit(other);
    expect(await statesOf(database.db, other)).toMatchObject([registered]);
  });

  test('once that is repaired the same records are sent, marked with the incident', async () => {
    agency.script = (_, response) => reply(response, fault('4104', 'El NIF no está identificado'), 500);
    const issued = await issueRecords(database.db, chain, ordinary(2));
    await worker.submit(chain);
    await retryChain(database.db.pool, chain);
    agency.script = acceptAll;
    await submitAgain();
    expect(agency.received[1]).toContain('<sf:Incidencia>S</sf:Incidencia>');
    for (const { xml } of issued) expect(agency.received[1]).toContain(xml);
    expect(await statesOf(database.db, chain)).toMatchObject([registered, registered]);
  });
});

test('when our access is suspended everything stops until an operator retries the chain', async () => {
  agency.script = (_, response) => reply(response, fault('4141', 'su acceso ha sido suspendido'), 500);
  const other = await newChain(database.db);
  for (const one of [chain, other]) await issueRecords(database.db, one, ordinary(1));
  expect(await worker.submit(chain)).toEqual({ nextWakeAt: null });
  expect(await worker.submit(other)).toEqual({ nextWakeAt: null });
  await submitAgain(2);
  expect(agency.received).toHaveLength(1);
  expect(await statesOf(database.db, other)).toMatchObject([{ ...pending, attempts: 0 }]);
  agency.script = acceptAll;
  await retryChain(database.db.pool, chain);
  await worker.submit(other);
  expect(await statesOf(database.db, other)).toMatchObject([registered]);
});

describe('a record refused as a duplicate', () => {
  const duplicated = {
    state: 'Incorrecto',
    code: '3000',
    message: 'Registro de facturación duplicado.',
  } as const;
  const agencyRecord = (record: IssuedRecord, state: string, more: Partial<HeldRecord> = {}): HeldRecord => ({
    ...{ number: record.number, date: /Factura>(\d\d-\d\d-\d{4})</.exec(record.xml)![1]! },
    ...{ fingerprint: record.fingerprint, state, ...more },
  });

  async function refuseAndQuery(state: string, more: Partial<HeldRecord> = {}) {
    const [record] = await issueRecords(database.db, chain, ordinary(1));
    agency.script = answering(
      (line) => ({ ...line, ...duplicated }),
      () => [agencyRecord(record!, state, more)],
    );
    await worker.submit(chain);
    expect(await statesOf(database.db, chain)).toMatchObject([pending]);
    await submitAgain();
    expect(agency.received.filter((message) => !isQuery(message))).toHaveLength(1);
    return statesOf(database.db, chain);
  }

  test('is registered when what the agency holds is ours', async () => {
    expect(await refuseAndQuery('Correcta')).toMatchObject([registered]);
  });

  test('is flagged when that is how the agency holds it', async () => {
    const more = { code: '2001', message: 'El NIF…' };
    expect(await refuseAndQuery('AceptadaConErrores', more)).toMatchObject([
      { status: 'registered_with_errors', code: '2001', message: 'El NIF…' },
    ]);
  });

  test('is rejected when what the agency holds is another’s, or is cancelled', async () => {
    const rejected = { status: 'rejected', code: '3000', message: duplicated.message, settled: true };
    expect(await refuseAndQuery('Correcta', { fingerprint: 'F'.repeat(64) })).toMatchObject([rejected]);
    chain = await newChain(database.db);
    agency.received.length = 0;
    expect(await refuseAndQuery('Anulada')).toMatchObject([rejected]);
  });

  test('of which the query finds nothing is tried again, a limited number of times', async () => {
    await issueRecords(database.db, chain, ordinary(1));
    agency.script = answering((line) => ({ ...line, ...duplicated }));
    await submitUntilQuiet();
    const envelopes = agency.received.filter((message) => !isQuery(message));
    expect(envelopes).toHaveLength(TECHNICAL_ATTEMPTS);
    expect(await statesOf(database.db, chain)).toMatchObject([{ status: 'rejected', code: '3000' }]);
  });

  test('does not send the rest early once it is settled: the rest waits for its time', async () => {
    const [record] = await issueRecords(database.db, chain, ordinary(1));
    agency.script = answering(
      (line) => ({ ...line, ...duplicated }),
      () => [agencyRecord(record!, 'Correcta')],
    );
    await worker.submit(chain);
    await database.db.pool.query(
      "update chain_dispatch set next_send_at = now() + interval '1 minute' where chain_id = $1",
      [chain.chainId],
    );
    await issueRecords(database.db, chain, ordinary(999));
    expect((await worker.submit(chain)).nextWakeAt).not.toBeNull();
    expect(agency.received.map(isQuery)).toEqual([false, true]);
    expect((await statesOf(database.db, chain))[0]).toMatchObject(registered);
    expect((await dispatchOf(database.db, chain)).secondsToNext).toBeGreaterThan(0);
    agency.script = acceptAll;
    await submitAgain();
    expect((await statesOf(database.db, chain)).every(({ status }) => status === 'registered')).toBe(true);
  });

  test('does not delay the others', async () => {
    await issueRecords(database.db, chain, ordinary(3));
    agency.script = answering((line, index) => (index === 1 ? { ...line, ...duplicated } : line));
    await worker.submit(chain);
    expect(await statesOf(database.db, chain)).toMatchObject([registered, pending, registered]);
  });
});

describe('an ambiguous answer', () => {
  test('garbage: its beginning is kept; the agency is queried, holds nothing, and receives the same again', async () => {
    const issued = await issueRecords(database.db, chain, ordinary(2));
    agency.script = (message, response) => {
      if (isQuery(message)) acceptAll(message, response);
      else
        reply(response, `<html>\u0000 502 <br>${'x'.repeat(AGENCY_LIMITS.uselessAnswer.value)}</html>`, 502);
    };
    await worker.submit(chain);
    const [submission] = await submissionsOf(database.db, chain);
    expect(submission?.answer).toMatch(/^<html>\uFFFD 502 <br>x+$/);
    expect(submission).toMatchObject({ outcome: 'unreadable', message: expect.stringContaining('HTTP 502') });
    agency.script = acceptAll;
    await submitAgain();
    expect(agency.received.map(isQuery)).toEqual([false, true, true, false]);
    for (const { xml } of issued) expect(agency.received[3]).toContain(xml);
    expect(await statesOf(database.db, chain)).toMatchObject([registered, registered]);
  });

  test('a thousand records that never arrived need five queries', async () => {
    await issueRecords(database.db, chain, ordinary(1_000));
    agency.script = (message, response) => {
      if (isQuery(message)) acceptAll(message, response);
      else response.socket?.destroy();
    };
    await worker.submit(chain);
    agency.script = acceptAll;
    await submitAgain();
    expect(agency.received.filter(isQuery)).toHaveLength(5);
    expect((await statesOf(database.db, chain)).every(({ status }) => status === 'registered')).toBe(true);
  });

  test('missing lines are requested, cancelled lines are not', async () => {
    const issued = await issueRecords(database.db, chain, ordinary(3));
    agency.script = (message, response) => {
      if (isQuery(message)) return acceptAll(message, response);
      const lines = linesFor(message).filter((_, index) => index !== 1);
      return reply(
        response,
        answer([...lines, { number: 'X-1', date: '01-01-2026', state: 'Correcto' }], '0'),
      );
    };
    await worker.submit(chain);
    expect(await statesOf(database.db, chain)).toMatchObject([registered, pending, registered]);
    expect(await submissionsOf(database.db, chain)).toMatchObject([{ outcome: 'incomplete' }]);
    agency.script = acceptAll;
    await submitAgain();
    expect(agency.received.map(isQuery)).toEqual([false, true, false]);
    expect(numbersIn(agency.received[2]!)).toEqual([issued[1]!.number]);
  });

  test('an internal fault of the agency with one record: sent again a limited number of times, and the others continue', async () => {
    const issued = await issueRecords(database.db, chain, ordinary(2));
    agency.script = answering((line) =>
      line.number === issued[0]!.number
        ? { ...line, state: 'Incorrecto', code: '1241', message: 'Error técnico' }
        : line,
    );
    await submitUntilQuiet();
    expect(await statesOf(database.db, chain)).toMatchObject([
      { status: 'rejected', code: '1241', attempts: TECHNICAL_ATTEMPTS },
      { ...registered, attempts: 1 },
    ]);
    const envelopes = agency.received.filter((message) => message.includes(issued[0]!.xml));
    expect(envelopes).toHaveLength(TECHNICAL_ATTEMPTS);
  });

  test('an empty wait keeps the last one, a longer one is stored', async () => {
    for (const [wait, kept] of [
      ['700', 700],
      ['', 700],
      ['9999', 9_999],
      ['pronto', 9_999],
    ] as const) {
      await issueRecords(database.db, chain, ordinary(1));
      agency.script = (message, response) => reply(response, answer(linesFor(message), wait));
      await submitAgain();
      const { wait: stored, secondsToNext } = await dispatchOf(database.db, chain);
      expect(stored).toBe(kept);
      expect(secondsToNext).toBeLessThanOrEqual(kept);
      expect(secondsToNext).toBeGreaterThan(kept - 300);
    }
  });

  test('an answer that arrives after another worker has taken over still counts for its records', async () => {
    await issueRecords(database.db, chain, ordinary(1));
    agency.script = async (message, response) => {
      await database.db.pool.query(
        "update chain_dispatch set lease_token = 'another', lease_until = now() + interval '1 minute' where chain_id = $1",
        [chain.chainId],
      );
      acceptAll(message, response);
    };
    expect(await worker.submit(chain)).toEqual({ nextWakeAt: null });
    expect(await statesOf(database.db, chain)).toMatchObject([registered]);
    expect(await dispatchOf(database.db, chain)).toMatchObject({ leased: true });
  });

  test('and, when it is the last one, ends the incident that others left standing', async () => {
    await issueRecords(database.db, chain, ordinary(1));
    agency.script = async (message, response) => {
      await database.db.pool.query(
        'update chain_dispatch set lease_token = null, lease_until = null, incident_since = now() where chain_id = $1',
        [chain.chainId],
      );
      acceptAll(message, response);
    };
    await worker.submit(chain);
    expect(await statesOf(database.db, chain)).toMatchObject([registered]);
    expect(await dispatchOf(database.db, chain)).toMatchObject({ incident: false });
  });

  test('a worker that has lost its lease neither queries nor sends', async () => {
    await issueRecords(database.db, chain, ordinary(1));
    agency.script = (_, response) => reply(response, '', 500);
    await worker.submit(chain);
    agency.script = async (message, response) => {
      await database.db.pool.query("update chain_dispatch set lease_token = 'another' where chain_id = $1", [
        chain.chainId,
      ]);
      acceptAll(message, response);
    };
    await submitAgain();
    expect(agency.received.map(isQuery)).toEqual([false, true]);
    expect(await submissionsOf(database.db, chain)).toHaveLength(1);
  });
});
