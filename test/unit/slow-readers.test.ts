import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { SlowReaders } from '../../rest/slow-readers.ts';
import { LIMITS } from '../../src/ground/lib/limits.ts';

const TIMEOUT = 20_000;
/** What one must have taken in that time. */
const ENOUGH = (LIMITS.readingRate.value * TIMEOUT) / 1_000;

/** A connection of which a test says what its kernel has taken over, and how much of that the peer has not read. */
function scripted() {
  const socket = new Socket();
  const state = { accepted: 0, unread: 0, at: 0 };
  const readers = new SlowReaders(TIMEOUT, {
    accepted: () => state.accepted,
    unacknowledged: async () => new Map([[socket, state.unread]]),
  });
  const isCut = async (now: typeof state, isPressed = false) => {
    Object.assign(state, now);
    return (await readers.among([socket], isPressed, () => state.at)).length > 0;
  };
  return { readers, socket, isCut };
}

test('a reader is steady by what it reads, also while its kernel takes nothing more', async () => {
  const { isCut } = scripted();
  for (let check = 0; check < 10; check += 1) {
    const unread = 20 * ENOUGH - check * ENOUGH;
    expect(await isCut({ accepted: 20 * ENOUGH, unread, at: check * TIMEOUT })).toBe(false);
  }
});

test('what the kernel goes on taking is not read', async () => {
  const { isCut } = scripted();
  expect(await isCut({ accepted: ENOUGH, unread: ENOUGH, at: 0 })).toBe(false);
  expect(await isCut({ accepted: 9 * ENOUGH, unread: 9 * ENOUGH, at: TIMEOUT - 1 })).toBe(false);
  expect(await isCut({ accepted: 20 * ENOUGH, unread: 20 * ENOUGH, at: TIMEOUT })).toBe(true);
});

test('whoever reads less than enough within the time limit is cut', async () => {
  const { isCut } = scripted();
  expect(await isCut({ accepted: 2 * ENOUGH, unread: 2 * ENOUGH, at: 0 })).toBe(false);
  expect(await isCut({ accepted: 2 * ENOUGH, unread: ENOUGH + 1, at: TIMEOUT })).toBe(true);
});

test('a reader has a tenth of the time while too much waits to be read', async () => {
  const { isCut } = scripted();
  expect(await isCut({ accepted: ENOUGH, unread: ENOUGH, at: 0 }, true)).toBe(false);
  expect(await isCut({ accepted: ENOUGH, unread: ENOUGH, at: TIMEOUT / 10 })).toBe(false);
  expect(await isCut({ accepted: ENOUGH, unread: ENOUGH, at: TIMEOUT / 10 }, true)).toBe(true);
});

test('the time begins anew with the next answer', async () => {
  const { readers, socket, isCut } = scripted();
  expect(await isCut({ accepted: ENOUGH, unread: ENOUGH, at: 0 })).toBe(false);
  readers.reset(socket);
  expect(await isCut({ accepted: ENOUGH, unread: ENOUGH, at: TIMEOUT })).toBe(false);
  expect(await isCut({ accepted: ENOUGH, unread: ENOUGH, at: 2 * TIMEOUT })).toBe(true);
});
