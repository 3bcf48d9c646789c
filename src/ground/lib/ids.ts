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
  | 'dft'
  | 'ili'
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

/** A new id. Ids of one process sort in the order in which they were made (UUID version 7). */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${v7().replaceAll('-', '')}`;
}
