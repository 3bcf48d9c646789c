import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../examples/dashboard/src');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('messages of the dashboard', () => {
  const grouping = async () => {
    const { inGroups } = await import(join(SOURCES, 'in-groups.ts'));
    const handedOn: string[] = [];
    const group = inGroups((message: string) => handedOn.push(message), 1_000);
    return { group, handedOn };
  };

  test('are handed on at once, and those that follow within a second together and in their order', async () => {
    const { group, handedOn } = await grouping();
    group.add('a');
    expect(handedOn).toEqual(['a']);
    for (const message of ['b', 'c', 'd']) group.add(message);
    vi.advanceTimersByTime(999);
    expect(handedOn).toEqual(['a']);
    vi.advanceTimersByTime(1);
    expect(handedOn).toEqual(['a', 'b', 'c', 'd']);
    group.add('e');
    expect(handedOn).toHaveLength(4);
    vi.advanceTimersByTime(1_000);
    expect(handedOn.at(-1)).toBe('e');
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
    group.add('f');
    expect(handedOn.at(-1)).toBe('f');
  });

  test('are dropped with their timer when nobody wants them any more', async () => {
    const { group, handedOn } = await grouping();
    group.add('a');
    group.add('b');
    group.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(5_000);
    expect(handedOn).toEqual(['a']);
  });
});

test('a subscription that waits to connect again leaves neither a timer nor an attempt when its page goes', async () => {
  const attempts = vi.fn(() => Promise.reject(new TypeError('nobody answers')));
  vi.stubGlobal('location', { href: 'http://dashboard.test/' });
  vi.stubGlobal('fetch', attempts);
  vi.stubGlobal(
    'document',
    Object.assign(new EventTarget(), { visibilityState: 'visible', getElementById: () => null }),
  );
  vi.stubGlobal('navigator', {});
  const { liveExchange, liveState } = await import(join(SOURCES, 'live.ts'));
  const { Client, gql } = await import(createRequire(join(SOURCES, 'live.ts')).resolve('@urql/core'));
  const client = new Client({
    url: 'http://dashboard.test/graphql',
    preferGetMethod: false,
    exchanges: [liveExchange],
  });
  const { unsubscribe } = client
    .subscription(gql('subscription ($afterSequence: Int) { event(afterSequence: $afterSequence) { id } }'), {
      afterSequence: 0,
    })
    .subscribe(() => {});
  await vi.advanceTimersByTimeAsync(20_000);
  expect(liveState.get()).toBe(false);
  const before = attempts.mock.calls.length;
  expect(before).toBeGreaterThan(1);
  // Between two attempts there are a pause of the source and one of our own, which grows.
  while (attempts.mock.calls.length === before) await vi.advanceTimersByTimeAsync(100);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  const made = attempts.mock.calls.length;
  unsubscribe();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(attempts.mock.calls.length).toBe(made);
});
