import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { Shares } from '../../src/subjects/accounts/entry/shares.ts';
import { ACCOUNT_LIMITS } from '../../src/subjects/accounts/limits.ts';

const START = Date.parse('2026-03-02T10:00:00Z');
let now = START;
const pass = (milliseconds: number) => {
  now += milliseconds;
  clock.freeze(new Date(now));
};
beforeEach(() => {
  now = START;
  clock.freeze(new Date(now));
});
afterEach(() => clock.reset());

const HOG = 1;
const NEIGHBOUR = 2;

/** How many of so many requests are let through. */
const admitted = (shares: Shares, owner: number, requests: number, kind: 'reading' | 'issuing' = 'reading') =>
  Array.from({ length: requests }, () => shares.take(owner, kind)).filter((outcome) => !isRefusal(outcome))
    .length;

test('a single caller is never refused, however much it requests', () => {
  const shares = new Shares();
  for (let second = 0; second < 60; second += 1) {
    expect(admitted(shares, HOG, 8_000)).toBe(8_000);
    pass(1_000);
  }
});

test('with a neighbour an environment has its share and what it has saved, and gets a time to retry', () => {
  const shares = new Shares();
  const share = ACCOUNT_LIMITS.readingShare.value;
  shares.take(NEIGHBOUR, 'reading');
  expect(admitted(shares, HOG, 100 * share)).toBe(30 * share);
  const refusal = shares.take(HOG, 'reading');
  expect(refusal).toMatchObject({ code: 'rate_limited', retryAfter: 1 });
  pass(1_000);
  shares.take(NEIGHBOUR, 'reading');
  expect(admitted(shares, HOG, 2 * share)).toBe(share);
});

test('other environments take nothing from an environment’s share', () => {
  const shares = new Shares();
  for (let second = 0; second < 15; second += 1) {
    for (let other = 10; other < 20; other += 1) admitted(shares, other, 5_000);
    expect(admitted(shares, HOG, 200)).toBe(200);
    expect(admitted(shares, HOG, 200, 'issuing')).toBe(200);
    pass(1_000);
  }
});

test('one that used everything while alone yields within a second of another’s first request', () => {
  const shares = new Shares();
  for (let second = 0; second < 60; second += 1) {
    admitted(shares, HOG, 8_000);
    pass(1_000);
  }
  shares.take(NEIGHBOUR, 'reading');
  expect(admitted(shares, HOG, 8_000)).toBe(ACCOUNT_LIMITS.readingShare.value);
  expect(admitted(shares, NEIGHBOUR, 1_000)).toBe(1_000);
  pass(5_000);
  expect(admitted(shares, HOG, 100_000)).toBe(100_000);
});

test('work that exceeded the share is owed', () => {
  const shares = new Shares();
  shares.take(NEIGHBOUR, 'searching');
  shares.charge(HOG, 'searching', 1_000_000);
  expect(shares.take(HOG, 'searching')).toMatchObject({ code: 'rate_limited', retryAfter: 2 });
  expect(shares.take(HOG, 'reading')).toBeNull();
  pass(1_100);
  shares.take(NEIGHBOUR, 'searching');
  expect(shares.take(HOG, 'searching')).toBeNull();
});

test('ten thousand owners are remembered, and the least recently active one begins anew', () => {
  const shares = new Shares();
  const strangers = (from: number, count: number) => {
    for (let owner = from; owner < from + count; owner += 1) shares.take(`2001:db8::${owner}`, 'pages');
  };
  strangers(0, 1);
  admitted(shares, HOG, 100 * ACCOUNT_LIMITS.readingShare.value);
  strangers(1, 9_998);
  expect(shares.take(HOG, 'reading')).toMatchObject({ code: 'rate_limited' });
  strangers(20_000, 9_999);
  expect(shares.take(HOG, 'reading')).toMatchObject({ code: 'rate_limited' });
  strangers(40_000, 10_000);
  expect(shares.take(HOG, 'reading')).toBeNull();
});

test('a new owner costs no more when there are many', () => {
  const shares = new Shares();
  const timeOf = (from: number) => {
    const { user, system } = process.cpuUsage();
    for (let owner = from; owner < from + 20_000; owner += 1) shares.take(owner, 'pages');
    const used = process.cpuUsage({ user, system });
    return (used.user + used.system) / 1_000;
  };
  timeOf(0);
  expect(timeOf(20_000)).toBeLessThan(500);
});
