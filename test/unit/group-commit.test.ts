import { describe, expect, test } from 'vitest';
import { GroupCommit } from '../../src/issuing/group-commit.ts';

/** A queue whose commits are let go one by one, and which notes the groups. */
function queue(commit: (item: string) => string = (item) => item.toUpperCase()) {
  const groups: string[][] = [];
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
    { lanes: 1, alone: (item) => item.startsWith('alone'), whenFull: () => 'full' },
  );
  return {
    groups,
    submit: (item: string) => group.submit(0, item),
    letGo() {
      open();
      gate = Promise.resolve();
    },
  };
}

describe('requests that arrive together', () => {
  test('share the next transaction while one is under way, and each gets its own answer', async () => {
    const { groups, submit, letGo } = queue();
    const answers = Promise.all(['a', 'b', 'c'].map(submit));
    letGo();
    expect(await answers).toEqual(['A', 'B', 'C']);
    expect(groups).toEqual([['a'], ['b', 'c']]);
  });

  test('one bad request never fails its neighbours', async () => {
    const { submit, letGo } = queue((item) => {
      if (item === 'bad') throw new Error('bad');
      return item.toUpperCase();
    });
    const answers = Promise.allSettled(['a', 'b', 'bad', 'c'].map(submit));
    letGo();
    expect((await answers).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  test('what relies on others is committed alone', async () => {
    const { groups, submit, letGo } = queue();
    const answers = Promise.all(['a', 'b', 'alone', 'c', 'd'].map(submit));
    letGo();
    await answers;
    expect(groups).toEqual([['a'], ['b'], ['alone'], ['c', 'd']]);
  });

  test('trouble of the database is everybody’s, and nothing that may have been committed is tried again', async () => {
    const { groups, submit, letGo } = queue(() => {
      throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    });
    const answers = Promise.allSettled(['a', 'b', 'c'].map(submit));
    letGo();
    await answers;
    expect(groups).toEqual([['a'], ['b', 'c']]);
  });

  test('beyond a thousand waiting the next is told to come back', async () => {
    const { submit, letGo } = queue();
    const answers = Array.from({ length: 1_001 }, (_, index) => submit(`i${index}`));
    expect(await submit('late')).toBe('full');
    letGo();
    await Promise.all(answers);
  });
});
