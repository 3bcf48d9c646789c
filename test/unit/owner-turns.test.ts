import { setImmediate as nextRound } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OwnerTurns } from '../../rest/owner-turns.ts';
import { LIMITS } from '../../src/ground/lib/limits.ts';

const MOST = 3;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Requests that stay in progress until they are ended; `begun` names them in the order in which they began. */
function requests(mayStart = () => true) {
  const turns = new OwnerTurns(mayStart, MOST);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, isLarge = false) => {
    const owner = name.replace(/\d+$/, '');
    return turns.begin(owner, isLarge, (end) => {
      begun.push(name);
      ends.set(name, end);
    });
  };
  /** What waits begins in the next iteration of the loop. */
  const end = async (name: string) => {
    ends.get(name)!();
    await nextRound();
  };
  return { begun, begin, end };
}

describe('requests of one owner', () => {
  test('are not limited while nobody else has any', () => {
    const { begun, begin } = requests();
    for (let number = 1; number <= 3 * MOST; number++) begin(`many${number}`);
    expect(begun).toHaveLength(3 * MOST);
  });

  test('are processed a few at a time while others have some, in their order, and the others do not wait', async () => {
    const { begun, begin, end } = requests();
    begin('one1');
    for (let number = 1; number <= 6; number++) begin(`many${number}`);
    begin('one2');
    expect(begun).toEqual(['one1', 'many1', 'many2', 'many3', 'one2']);
    await end('many2');
    expect(begun.slice(5)).toEqual(['many4']);
    await end('many1');
    await end('many3');
    expect(begun.slice(5)).toEqual(['many4', 'many5', 'many6']);
  });

  test('are half as many, and one at least, of an owner whose requests take long', async () => {
    const { begun, begin, end } = requests();
    begin('one1');
    /** So many requests, one after another, each of which takes so long. */
    const take = async (times: number, milliseconds: number) => {
      for (let number = 1; number <= times; number++) {
        begin(`many${number}`);
        vi.advanceTimersByTime(milliseconds);
        await end(`many${number}`);
      }
      begin('one2');
      begun.length = 0;
    };
    const begunAtOnce = async () => {
      for (let number = 20; number < 30; number++) begin(`many${number}`);
      const names = [...begun];
      for (let number = 20; number < 30; number++) await end(`many${number}`);
      return names.length;
    };
    await take(20, 50);
    expect(await begunAtOnce()).toBe(Math.ceil(MOST / 2));
    await take(20, 20);
    expect(await begunAtOnce()).toBe(MOST);
    // Longer than a request counts: it waits for somebody else.
    await take(20, 300);
    expect(await begunAtOnce()).toBe(MOST);
  });

  test('do not overtake those that wait already', async () => {
    const { begun, begin, end } = requests();
    begin('one1');
    for (let number = 1; number <= MOST + 1; number++) begin(`many${number}`);
    const ending = end('many1');
    begin('many9');
    await ending;
    expect(begun.at(-1)).toBe(`many${MOST + 1}`);
  });

  test('are not limited any more once the others have had none for a second', () => {
    const { begun, begin } = requests();
    begin('one1');
    for (let number = 1; number <= 6; number++) begin(`many${number}`);
    vi.advanceTimersByTime(200);
    expect(begun).toHaveLength(1 + MOST);
    // By now those in progress would not count either, so others are begun that do.
    vi.advanceTimersByTime(900);
    for (let number = 10; number < 20; number++) begin(`many${number}`);
    expect(begun).toHaveLength(1 + 6 + 10);
  });

  test('count for a quarter of a second: one that waits for somebody else keeps none of its owner waiting', () => {
    const { begun, begin } = requests();
    begin('one1');
    for (let number = 1; number <= MOST + 2; number++) begin(`many${number}`);
    vi.advanceTimersByTime(240);
    begin('one2');
    expect(begun).toHaveLength(2 + MOST);
    vi.advanceTimersByTime(60);
    expect(begun).toHaveLength(2 + MOST + 2);
  });

  test('start only in an iteration of the loop in which anything may', async () => {
    let may = false;
    const { begun, begin, end } = requests(() => may);
    begin('one1');
    begin('many1');
    await nextRound();
    expect(begun).toEqual([]);
    may = true;
    await nextRound();
    expect(begun).toEqual(['one1', 'many1']);
    for (let number = 2; number <= 4; number++) begin(`many${number}`);
    may = false;
    await end('many1');
    await nextRound();
    expect(begun).toHaveLength(1 + MOST);
    may = true;
    await nextRound();
    expect(begun.at(-1)).toBe('many4');
  });

  test('wait in bounded number', () => {
    const { begun, begin } = requests();
    begin('one1');
    const most = LIMITS.requestsWaiting.value / 2;
    for (let number = 1; number <= MOST + most; number++) expect(begin(`many${number}`)).toBe(true);
    expect(begin('many0')).toBe(false);
    expect(begin('one2')).toBe(true);
    expect(begun).toHaveLength(2 + MOST);
  });

  test('that end late, when their owner has come again, leave its new ones counted', async () => {
    const { begun, begin, end } = requests();
    begin('one1');
    begin('many1');
    vi.advanceTimersByTime(300);
    begin('one2');
    for (let number = 2; number <= 5; number++) begin(`many${number}`);
    await end('many1');
    expect(begun).toEqual(['one1', 'many1', 'one2', 'many2', 'many3', 'many4']);
  });
});

describe('large requests of one owner', () => {
  test('are processed one at a time while others have requests, each after a pause as long as the last one took', async () => {
    const { begun, begin, end } = requests();
    begin('one1');
    for (let number = 1; number <= 3; number++) begin(`large${number}`, true);
    expect(begun).toEqual(['one1', 'large1']);
    vi.advanceTimersByTime(30);
    await end('large1');
    vi.advanceTimersByTime(29);
    expect(begun).toEqual(['one1', 'large1']);
    vi.advanceTimersByTime(1);
    expect(begun).toEqual(['one1', 'large1', 'large2']);
    vi.advanceTimersByTime(10);
    await end('large2');
    vi.advanceTimersByTime(9);
    begin('large4', true);
    expect(begun).toHaveLength(3);
    vi.advanceTimersByTime(1);
    expect(begun).toEqual(['one1', 'large1', 'large2', 'large3']);
  });

  test('pause also when none waits yet', async () => {
    const { begun, begin, end } = requests();
    begin('one1');
    begin('large1', true);
    vi.advanceTimersByTime(30);
    await end('large1');
    begin('large2', true);
    expect(begun).toEqual(['one1', 'large1']);
    vi.advanceTimersByTime(30);
    expect(begun).toEqual(['one1', 'large1', 'large2']);
  });

  test('that ran side by side pause until the longest of their pauses is over', async () => {
    for (const [secondBegins, pauseEnds] of [
      [0, 80],
      [25, 60],
    ] as const) {
      const { begun, begin, end } = requests();
      begin('large1', true);
      vi.advanceTimersByTime(secondBegins);
      begin('large2', true);
      vi.advanceTimersByTime(30 - secondBegins);
      await end('large1');
      begin('one1');
      vi.advanceTimersByTime(10);
      await end('large2');
      vi.advanceTimersByTime(pauseEnds - 41);
      begin('large3', true);
      expect(begun).toEqual(['large1', 'large2', 'one1']);
      vi.advanceTimersByTime(1);
      expect(begun).toEqual(['large1', 'large2', 'one1', 'large3']);
    }
  });

  test('keep neither other requests of their owner waiting nor large ones of others', async () => {
    const { begun, begin } = requests();
    begin('one1');
    begin('many1', true);
    begin('many2', true);
    begin('many3');
    begin('one2', true);
    expect(begun).toEqual(['one1', 'many1', 'many3', 'one2']);
  });

  test('start before others of their owner that wait, which could otherwise keep them waiting without end', async () => {
    const { begun, begin, end } = requests();
    begin('one1');
    for (let number = 1; number <= MOST + 1; number++) begin(`many${number}`);
    begin('many8', true);
    await end('many1');
    expect(begun.at(-1)).toBe('many8');
  });

  test('are not limited while nobody else has requests', () => {
    const { begun, begin } = requests();
    for (let number = 1; number <= 3 * MOST; number++) begin(`large${number}`, true);
    expect(begun).toHaveLength(3 * MOST);
  });

  test('wait in the same bounded number', () => {
    const { begin } = requests();
    begin('one1');
    const most = LIMITS.requestsWaiting.value / 2;
    for (let number = 1; number <= 1 + most; number++) expect(begin(`many${number}`, true)).toBe(true);
    expect(begin('many0', true)).toBe(false);
  });
});
