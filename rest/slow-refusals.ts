import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { ownerOf } from '../src/faces/graphql/work.ts';
import { LIMITS } from '../src/ground/lib/limits.ts';
import { networkOf } from '../src/ground/lib/network.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where a refusal does not show in the status: GraphQL tells some with 200. */
    isRefused: boolean;
  }
}

/** Of whom something is remembered: some 100 bytes each. */
const MOST_OWNERS = 10_000;
/** So many come at once when a form is filled in or a file is read that does not fit; afterwards they go by the rate. */
const SAVED_SECONDS = 0.5;

/**
 * When refusals of the same owner are answered (generic cell rate algorithm). `perSecond`: another rate than that of the
 * table of limits, for tests.
 */
export class RefusalPace {
  readonly #due = new LRUCache<number | string, number>({ max: MOST_OWNERS });
  readonly #perSecond: number;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** For how many milliseconds from `now` on the owner's next refusal is held back. */
  delayOf(owner: number | string, now: number): number {
    const interval = 1_000 / this.#perSecond;
    const before = Math.max(this.#due.get(owner) ?? 0, now - SAVED_SECONDS * 1_000);
    const due = Math.min(before + interval, now + LIMITS.longestRefusal.value);
    this.#due.set(owner, due);
    return Math.max(0, due - now);
  }
}

/**
 * Holds back the refusals of whoever is refused again and again: a refusal costs the process little, but a caller that
 * sends the next request as soon as it has one would take all of the event loop all the same. Hooked in behind what counts
 * requests under way: one that is held back is not one of them.
 */
export function slowRefusals(server: FastifyInstance, perSecond: number): void {
  const pace = new RefusalPace(perSecond);
  server.decorateRequest('isRefused', false);
  server.addHook('onSend', (request, reply, payload, done) => {
    const delay = isRefused(request, reply) ? pace.delayOf(whoseRefusal(request), performance.now()) : 0;
    if (delay < 1) return done(null, payload);
    server.becomesStream(request);
    setTimeout(done, delay, null, payload);
  });
}

function isRefused(request: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return request.isRefused || (statusCode >= 400 && statusCode < 500);
}

function whoseRefusal(request: FastifyRequest): number | string {
  return request.caller === null ? networkOf(request.ip) : ownerOf(request);
}
