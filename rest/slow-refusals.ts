import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { ownerOf } from '../src/faces/graphql/charged-values.ts';
import { LIMITS } from '../src/ground/lib/limits.ts';
import { networkOf } from '../src/ground/lib/network.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if a refusal does not show in the status: GraphQL reports some with 200. */
    isRefused: boolean;
  }
}

/** The maximum number of owners that are remembered: about 100 bytes each. */
const MAX_OWNERS = 10_000;
/** The burst that occurs when a form or a file with errors is sent; after it, the rate applies. */
const SAVED_SECONDS = 0.5;

/**
 * Schedules the answers to an owner's refusals (generic cell rate algorithm). `perSecond` replaces the rate of the table of
 * limits, for tests.
 */
export class RefusalPace {
  readonly #due = new LRUCache<number | string, number>({ max: MAX_OWNERS });
  readonly #perSecond: number;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** By how many milliseconds from `now` the owner's next refusal is delayed. */
  delayOf(owner: number | string, now: number): number {
    const interval = 1_000 / this.#perSecond;
    const before = Math.max(this.#due.get(owner) ?? 0, now - SAVED_SECONDS * 1_000);
    const due = Math.min(before + interval, now + LIMITS.longestRefusal.value);
    this.#due.set(owner, due);
    return Math.max(0, due - now);
  }
}

/**
 * Delays repeated refusals: a refusal is cheap, but a caller that sends the next request as soon as one is refused could
 * occupy the event loop. Registered after the hook that counts requests in progress, so that a delayed one does not count.
 */
export function slowRefusals(server: FastifyInstance, perSecond: number): void {
  const pace = new RefusalPace(perSecond);
  server.decorateRequest('isRefused', false);
  server.addHook('onSend', (request, reply, payload, done) => {
    const delay = isRefused(request, reply) ? pace.delayOf(ownerOfRefusal(request), performance.now()) : 0;
    if (delay < 1) return done(null, payload);
    server.becomesStream(request);
    setTimeout(done, delay, null, payload);
  });
}

function isRefused(request: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return request.isRefused || (statusCode >= 400 && statusCode < 500);
}

function ownerOfRefusal(request: FastifyRequest): number | string {
  return request.caller === null ? networkOf(request.ip) : ownerOf(request);
}
