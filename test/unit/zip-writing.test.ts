import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ZipWriting } from '../../src/subjects/formats/export/zip-writing.ts';

const FILES = 2_000;
const MIB = 1_024 * 1_024;

/** What buffers hold once garbage was collected. */
function bufferBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().arrayBuffers;
}

test('a ZIP file keeps nothing of the files that were added to it but their names', async () => {
  const writing = new ZipWriting('index.csv');
  writing.out.resume();
  // As documents are made: a text that becomes bytes, in pieces of Node’s pool.
  const text = randomBytes(3_000).toString('hex');
  const add = (n: number) => writing.add(`F-2026-${n}.xml`, Buffer.from(`${n}${text}`), new Date());
  await add(0);
  const before = bufferBytes();
  for (let n = 1; n <= FILES; n += 1) await add(n);
  // They have 12 MiB together.
  await expect.poll(bufferBytes, { timeout: 30_000 }).toBeLessThan(before + 3 * MIB);
  await writing.end(Buffer.from(''));
});
