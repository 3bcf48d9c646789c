import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  AT_ONCE,
  type EarlierPage,
  EarlierPages,
  KEPT_BYTES,
} from '../../src/faces/graphql/live/earlier-pages.ts';
import { UnreadAnswers } from '../../src/ground/lib/unread-answers.ts';

const MIB = 1024 ** 2;
const pageOf = (bytes: number): EarlierPage => ({ bytes: Buffer.alloc(bytes), position: 1, readers: 0 });

describe('a page of earlier events', () => {
  test('is built once for all who request it meanwhile, and for some seconds afterwards', async () => {
    const pages = new EarlierPages(new UnreadAnswers());
    const make = vi.fn(async () => pageOf(10));
    const [one, another] = await Promise.all([pages.page('1 0', 1, make), pages.page('1 0', 1, make)]);
    expect(another).toBe(one);
    expect(await pages.page('1 0', 1, make)).toBe(one);
    expect(make).toHaveBeenCalledTimes(1);
    await pages.page('1 25', 1, make);
    await pages.page('2 0', 1, make);
    expect(make).toHaveBeenCalledTimes(3);
    const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6_000);
    onTestFinished(() => later.mockRestore());
    await vi.waitFor(async () => {
      await pages.page('1 0', 1, make);
      expect(make).toHaveBeenCalledTimes(4);
    });
  });

  test('is made again after a failure', async () => {
    const pages = new EarlierPages(new UnreadAnswers());
    const failing = async () => {
      throw new Error('no database');
    };
    await expect(pages.page('1 0', 1, failing)).rejects.toThrow('no database');
    expect((await pages.page('1 0', 1, async () => pageOf(10))).bytes).toHaveLength(10);
  });

  test('is kept as far as there is room for it', async () => {
    const pages = new EarlierPages(new UnreadAnswers());
    const make = vi.fn(async () => pageOf(MIB));
    const most = KEPT_BYTES / MIB;
    for (let position = 0; position < most; position++) await pages.page(`1 ${position}`, 1, make);
    await pages.page(`1 ${most - 1}`, 1, make);
    expect(make).toHaveBeenCalledTimes(most);
    await pages.page('1 0', 1, make);
    expect(make).toHaveBeenCalledTimes(most + 1);
  });

  test('counts once as unread, however many are sent it, until the last has taken it', async () => {
    const unread = new UnreadAnswers();
    const pages = new EarlierPages(unread);
    const page = pageOf(10);
    const taken = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sending = taken.map(({ promise }) => pages.sending(page, () => promise));
    expect(unread.bytes).toBe(10);
    taken[0]!.resolve();
    await sending[0];
    expect(unread.bytes).toBe(10);
    taken[1]!.reject(new Error('gone'));
    await expect(sending[1]).rejects.toThrow('gone');
    expect(unread.bytes).toBe(0);
  });

  test('is made a few at a time, and half of them for one environment', async () => {
    const pages = new EarlierPages(new UnreadAnswers());
    const begun: string[] = [];
    const never = (name: string) => async () => {
      begun.push(name);
      return new Promise<EarlierPage>(() => {});
    };
    for (let position = 0; position < 10; position++)
      void pages.page(`1 ${position}`, 1, never(`many ${position}`));
    for (const owner of [2, 3, 4]) void pages.page(`${owner} 0`, owner, never(`other ${owner}`));
    await vi.waitFor(() => expect(begun).toHaveLength(AT_ONCE));
    expect(begun).toEqual(['many 0', 'many 1', 'other 2', 'other 3']);
  });
});
