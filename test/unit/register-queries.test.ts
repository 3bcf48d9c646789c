import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Refusal } from '../../src/ground/errors/refusal.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { RECIPIENT_LIMITS } from '../../src/subjects/recipients/limits.ts';
import { pacedByEnvironment } from '../../src/subjects/recipients/registers/pace.ts';
import type { RegisterQueryResult } from '../../src/subjects/recipients/registers/query-result.ts';
import { RegisterQueries } from '../../src/subjects/recipients/registers/registers.ts';

const known: RegisterQueryResult = {
  kind: 'known',
  evidence: {
    register: 'vies',
    askedAt: '2026-11-20T10:00:00.000Z',
    reference: null,
    result: 'valid',
    registeredName: null,
  },
};
const unknown: RegisterQueryResult = {
  kind: 'unknown',
  reason: 'not_registered',
  registeredName: null,
  detail: 'nobody',
};
const unavailable: RegisterQueryResult = { kind: 'unavailable', reason: 'down' };

/** A register that gives these answers in turn and counts the questions. */
function register(...answers: RegisterQueryResult[]) {
  let queries = 0;
  return {
    query: async () => answers[Math.min(queries++, answers.length - 1)]!,
    count: () => queries,
  };
}

afterEach(() => clock.reset());

describe('questions to a register', () => {
  test('a good answer is cached for ten minutes', async () => {
    clock.freeze(new Date('2026-11-20T10:00:00Z'));
    const queries = new RegisterQueries();
    const { query, count } = register(known);
    expect(await queries.run('a', query)).toBe(known);
    clock.freeze(new Date('2026-11-20T10:09:59Z'));
    expect(queries.run('a', query)).toBe(known);
    expect(count()).toBe(1);
    clock.freeze(new Date('2026-11-20T10:10:01Z'));
    expect(await queries.run('a', query)).toEqual(known);
    expect(count()).toBe(2);
  });

  test('a bad answer is cached for a minute, a missing one not at all', async () => {
    clock.freeze(new Date('2026-11-20T10:00:00Z'));
    const queries = new RegisterQueries();
    const { query, count } = register(unavailable, unknown, known);
    expect(await queries.run('a', query)).toBe(unavailable);
    expect(await queries.run('a', query)).toBe(unknown);
    clock.freeze(new Date('2026-11-20T10:00:59Z'));
    expect(await queries.run('a', query)).toBe(unknown);
    expect(count()).toBe(2);
    clock.freeze(new Date('2026-11-20T10:01:01Z'));
    expect(await queries.run('a', query)).toBe(known);
    expect(count()).toBe(3);
  });

  test('what nobody may ask is answered from the cache alone, and keeps nobody else from asking', async () => {
    const queries = new RegisterQueries();
    const { query, count } = register(known);
    const refusal = new Refusal('rate_limited', 'no more');
    const mayAsk = async () => refusal;
    const answers = [queries.run('a', query, mayAsk), queries.run('a', query)];
    expect(await Promise.all(answers)).toEqual([refusal, known]);
    expect(await queries.run('a', query, mayAsk)).toBe(known);
    expect(count()).toBe(1);
  });

  test('the same query is sent once at a time, another one beside it', async () => {
    const queries = new RegisterQueries();
    const { query, count } = register(known);
    const all = await Promise.all(['a', 'a', 'b', 'a'].map((key) => queries.run(key, query)));
    expect(all).toEqual([known, known, known, known]);
    expect(count()).toBe(2);
  });

  test('a prompt that fails does not block the next', async () => {
    const queries = new RegisterQueries();
    const broken = async () => {
      throw new Error('bug');
    };
    await expect(queries.run('a', broken)).rejects.toThrow('bug');
    expect(await queries.run('a', register(known).query)).toBe(known);
  });
});

test('an environment with many unknown recipients is asked about one at a time', async () => {
  const paced = pacedByEnvironment();
  for (let count = 0; count < RECIPIENT_LIMITS.unknownRecipients.value; count += 1)
    await paced(1, async () => unknown);
  let [atOnce, most] = [0, 0];
  const query = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise(setImmediate);
    atOnce -= 1;
    return known;
  };
  const ask = (environmentId: number) =>
    Promise.all(Array.from({ length: 10 }, () => paced(environmentId, query)));
  expect(await ask(1)).toEqual(Array(10).fill(known));
  expect(most).toBe(1);
  await ask(2);
  expect(most).toBe(10);
});

test('and waits half a second after each further unknown one, of whom the answer does not wait', async () => {
  const paced = pacedByEnvironment();
  for (let count = 0; count < RECIPIENT_LIMITS.unknownRecipients.value; count += 1)
    await paced(1, async () => unknown);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const query = async () => {
    asked += 1;
    return unknown;
  };
  const [first, second] = [paced(1, query), paced(1, query)];
  expect(await first).toEqual(unknown);
  await vi.advanceTimersByTimeAsync(499);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await second).toEqual(unknown);
});
