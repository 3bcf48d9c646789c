import { scrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Has several threads allocate native memory, then writes how many places of their own they have been given. */
await Promise.all([1, 2, 3, 4].map(() => promisify(scrypt)('password', 'salt', 32)));

/** glibc reserves 64 MiB at an address that is a multiple of it, and makes the beginning usable. */
const RESERVED = 0x400_0000n;
const mappings = [...readFileSync('/proc/self/maps', 'utf8').matchAll(/^(\w+)-(\w+) (\S+)/gm)].map(
  ([, from, to, rights]) => ({ from: BigInt(`0x${from}`), to: BigInt(`0x${to}`), rights: rights! }),
);
const arenas = mappings.filter(({ from, to, rights }, index) => {
  const rest = mappings[index + 1];
  const isReserved = rest?.from === to && rest.to === from + RESERVED && rest.rights.startsWith('---');
  return from % RESERVED === 0n && rights.startsWith('rw-') && isReserved;
});
process.stdout.write(String(arenas.length));
