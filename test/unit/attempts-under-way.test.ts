import { expect, test } from 'vitest';
import { AttemptsUnderWay } from '../../src/subjects/webhooks/attempts-under-way.ts';

test('results of many environments are recorded a few at a time, and each once', async () => {
  const underWay = new AttemptsUnderWay();
  const recorded: number[] = [];
  const waiting: (() => void)[] = [];
  let most = 0;
  const all = Array.from({ length: 20 }, (_, environmentId) =>
    underWay.inTurn(environmentId, async () => {
      await new Promise<void>((go) => {
        waiting.push(go);
        most = Math.max(most, waiting.length);
      });
      recorded.push(environmentId);
    }),
  );
  const ended = Promise.all(all);
  while (recorded.length < all.length) {
    await new Promise(setImmediate);
    waiting.shift()?.();
  }
  await ended;
  expect(recorded).toHaveLength(20);
  expect(most).toBe(2);
});
