import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** The prefixes of public ids. Callers treat the whole string as a token. */
export type IdPrefix =
  | 'acc'
  | 'apr'
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
  | 'opi'
  | 'opk'
  | 'pay'
  | 'rec'
  | 'req'
  | 'sch'
  | 'sub'
  | 'whd'
  | 'whe';

const RANDOM_BYTES = 16;

/** Enough for several hundred ids: generating random bytes for each id took most of its time. */
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

/** The time of the last id, and its counter within that millisecond (RFC 9562, 6.2, method 1). */
let last = { msecs: 0, seq: 0 };

/** A new id. Ids of one process sort in the order of their creation (UUID version 7). */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  const random = randomBytes();
  const now = Date.now();
  // A counter has 32 bits. Its first value in a millisecond is drawn from the lower half, which leaves room for the others.
  last =
    now > last.msecs
      ? { msecs: now, seq: random.readUInt32BE(6) >>> 1 }
      : { msecs: last.msecs, seq: last.seq + 1 };
  return `${prefix}_${v7({ random, ...last }).replaceAll('-', '')}`;
}

/**
 * The id of an invoice’s line. It contains the invoice's own, so a line is found by its id without an index of all lines.
 */
export function lineId(invoiceId: string, position: number): string {
  return `ili_${invoiceId.slice('inv_'.length)}${position.toString(16).padStart(4, '0')}`;
}

/** The invoice to which a line of this id belongs; null if it is not such an id. */
export function invoiceOfLine(id: string): string | null {
  const uuid = /^ili_([0-9a-f]{32})[0-9a-f]{4}$/.exec(id)?.[1];
  return uuid === undefined ? null : `inv_${uuid}`;
}
