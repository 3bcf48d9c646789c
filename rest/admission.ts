import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FairQueue } from '../src/ground/lib/fair-queue.ts';
import { LIMITS } from '../src/ground/lib/limits.ts';
import { networkOf } from '../src/ground/lib/network.ts';
import { HttpError } from './http-errors.ts';

/** They tell whether the process is alive, and cost next to nothing. */
const LIVENESS = new Set(['/healthz', '/readyz']);

/** All who show neither a key that was in force nor a link that is are one caller among the others. */
const STRANGERS = 'strangers';

type Done = (refusal?: HttpError) => void;

/**
 * Lets requests begin, some milliseconds of them in each iteration of the event loop: hundreds that arrive together would
 * otherwise all be begun before anything else is looked at. Those that wait begin in round-robin order of whose key or link
 * they show, by what is known of it without the database; all others take one of these turns together, and share it out by
 * network.
 */
export class Admission {
  readonly #waiting = new FairQueue<Done>();
  readonly #strangers = new FairQueue<Done>();
  readonly #ownerOf: (request: FastifyRequest) => number | string | null;
  /** Whether an iteration of the loop is under way in which something has begun. */
  #isCounting = false;
  /** Until then more may begin in this iteration (`performance.now()`). */
  #until = 0;
  /** Whether a connection has been taken over in this iteration. */
  #tookConnection = false;

  /** `ownerOf` asks no database; null: nobody known. */
  constructor(ownerOf: (request: FastifyRequest) => number | string | null) {
    this.#ownerOf = ownerOf;
  }

  /** Takes over a server's requests. What is hooked in before it is done at once, in whatever number they come. */
  watch(server: FastifyInstance): void {
    server.server.on('connection', () => {
      this.#tookConnection = true;
    });
    server.addHook('onRequest', (request, _reply, done) => {
      if (LIVENESS.has(request.routeOptions.url ?? '')) done();
      else this.#begin(request, done);
    });
  }

  #begin(request: FastifyRequest, done: Done): void {
    const now = performance.now();
    if (!this.#isCounting) {
      this.#isCounting = true;
      this.#until = now + LIMITS.admission.value;
      setImmediate(() => this.#endIteration());
    }
    if (this.#waiting.size === 0 && now < this.#until) done();
    else this.#wait(request, done);
  }

  /** `service_unavailable` when too many wait already. */
  #wait(request: FastifyRequest, done: Done): void {
    const owner = this.#ownerOf(request);
    const network = networkOf(request.ip);
    const ofOwner = owner === null ? this.#strangers.sizeOf(network) : this.#waiting.sizeOf(owner);
    const most = LIMITS.requestsWaiting.value;
    if (this.#waiting.size >= most || ofOwner >= most / 2) {
      done(new HttpError('service_unavailable', 'Too many requests wait already.'));
    } else if (owner === null) {
      this.#strangers.add(network, done);
      this.#waiting.add(STRANGERS, () => this.#strangers.take()?.());
    } else {
      this.#waiting.add(owner, done);
    }
  }

  #endIteration(): void {
    this.#isCounting = this.#waiting.size > 0;
    if (!this.#isCounting) return;
    // Node takes over one connection in an iteration: while many come, iterations are short.
    this.#until = this.#tookConnection ? 0 : performance.now() + LIMITS.admission.value;
    this.#tookConnection = false;
    this.#next();
  }

  #next(): void {
    this.#waiting.take()?.();
    // Runs once the request that was let go has come to where it waits for something.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (this.#waiting.size > 0 && performance.now() < this.#until) this.#next();
        else setImmediate(() => this.#endIteration());
      }),
    );
  }
}
