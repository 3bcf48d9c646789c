import { getHeapStatistics } from 'node:v8';

/**
 * Has V8 optimize many functions that become hot at the same time, as the first requests after a start do, and writes the
 * most native memory that was in use by V8 meanwhile, in MiB.
 */

const FUNCTIONS = 200;
/** V8 optimizes a function that was called about 400 times. */
const CALLS = 1_000;

const statements = Array.from(
  { length: 40 },
  (_, line) => `sum += (values[${line} % n] * ${line + 1}) % 97;`,
);
const functions = Array.from(
  { length: FUNCTIONS },
  (_, index) => new Function('values', 'n', `let sum = ${index}; ${statements.join(' ')} return sum;`),
);
let sum = 0;
for (let call = 0; call < CALLS; call += 1) for (const add of functions) sum += add([1, 2, 3, call], 4);
if (Number.isNaN(sum)) throw new Error('the functions have computed nothing');
process.stdout.write(String(getHeapStatistics().peak_malloced_memory / 2 ** 20));
