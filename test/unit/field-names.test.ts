import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { camelKeys, snakeKeys } from '../../src/ground/lib/case.ts';

const MIB = 1_024 * 1_024;

/** The heap once garbage was collected. */
function heldByHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

test('the name of a field that is as long as a body may be is not remembered', async () => {
  const before = heldByHeap();
  for (let count = 0; count < 100; count += 1) {
    const body = { [`${'x'.repeat(MIB)}${count}`]: 1 };
    expect(Object.keys(snakeKeys(camelKeys(body)) as object)).toEqual(Object.keys(body));
  }
  // Names of fields are freed with the shapes of the objects that had them, which takes more than one collection.
  await expect.poll(heldByHeap).toBeLessThan(before + 20 * MIB);
});
