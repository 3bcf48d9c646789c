import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compress } from '../../src/ground/lib/content-coding.ts';

const answerOf = (bytes: number) =>
  JSON.stringify(Array.from({ length: bytes / 16 }, (_, n) => ({ n, total: (n * 7_919) % 9_973 }))).slice(
    0,
    bytes,
  );

test.each([1, 1_024, 1_700, 3_834, 20_000, 32_507, 300_000])(
  '%i bytes are the same again',
  async (length) => {
    const answer = answerOf(length);
    expect(String(gunzipSync(await compress(answer, 'gzip')))).toBe(answer);
  },
);

test('a compressed answer does not leave Node’s whole chunk of output in memory', async () => {
  const [answers, bytes] = [300, 2_048];
  const answer = answerOf(bytes);
  await compress(answer, 'gzip');
  const before = process.memoryUsage().arrayBuffers;
  for (let sent = 0; sent < answers; sent += 1) await compress(answer, 'gzip');
  // Its bytes, and as many of output; Node's chunk of output alone would be eight times as many.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * answers * bytes);
});
