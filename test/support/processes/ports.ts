import { randomInt } from 'node:crypto';
import { freePort } from '../../../src/ground/lib/free-port.ts';

/**
 * A free port of this machine below those that the system itself gives out (from 32,768 on Linux): no connection of
 * anybody's takes it before a server is started there, or while that one is away.
 */
export function unusedPort(): Promise<number> {
  return freePort('127.0.0.1', 12_000 + randomInt(20_000));
}
