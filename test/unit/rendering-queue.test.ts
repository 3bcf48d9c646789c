import { expect, test } from 'vitest';
import { DOCUMENT_LIMITS } from '../../src/subjects/documents/limits.ts';
import { RenderingQueue } from '../../src/subjects/documents/rendering-queue.ts';

type RenderRequest = { owner: number; urgent?: boolean; lines?: number };

/** Documents in the order in which their turns come; each is made as soon as `finish` says so. */
function queueOf() {
  const turns = new RenderingQueue();
  const order: number[] = [];
  const inside: (() => void)[] = [];
  const request = ({ owner, urgent = true, lines = 500 }: RenderRequest) =>
    turns.enter({ owner, urgent, lines }).then((leave) => {
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

const BIG = 1;
const SMALL = 2;

test('a document of another environment is made after those in progress, before a hundred others', async () => {
  const { request, order, finishAll } = queueOf();
  for (let index = 0; index < 100; index += 1) void request({ owner: BIG });
  void request({ owner: SMALL });
  await finishAll();
  expect(order.indexOf(SMALL)).toBeLessThanOrEqual(DOCUMENT_LIMITS.rendersAtOnce.value + 1);
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
  const most = DOCUMENT_LIMITS.rendersAtOnce.value + DOCUMENT_LIMITS.rendersWaiting.value;
  for (let index = 0; index < most; index += 1) void request({ owner: BIG });
  expect(await request({ owner: BIG })).toBe(false);
  const other = request({ owner: SMALL });
  await finishAll();
  expect(await other).toBe(true);
});
