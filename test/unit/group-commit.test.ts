import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { GroupCommit } from '../../src/subjects/issuing/group-commit.ts';

/** A queue whose commits are let go one by one, and which notes the groups. */
function queue(
  commit: (item: string) => string = (item) => item.toUpperCase(),
  {
    lanes = 1,
    mayShare = () => true,
  }: { lanes?: number; mayShare?: (one: string, other: string) => boolean } = {},
) {
  const groups: string[][] = [];
  const keys = new Map<string, number>();
  let open: () => void = () => {};
  let gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const group = new GroupCommit<string, string>(
    async (items) => {
      groups.push([...items]);
      await gate;
      return items.map(commit);
    },
    {
      lanes,
      needsOwnGroup: (item) => item.startsWith('alone'),
      mayShare,
      usualLane: (item) => keys.get(item)!,
      weight: (item) => (item.startsWith('long') ? 500 : 1),
      whenFull: () => 'full',
    },
  );
  return {
    groups,
    submit(item: string, key = 0) {
      keys.set(item, key);
      return group.submit(key, item);
    },
    release() {
      open();
      gate = Promise.resolve();
    },
  };
}

describe('requests that arrive together', () => {
  test('share a transaction, or the next one while one is under way, and each gets its own answer', async () => {
    const { groups, submit, release } = queue();
    const first = ['a', 'b'].map((item) => submit(item));
    await turn();
    const second = ['c', 'd'].map((item) => submit(item));
    release();
    expect(await Promise.all([...first, ...second])).toEqual(['A', 'B', 'C', 'D']);
    expect(groups).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('one bad request never fails its neighbours', async () => {
    const { submit, release } = queue((item) => {
      if (item === 'bad') throw new Error('bad');
      return item.toUpperCase();
    });
    const answers = Promise.allSettled(['a', 'b', 'bad', 'c'].map((item) => submit(item)));
    release();
    expect((await answers).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  test('share only one with those that they may share one with, and each key still has its turn', async () => {
    const server = (item: string) => item.charAt(0);
    const { groups, submit, release } = queue(undefined, {
      mayShare: (one, other) => server(one) === server(other),
    });
    const items = ['a1', 'b1', 'a2', 'b2', 'a3'].map((item, key) => submit(item, key));
    release();
    expect(await Promise.all(items)).toEqual(['A1', 'B1', 'A2', 'B2', 'A3']);
    expect(groups).toEqual([
      ['a1', 'a2', 'a3'],
      ['b1', 'b2'],
    ]);
  });

  test('what relies on others is committed alone', async () => {
    const { groups, submit, release } = queue();
    const answers = Promise.all(['a', 'b', 'alone', 'c', 'd'].map((item) => submit(item)));
    release();
    await answers;
    expect(groups).toEqual([['a', 'b'], ['alone'], ['c', 'd']]);
  });

  test('a database failure concerns every member, and nothing that may have been committed is retried', async () => {
    const { groups, submit, release } = queue(() => {
      throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    });
    const answers = Promise.allSettled(['a', 'b', 'c'].map((item) => submit(item)));
    release();
    await answers;
    expect(groups).toEqual([['a', 'b', 'c']]);
  });

  test('of one chain’s thousand and another’s one, the one is in the next group', async () => {
    const { groups, submit, release } = queue();
    const answers = Array.from({ length: 1_000 }, (_, index) => submit(`i${index}`, 1));
    answers.push(submit('other', 2));
    release();
    await Promise.all(answers);
    expect(groups[0]).toContain('other');
    expect(groups[0]).toHaveLength(64);
  });

  test('what relies on others is not overtaken for ever by other chains', async () => {
    const { groups, submit, release } = queue();
    const answers = [submit('first', 1), submit('alone', 1)];
    for (let index = 0; index < 200; index += 1) answers.push(submit(`i${index}`, 2));
    release();
    await Promise.all(answers);
    expect(groups.findIndex((group) => group.includes('alone'))).toBeLessThanOrEqual(2);
    expect(groups.find((group) => group.includes('alone'))).toEqual(['alone']);
  });

  test('long invoices make smaller groups', async () => {
    const { groups, submit, release } = queue();
    const answers = Array.from({ length: 6 }, (_, index) => submit(`long${index}`, 1));
    release();
    await Promise.all(answers);
    expect(groups.map(({ length }) => length)).toEqual([2, 2, 2]);
  });

  test('wait behind no long group of another chain, those of one chain use the same lane', async () => {
    const { groups, submit, release } = queue(undefined, { lanes: 2 });
    const answers = [submit('long', 0)];
    for (const key of [2, 4, 6]) answers.push(submit(`short${key}`, key));
    answers.push(submit('next', 0));
    await turn();
    expect(groups, 'what is short waits behind nothing').toEqual([
      ['long', 'next'],
      ['short2', 'short4', 'short6'],
    ]);
    answers.push(submit('last', 0), submit('further', 8));
    release();
    await Promise.all(answers);
    expect(groups.slice(2)).toEqual(expect.arrayContaining([['last'], ['further']]));
  });

  test('of a chain that has nothing left in its lane may use another one, also after a failure', async () => {
    const failing = (item: string) => {
      if (item.startsWith('bad')) throw new Error('bad');
      return item;
    };
    const { groups, submit, release } = queue(failing, { lanes: 2 });
    release();
    await Promise.allSettled([submit('bad', 1), submit('long before', 1), submit('bad alone', 3)]);
    groups.length = 0;
    await Promise.all([submit('long', 0), submit('short', 1), submit('other', 3)]);
    expect(groups).toEqual([['long'], ['short', 'other']]);
    groups.length = 0;
    await Promise.all([submit('one', 1), submit('two', 3), submit('three', 0)]);
    expect(groups, 'those of short ones share the usual lane').toEqual([['one', 'two'], ['three']]);
  });

  test('beyond a thousand waiting, the next is refused with a time to retry', async () => {
    const { submit, release } = queue();
    const answers = Array.from({ length: 1_001 }, (_, index) => submit(`i${index}`));
    expect(await submit('late')).toBe('full');
    const other = submit('other', 1);
    release();
    expect(await other).toBe('OTHER');
    await Promise.all(answers);
  });
});
