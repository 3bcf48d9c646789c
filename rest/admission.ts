import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FairQueue } from '../src/ground/lib/fair-queue.ts';
import { LIMITS } from '../src/ground/lib/limits.ts';
import { networkOf } from '../src/ground/lib/network.ts';
import { HttpError } from './http-errors.ts';

/** They report whether the process is alive, and cost almost nothing. */
const LIVENESS = new Set(['/healthz', '/readyz']);

/** Callers without a valid key or link count as one caller. */
const WITHOUT_KEY = 'without a key';

type Done = (refusal?: HttpError) => void;

/**
 * Starts requests, some milliseconds' worth in each iteration of the event loop: otherwise hundreds of concurrent requests
 * would all start before anything else is handled. Waiting requests start in round-robin order of the owners of their keys
 * or links, as far as these are known without the database; all others share one turn, divided by network.
 */
export class Admission {
  readonly #waiting = new FairQueue<Done>();
  readonly #withoutKey = new FairQueue<Done>();
  readonly #ownerOf: (request: FastifyRequest) => number | string | null;
  /** Whether a request has been started in the current iteration of the loop. */
  #isCounting = false;
  /** Until then more may start in this iteration (`performance.now()`). */
  #until = 0;
  /** Whether a connection has been accepted in the current iteration of the loop, and in the last one. */
  #tookConnection = false;
  #isAccepting = false;
  /** While connections are accepted, requests start again at this time (`performance.now()`). */
  #nextStart = 0;

  /** `ownerOf` does not query the database; null: unknown. */
  constructor(ownerOf: (request: FastifyRequest) => number | string | null) {
    this.#ownerOf = ownerOf;
  }

  /** Controls a server's requests. Hooks registered before it run at once for any number of requests. */
  watch(server: FastifyInstance): void {
    server.server.on('connection', () => {
      this.#tookConnection = true;
      this.#count(performance.now());
    });
    server.addHook('onRequest', (request, _reply, done) => {
      if (LIVENESS.has(request.routeOptions.url ?? '')) done();
      else this.#begin(request, done);
    });
  }

  /** Whether work may start in this iteration of the loop; false while connections are accepted. */
  get mayStart(): boolean {
    return !this.#isAccepting || performance.now() < this.#until;
  }

  #begin(request: FastifyRequest, done: Done): void {
    const now = performance.now();
    this.#count(now);
    if (this.#waiting.size === 0 && now < this.#until) done();
    else this.#wait(request, done);
  }

  /** Counts the time of what starts in this iteration of the loop, until the iteration ends. */
  #count(now: number): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    this.#until = now + LIMITS.admission.value;
    setImmediate(() => this.#endIteration());
  }

  /** Throws `service_unavailable` if too many requests are waiting already. */
  #wait(request: FastifyRequest, done: Done): void {
    const owner = this.#ownerOf(request);
    const network = networkOf(request.ip);
    const ofOwner = owner === null ? this.#withoutKey.sizeOf(network) : this.#waiting.sizeOf(owner);
    const max = LIMITS.requestsWaiting.value;
    if (this.#waiting.size >= max || ofOwner >= max / 2) {
      done(new HttpError('service_unavailable', 'Too many requests are waiting already.'));
    } else if (owner === null) {
      this.#withoutKey.add(network, done);
      this.#waiting.add(WITHOUT_KEY, () => this.#withoutKey.take()?.());
    } else {
      this.#waiting.add(owner, done);
    }
  }

  #endIteration(): void {
    this.#isAccepting = this.#tookConnection;
    this.#tookConnection = false;
    this.#isCounting = this.#waiting.size > 0 || this.#isAccepting;
    if (!this.#isCounting) return;
    const now = performance.now();
    this.#until = now < this.#nextStart && this.#isAccepting ? 0 : now + LIMITS.admission.value;
    // Node accepts one connection per iteration: while many arrive, most iterations only accept.
    if (this.#until > 0) this.#nextStart = now + LIMITS.acceptance.value;
    if (this.#until > 0 && this.#waiting.size > 0) this.#next();
    else setImmediate(() => this.#endIteration());
  }

  #next(): void {
    this.#waiting.take()?.();
    // Runs once the released request has reached its next await.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (this.#waiting.size > 0 && performance.now() < this.#until) this.#next();
        else setImmediate(() => this.#endIteration());
      }),
    );
  }
}
