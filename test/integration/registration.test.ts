import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IssuedRecord, issueRecords, ordinary } from '../support/agency/records.ts';
import {
  dispatchOf,
  newChain,
  registrar,
  skipWait,
  statesOf,
  submissionsOf,
} from '../support/agency/registration.ts';
import { type SimulatedAgency, simulatedAgency } from '../support/agency/simulated.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let agency: SimulatedAgency;
let worker: ReturnType<typeof registrar>;
beforeAll(async () => {
  [database, agency] = await Promise.all([testDatabase(), simulatedAgency()]);
  worker = registrar(database.db, agency.access);
});
beforeEach(() => agency.control({ mode: 'ok', wait_seconds: 60, enforce_wait: false }));
afterAll(async () => {
  worker?.close();
  await Promise.all([database?.close(), agency?.stop()]);
});

const registered = { status: 'registered', code: null, message: null, settled: true };
const pending = { status: 'pending', code: null, message: null, receipt: null, settled: false };
/** Each record's bytes, short enough to be read when they differ. */
const bytesOf = (records: readonly { number: string; xml: string }[]) =>
  records.map(
    ({ number, xml }) => `${number} ${createHash('sha256').update(xml).digest('hex').slice(0, 16)}`,
  );

describe('a healthy agency', () => {
  test('registers what waits in one envelope, byte for byte as it was sealed', async () => {
    const chain = await newChain(database.db);
    const issued = await issueRecords(database.db, chain, ordinary(3));
    expect(await worker.submit(chain)).toEqual({ nextWakeAt: null });

    const received = await agency.received(chain.nif);
    expect(bytesOf(received)).toEqual(bytesOf(issued));
    expect(received.map(({ link }) => link)).toEqual(['first', 'continues', 'continues']);
    expect(new Set(received.map((record) => record.request_id)).size).toBe(1);
    const receipt = received[0]!.csv;
    expect(receipt).not.toBeNull();
    const expected = { ...registered, receipt, attempts: 1, late: false };
    expect(await statesOf(database.db, chain)).toMatchObject([expected, expected, expected]);
    expect(await submissionsOf(database.db, chain)).toMatchObject([
      {
        first: 1,
        last: 3,
        count: 3,
        incident: false,
        outcome: 'processed',
        answer: expect.stringContaining('CSV'),
      },
    ]);
  });

  test('flags and refuses single records, with its own messages, and the others continue', async () => {
    const chain = await newChain(database.db);
    const descriptions = ['Uno', 'SIMULATE-FLAG', 'SIMULATE-REJECT', 'Dos'];
    await issueRecords(database.db, chain, { descriptions });
    await worker.submit(chain);
    expect(await statesOf(database.db, chain)).toMatchObject([
      registered,
      {
        status: 'registered_with_errors',
        code: '2001',
        message: expect.stringContaining('NIF'),
        settled: true,
      },
      {
        ...{ status: 'rejected', code: '1110', receipt: null, settled: true },
        message: 'El NIF no está identificado en el censo de la AEAT.',
      },
      registered,
    ]);
    const [next] = await issueRecords(database.db, chain, ordinary(1));
    await skipWait(database.db, chain);
    await worker.submit(chain);
    expect((await agency.received(chain.nif)).at(-1)).toMatchObject({
      number: next!.number,
      state: 'Correcto',
    });
  });

  test('cancels what it has registered, in the same envelope too', async () => {
    const chain = await newChain(database.db);
    const [first, second] = await issueRecords(database.db, chain, ordinary(2));
    await issueRecords(database.db, chain, { descriptions: [], cancels: [second!.number, first!.number] });
    await worker.submit(chain);
    expect(await statesOf(database.db, chain)).toMatchObject([
      registered,
      registered,
      registered,
      registered,
    ]);
    expect((await agency.received(chain.nif)).map(({ kind }) => kind)).toEqual([
      ...['alta', 'alta', 'anulacion', 'anulacion'],
    ]);
  });

  test('gets the requested wait between envelopes', async () => {
    const chain = await newChain(database.db);
    await issueRecords(database.db, chain, ordinary(1));
    await agency.control({ wait_seconds: 333 });
    await worker.submit(chain);
    expect(await dispatchOf(database.db, chain)).toMatchObject({ wait: 333, failures: 0, leased: false });

    await issueRecords(database.db, chain, ordinary(1));
    const { nextWakeAt } = await worker.submit(chain);
    const { secondsToNext } = await dispatchOf(database.db, chain);
    expect(secondsToNext).toBeGreaterThan(200);
    expect(secondsToNext).toBeLessThanOrEqual(333);
    // Our clock and the column each count whole milliseconds.
    expect(nextWakeAt!.getTime()).toBeLessThanOrEqual(Date.now() + secondsToNext * 1_000 + 2);
    expect(await statesOf(database.db, chain)).toMatchObject([registered, pending]);

    await skipWait(database.db, chain);
    expect(await worker.submit(chain)).toEqual({ nextWakeAt: null });
    expect(await statesOf(database.db, chain)).toMatchObject([registered, registered]);
  });

  test('is sent a full envelope at once, however long the requested wait', async () => {
    const chain = await newChain(database.db);
    await agency.control({ enforce_wait: true });
    const issued = await issueRecords(database.db, chain, ordinary(2_003));
    for (let round = 0; round < 3; round += 1) await worker.submit(chain);
    // The rest waits for the agency's time.
    expect((await submissionsOf(database.db, chain)).map(({ count }) => count)).toEqual([1_000, 1_000]);
    await agency.control({ enforce_wait: false });
    await skipWait(database.db, chain);
    await worker.submit(chain);
    expect(bytesOf(await agency.received(chain.nif))).toEqual(bytesOf(issued));
    expect((await submissionsOf(database.db, chain)).map(({ count }) => count)).toEqual([1_000, 1_000, 3]);
  });

  test('gets each record once and in order from workers that run at once', async () => {
    const chain = await newChain(database.db);
    await agency.control({ wait_seconds: 0 });
    const other = registrar(database.db, agency.access);
    try {
      const issued: IssuedRecord[] = [];
      for (let round = 0; round < 6; round += 1) {
        issued.push(...(await issueRecords(database.db, chain, ordinary(5))));
        const workers = [worker, other, worker, other, worker];
        await Promise.all(workers.map((one) => one.submit(chain)));
      }
      await worker.submit(chain);
      expect(bytesOf(await agency.received(chain.nif))).toEqual(bytesOf(issued));
      expect((await statesOf(database.db, chain)).every((state) => state.attempts === 1)).toBe(true);
    } finally {
      other.close();
    }
  });

  test('receives nothing of a test environment', async () => {
    const chain = await newChain(database.db, 'test');
    await issueRecords(database.db, chain, ordinary(1));
    expect(await worker.submit(chain)).toEqual({ nextWakeAt: null });
    expect(await agency.received(chain.nif)).toEqual([]);
  });

  test('gets the incident flag when a record is late', async () => {
    const chain = await newChain(database.db);
    await issueRecords(database.db, chain, {
      ...ordinary(1),
      generatedAt: new Date(Date.now() - 6 * 60_000),
    });
    await issueRecords(database.db, chain, ordinary(1));
    await worker.submit(chain);
    expect((await agency.received(chain.nif)).map(({ incident }) => incident)).toEqual([true, true]);
    expect(await statesOf(database.db, chain)).toMatchObject([{ late: true }, { late: false }]);
  });
});

describe('a failing agency', () => {
  test('that is down gets everything once it is back, with the incident flag', async () => {
    const chain = await newChain(database.db);
    await agency.control({ wait_seconds: 1 });
    await issueRecords(database.db, chain, ordinary(1));
    await worker.submit(chain);
    await agency.control({ mode: 'down' });
    const issued = await issueRecords(database.db, chain, ordinary(2));
    const pauses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await skipWait(database.db, chain);
      expect((await worker.submit(chain)).nextWakeAt).not.toBeNull();
      pauses.push(Math.round((await dispatchOf(database.db, chain)).secondsToNext));
    }
    expect(pauses).toEqual([2, 3, 5, 9]);
    expect(await dispatchOf(database.db, chain)).toMatchObject({
      failures: 4,
      incident: true,
      leased: false,
    });
    expect((await statesOf(database.db, chain)).slice(1)).toMatchObject([pending, pending]);

    await agency.control({ mode: 'ok' });
    await skipWait(database.db, chain);
    expect(await worker.submit(chain)).toEqual({ nextWakeAt: null });
    const received = (await agency.received(chain.nif)).slice(1);
    expect(bytesOf(received)).toEqual(bytesOf(issued));
    expect(received.every(({ incident }) => incident)).toBe(true);
    expect(await dispatchOf(database.db, chain)).toMatchObject({ failures: 0, incident: false });
  });

  test('that faults is tried again with the very same records', async () => {
    const chain = await newChain(database.db);
    const issued = await issueRecords(database.db, chain, ordinary(2));
    await agency.control({ mode: 'fault' });
    await worker.submit(chain);
    expect(await submissionsOf(database.db, chain)).toMatchObject([
      { outcome: 'technical_fault', code: '3501' },
    ]);
    expect(await statesOf(database.db, chain)).toMatchObject([pending, pending]);
    await agency.control({ mode: 'ok' });
    await skipWait(database.db, chain);
    await worker.submit(chain);
    expect(bytesOf(await agency.received(chain.nif))).toEqual(bytesOf(issued));
    expect(await statesOf(database.db, chain)).toMatchObject([registered, registered]);
  });

  test('that hangs is queried first and then sent the same', async () => {
    const chain = await newChain(database.db);
    const shortTimeout = registrar(database.db, agency.access, { answerMs: 100 });
    try {
      const issued = await issueRecords(database.db, chain, ordinary(12));
      await agency.control({ mode: 'hang' });
      await shortTimeout.submit(chain);
      expect(await submissionsOf(database.db, chain)).toMatchObject([
        { outcome: 'unknown', message: 'no answer within 100 ms' },
      ]);
      // Still silent: the question has no answer either, and nothing is sent again meanwhile.
      await skipWait(database.db, chain);
      await shortTimeout.submit(chain);
      expect(await submissionsOf(database.db, chain)).toHaveLength(1);
      expect(await dispatchOf(database.db, chain)).toMatchObject({ failures: 2, leased: false });

      await agency.control({ mode: 'ok' });
      await skipWait(database.db, chain);
      await worker.submit(chain);
      const received = await agency.received(chain.nif);
      expect(bytesOf(received)).toEqual(bytesOf(issued));
      expect(received.every(({ incident }) => incident)).toBe(true);
    } finally {
      shortTimeout.close();
    }
  });

  test('whose answer to accepted records was lost is queried, and sent nothing twice', async () => {
    const chain = await newChain(database.db);
    const descriptions = ['Uno', 'SIMULATE-FLAG', ...ordinary(10).descriptions, 'SIMULATE-REJECT', 'Último'];
    const issued = await issueRecords(database.db, chain, { descriptions });
    await agency.control({ mode: 'accept_then_drop' });
    await worker.submit(chain);
    expect(await submissionsOf(database.db, chain)).toMatchObject([{ outcome: 'unknown' }]);
    expect((await statesOf(database.db, chain)).every((state) => state.status === 'pending')).toBe(true);

    await agency.control({ mode: 'ok' });
    await skipWait(database.db, chain);
    await worker.submit(chain);
    const states = await statesOf(database.db, chain);
    // What the agency refused it does not hold: that one alone is sent again, and refused in so many words.
    expect(states[12]).toMatchObject({ status: 'rejected', code: '1110', attempts: 2 });
    expect(states[1]).toMatchObject({ status: 'registered_with_errors', code: '2001', attempts: 1 });
    const others = states.filter((_, index) => index !== 1 && index !== 12);
    expect(others).toHaveLength(12);
    for (const state of others) expect(state).toMatchObject({ ...registered, attempts: 1 });
    const received = await agency.received(chain.nif);
    expect(bytesOf(received)).toEqual(bytesOf([...issued, issued[12]!]));
  });

  test('that lost its answer to a registration and its cancellation is understood by the later one', async () => {
    const chain = await newChain(database.db);
    const [invoice] = await issueRecords(database.db, chain, ordinary(1));
    await issueRecords(database.db, chain, { descriptions: [], cancels: [invoice!.number] });
    await agency.control({ mode: 'accept_then_drop' });
    await worker.submit(chain);
    await skipWait(database.db, chain);
    await worker.submit(chain);
    expect(await statesOf(database.db, chain)).toMatchObject([registered, registered]);
    expect(await agency.received(chain.nif)).toHaveLength(2);
  });
});

describe('a worker that is killed', () => {
  const program = fileURLToPath(new URL('../support/agency/submit-once.ts', import.meta.url));

  /** Starts a worker of its own process, and kills it when `when` has come true. */
  async function killWorker(chain: { environmentId: number; chainId: number }, when: () => Promise<boolean>) {
    const { endpointUrl } = agency.access;
    const scope = [String(chain.environmentId), String(chain.chainId)];
    const child = spawn(process.execPath, [program, database.url, endpointUrl, agency.tlsDir, ...scope], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await expect.poll(when).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(output).toBe('');
  }

  test('after the agency accepted the records: another takes over when the lease has expired, queries, and sends nothing', async () => {
    const chain = await newChain(database.db);
    const issued = await issueRecords(database.db, chain, ordinary(2));
    await agency.control({ mode: 'ok', delay_ms: 60_000 });
    await killWorker(chain, async () => (await agency.received(chain.nif)).length === 2);
    await agency.control({ mode: 'ok' });

    expect(await dispatchOf(database.db, chain)).toMatchObject({ leased: true });
    expect(await worker.submit(chain)).toEqual({ nextWakeAt: null });
    expect(await statesOf(database.db, chain)).toMatchObject([pending, pending]);

    await database.db.pool.query(
      "update chain_dispatch set lease_until = now() - interval '1 second' where chain_id = $1",
      [chain.chainId],
    );
    await worker.submit(chain);
    expect(await statesOf(database.db, chain)).toMatchObject([registered, registered]);
    expect(await submissionsOf(database.db, chain)).toMatchObject([{ outcome: 'unknown' }]);
    expect(bytesOf(await agency.received(chain.nif))).toEqual(bytesOf(issued));
  });

  test('before the agency took anything: another sends the same', async () => {
    const chain = await newChain(database.db);
    const issued = await issueRecords(database.db, chain, ordinary(2));
    await agency.control({ mode: 'hang' });
    await killWorker(chain, async () => (await submissionsOf(database.db, chain)).length === 1);
    await agency.control({ mode: 'ok' });
    await database.db.pool.query(
      "update chain_dispatch set lease_until = now() - interval '1 second' where chain_id = $1",
      [chain.chainId],
    );
    // It has nothing of the envelope, so no wait has begun.
    await worker.submit(chain);
    expect((await submissionsOf(database.db, chain))[0]).toMatchObject({ outcome: 'unknown' });
    expect(await statesOf(database.db, chain)).toMatchObject([registered, registered]);
    expect(bytesOf(await agency.received(chain.nif))).toEqual(bytesOf(issued));
  });
});
