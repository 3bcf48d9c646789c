import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** The prefixes of public ids. Callers treat the whole string as a token. */
export type IdPrefix =
  | 'acc'
  | 'aud'
  | 'bat'
  | 'cert'
  | 'co'
  | 'cos'
  | 'cps'
  | 'cus'
  | 'eml'
  | 'exm'
  | 'dft'
  | 'int'
  | 'inv'
  | 'key'
  | 'ns'
  | 'opk'
  | 'pay'
  | 'rec'
  | 'req'
  | 'sch'
  | 'sub'
  | 'whd'
  | 'whe';

const RANDOM_BYTES = 16;

/** For some hundred ids: to draw those of each by itself took most of the time of making it. */
const drawn = Buffer.alloc(256 * RANDOM_BYTES);
let used = drawn.length;

function randomBytes(): Buffer {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const bytes = drawn.subarray(used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  return bytes;
}

/** When the last id was made, and its place among those of the same millisecond (RFC 9562, 6.2, method 1). */
let last = { msecs: 0, seq: 0 };

/** A new id. Ids of one process sort in the order in which they were made (UUID version 7). */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  const random = randomBytes();
  const now = Date.now();
  // A place has 32 bits. The first one of a millisecond is drawn from half of them, and so leaves room for the others.
  last =
    now > last.msecs
      ? { msecs: now, seq: random.readUInt32BE(6) >>> 1 }
      : { msecs: last.msecs, seq: last.seq + 1 };
  return `${prefix}_${v7({ random, ...last }).replaceAll('-', '')}`;
}

/** The id of an invoice’s line. It holds the invoice’s own, so that a line is found by its id without an index of all lines. */
export function lineId(invoiceId: string, position: number): string {
  return `ili_${invoiceId.slice('inv_'.length)}${position.toString(16).padStart(4, '0')}`;
}

/** The invoice that a line of this id would be of; null for what is no such id. */
export function invoiceOfLine(id: string): string | null {
  const own = /^ili_([0-9a-f]{32})[0-9a-f]{4}$/.exec(id)?.[1];
  return own === undefined ? null : `inv_${own}`;
}
