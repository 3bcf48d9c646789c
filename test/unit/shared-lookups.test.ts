import type pg from 'pg';
import { expect, test } from 'vitest';
import { SharedLookups } from '../../src/ground/queue/shared-lookups.ts';

/** Lookups of a queue with so many jobs; `begun` resolves when the first has been sent, and each ends when it is told to. */
function queueOf(...jobs: string[]) {
  const lookups = new SharedLookups();
  const under: (() => void)[] = [];
  let sent = 0;
  const lookUp = async (onSent: () => void): Promise<pg.QueryResult> => {
    onSent();
    sent += 1;
    await new Promise<void>((end) => under.push(end));
    const job = jobs.shift();
    if (job === 'broken') throw new Error('the lookup failed');
    return { rows: job === undefined ? [] : [job] } as unknown as pg.QueryResult;
  };
  const end = async () => {
    under.shift()!();
    await new Promise(setImmediate);
  };
  const request = () => lookups.request(lookUp).then(({ rows }) => rows[0] ?? null);
  return { request, end, sent: () => sent };
}

test('one lookup that finds nothing answers all that were requested before it', async () => {
  const { request, end, sent } = queueOf();
  const first = request();
  const others = [request(), request(), request(), request()];
  await end();
  expect(await first).toBeNull();
  const later = request();
  await end();
  expect(await Promise.all(others)).toEqual([null, null, null, null]);
  await end();
  expect(await later).toBeNull();
  expect(sent()).toBe(3);
});

test('a job is found by one lookup only, and the others look on', async () => {
  const { request, end, sent } = queueOf('a', 'b');
  const lookups = [request(), request(), request(), request()];
  for (let ended = 0; ended < 3; ended += 1) await end();
  expect(await Promise.all(lookups)).toEqual(['a', 'b', null, null]);
  expect(sent()).toBe(3);
});

test('a lookup that fails fails for all that were requested before it, and for nobody later', async () => {
  const { request, end } = queueOf('a', 'broken');
  const lookups = [request(), request(), request()];
  const outcomes = Promise.allSettled(lookups);
  await end();
  const later = request();
  await end();
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  await end();
  expect(await later).toBeNull();
});
