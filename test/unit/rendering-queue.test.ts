import { afterEach, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/ground/lib/limits.ts';
import { RenderingQueue } from '../../src/subjects/documents/rendering-queue.ts';

type RenderRequest = { owner: number; urgent?: boolean; lines?: number; ageSeconds?: number };

/** While requests are served, the first job of a process waits so long. */
const FIRST_PAUSE_MS = 3_000;

/** Documents in the order in which their turns come; each is made as soon as `finish` says so. */
function queueOf(isBusy = false) {
  const turns = new RenderingQueue(() => isBusy, 50);
  const order: number[] = [];
  const inside: (() => void)[] = [];
  const request = ({ owner, urgent = true, lines = 500, ageSeconds = 0 }: RenderRequest) =>
    turns.enter({ owner, urgent, lines, ageSeconds }).then((leave) => {
      if (leave === null) return false;
      order.push(owner);
      inside.push(leave);
      return true;
    });
  const settled = () => new Promise(setImmediate);
  const finishAll = async () => {
    for (await settled(); inside.length > 0; await settled()) inside.shift()!();
  };
  return { request, order, settled, finishAll };
}

afterEach(() => {
  vi.useRealTimers();
});

const BIG = 1;
const SMALL = 2;

test('a document of another environment is made after those in progress, before a hundred others', async () => {
  const { request, order, finishAll } = queueOf();
  for (let index = 0; index < 100; index += 1) void request({ owner: BIG });
  void request({ owner: SMALL });
  await finishAll();
  expect(order.indexOf(SMALL)).toBeLessThanOrEqual(LIMITS.rendersAtOnce.value + 1);
  expect(order).toHaveLength(101);
});

test('a short one has its place beside long ones', async () => {
  const { request, order, settled } = queueOf();
  for (let index = 0; index < 100; index += 1) void request({ owner: BIG });
  void request({ owner: SMALL, lines: 3 });
  await settled();
  expect(order).toEqual([BIG, BIG, SMALL]);
});

test('downloads come before jobs, and still leave them a turn', async () => {
  const { request, order, finishAll } = queueOf();
  for (let index = 0; index < 40; index += 1) void request({ owner: BIG, urgent: false });
  for (let index = 0; index < 40; index += 1) void request({ owner: SMALL });
  await finishAll();
  const first = order.slice(2, 42);
  expect(first.filter((owner) => owner === SMALL).length).toBeGreaterThan(25);
  expect(first.filter((owner) => owner === BIG).length).toBeGreaterThan(5);
});

test('an environment with too many waiting is refused with a time to retry, and no other', async () => {
  const { request, finishAll } = queueOf();
  const most = LIMITS.rendersAtOnce.value + LIMITS.rendersWaiting.value;
  for (let index = 0; index < most; index += 1) void request({ owner: BIG });
  expect(await request({ owner: BIG })).toBe(false);
  const other = request({ owner: SMALL });
  await finishAll();
  expect(await other).toBe(true);
});

test('while requests are served, the first job of a process waits, and a download does not', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  const { request, order, settled } = queueOf(true);
  void request({ owner: BIG, urgent: false });
  void request({ owner: SMALL });
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS - 1);
  expect(order).toEqual([SMALL]);
  await vi.advanceTimersByTimeAsync(2);
  await settled();
  expect(order).toEqual([SMALL, BIG]);
});

test('nobody waits for the first job when no requests are served', async () => {
  const { request, order, settled } = queueOf();
  void request({ owner: BIG, urgent: false });
  await settled();
  expect(order).toEqual([BIG]);
});

test('while requests are served, jobs rest after each document, and downloads do not wait for that', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  const { request, order, settled, finishAll } = queueOf(true);
  const jobs = [request({ owner: BIG, urgent: false }), request({ owner: BIG, urgent: false })];
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS);
  vi.advanceTimersByTime(20);
  await finishAll();
  const next = request({ owner: BIG, urgent: false });
  await settled();
  expect(order).toEqual([BIG, BIG]);
  void request({ owner: SMALL });
  await settled();
  expect(order).toEqual([BIG, BIG, SMALL]);
  await vi.advanceTimersByTimeAsync(20 * 50);
  expect(await Promise.all([...jobs, next])).toEqual([true, true, true]);
  expect(order).toEqual([BIG, BIG, SMALL, BIG]);
});

test.each([
  { ageSeconds: 0, pause: 50 },
  { ageSeconds: 10, pause: 50 },
  { ageSeconds: 35, pause: 31.25 },
  { ageSeconds: 60, pause: 12.5 },
  { ageSeconds: 86_400, pause: 12.5 },
])(
  'after a document of $ageSeconds s jobs pause $pause times its duration',
  async ({ ageSeconds, pause }) => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    const { request, order, finishAll } = queueOf(true);
    void request({ owner: BIG, urgent: false, ageSeconds });
    await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS);
    vi.advanceTimersByTime(20);
    await finishAll();
    void request({ owner: SMALL, urgent: false });
    await vi.advanceTimersByTimeAsync(20 * pause - 1);
    expect(order).toEqual([BIG]);
    await vi.advanceTimersByTimeAsync(2);
    expect(order).toEqual([BIG, SMALL]);
  },
);
