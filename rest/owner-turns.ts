import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../src/ground/lib/limits.ts';
import { inOwnContext } from '../src/ground/lib/own-context.ts';
import { HttpError } from './http-errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Lets the next request of the same owner be processed; further calls have no effect. Null before its own turn. */
    endTurn: (() => void) | null;
  }
}

type Owner = number | string;

/** An owner has the process to itself when no other one has had a request for this long. */
const NO_OTHER_AFTER_MS = 1_000;
/** A request in progress for longer waits for somebody else, such as a register of tax ids, and costs nothing meanwhile. */
const COUNTS_FOR_MS = 250;
/**
 * Half as many are processed at once of an owner whose requests take longer than this on average: each of them occupies the
 * event loop or Postgres several times as long as an ordinary one, which takes 5 to 20 ms.
 */
const LONG_MS = 40;
/** The share of the last request in that average. */
const NEWEST = 0.2;
/** Owners whose average is kept while they have no requests: about 100 bytes each. */
const MAX_OWNERS = 10_000;
/** How often waiting requests are checked for what has become of these times. */
const CHECK_MS = 50;

type Turn = { readonly since: number; readonly isLarge: boolean };
type Start = (end: () => void) => void;
type Own = {
  readonly running: Set<Turn>;
  readonly waiting: (() => void)[];
  /** Large requests that wait: others do not wait behind them. */
  readonly waitingLarge: (() => void)[];
  /** Until then the next large one waits (`performance.now()`). */
  pausedUntil: number;
  /** Runs until then; null if there is no pause. */
  pauseTimer: NodeJS.Timeout | null;
};

/**
 * Limits how many requests of one owner are processed at once while other owners have requests too: whoever sends many at
 * once waits for its own, and everybody else for a few of them only. Of an owner's large requests one is processed at a
 * time, and the next starts after a pause as long as that one took: each occupies the event loop, Postgres and the threads
 * that collect garbage at the same time, and with several of them nobody gets a processor for tens of milliseconds.
 */
export class OwnerTurns {
  readonly #owners = new Map<Owner, Own>();
  /** How long requests of an owner take, on average; those that wait for somebody else do not count. */
  readonly #typicalMs = new LRUCache<Owner, number>({ max: MAX_OWNERS });
  readonly #max: number;
  readonly #mayStart: () => boolean;
  #waiting = 0;
  #checks: NodeJS.Timeout | null = null;
  #last: { owner: Owner | null; at: number } = { owner: null, at: 0 };
  #other = Number.NEGATIVE_INFINITY;

  /** `mayStart`: whether anything may start in this iteration of the event loop. */
  constructor(mayStart: () => boolean, max: number = LIMITS.requestsOfOwner.value) {
    this.#mayStart = mayStart;
    this.#max = max;
  }

  /**
   * Calls `start` when it is the owner's turn, at once if it may; the function that it gets ends the turn. False if too many
   * requests of the owner are waiting.
   */
  begin(owner: Owner, isLarge: boolean, start: Start): boolean {
    const now = performance.now();
    this.#note(owner, now);
    const own = this.#ownOf(owner);
    const waiting = isLarge ? own.waitingLarge : own.waiting;
    if (waiting.length === 0 && this.#mayStart() && this.#mayRun(owner, own, isLarge, now)) {
      this.#run(owner, own, isLarge, start);
      return true;
    }
    if (own.waiting.length + own.waitingLarge.length >= LIMITS.requestsWaiting.value / 2) return false;
    // It continues in its own context, not in that of the request whose turn has ended.
    waiting.push(inOwnContext(() => this.#run(owner, own, isLarge, start)));
    if (!this.#mayStart()) setImmediate(() => this.#admit(owner, own, performance.now()));
    this.#waiting += 1;
    this.#checks ??= setInterval(() => this.#checkAll(), CHECK_MS).unref();
    return true;
  }

  #ownOf(owner: Owner): Own {
    let own = this.#owners.get(owner);
    if (own === undefined) {
      own = { running: new Set(), waiting: [], waitingLarge: [], pausedUntil: 0, pauseTimer: null };
      this.#owners.set(owner, own);
    }
    return own;
  }

  #note(owner: Owner, now: number): void {
    if (this.#last.owner !== owner) {
      if (this.#last.owner !== null) this.#other = this.#last.at;
      this.#last.owner = owner;
    }
    this.#last.at = now;
  }

  #run(owner: Owner, own: Own, isLarge: boolean, start: Start): void {
    const turn = { since: performance.now(), isLarge };
    own.running.add(turn);
    start(() => {
      const now = performance.now();
      if (own.running.delete(turn) && isLarge) this.#pause(owner, own, now - turn.since);
      this.#measure(owner, now - turn.since);
      if (own.waiting.length + own.waitingLarge.length === 0) this.#removeIfIdle(owner, own);
      // The answer that has ended this turn is sent first.
      else setImmediate(() => this.#admit(owner, own, performance.now()));
    });
  }

  /** After a large request that took so long. Several may end within a pause: it lasts until the longest of theirs is over. */
  #pause(owner: Owner, own: Own, milliseconds: number): void {
    own.pausedUntil = Math.max(own.pausedUntil, performance.now() + milliseconds);
    own.pauseTimer ??= this.#startTimer(owner, own);
  }

  #startTimer(owner: Owner, own: Own): NodeJS.Timeout {
    const left = own.pausedUntil - performance.now();
    return setTimeout(() => {
      const now = performance.now();
      own.pauseTimer = now < own.pausedUntil ? this.#startTimer(owner, own) : null;
      if (own.pauseTimer === null) this.#admit(owner, own, now);
    }, left).unref();
  }

  #measure(owner: Owner, milliseconds: number): void {
    if (milliseconds >= COUNTS_FOR_MS) return;
    const before = this.#typicalMs.get(owner) ?? 0;
    this.#typicalMs.set(owner, before + NEWEST * (milliseconds - before));
  }

  #mayRun(owner: Owner, own: Own, isLarge: boolean, now: number): boolean {
    const { running } = own;
    for (const turn of running) {
      if (now - turn.since < COUNTS_FOR_MS) break;
      running.delete(turn);
    }
    if (now - this.#other >= NO_OTHER_AFTER_MS) return true;
    if (isLarge && (now < own.pausedUntil || [...running].some((turn) => turn.isLarge))) return false;
    const isLong = (this.#typicalMs.get(owner) ?? 0) > LONG_MS;
    return running.size < (isLong ? this.#max / 2 : this.#max);
  }

  /** What waits and may run; a large request first, of which there is one at a time: many others could keep it waiting. */
  #next(owner: Owner, own: Own, now: number): (() => void)[] | null {
    if (own.waitingLarge.length > 0 && this.#mayRun(owner, own, true, now)) return own.waitingLarge;
    return own.waiting.length > 0 && this.#mayRun(owner, own, false, now) ? own.waiting : null;
  }

  #admit(owner: Owner, own: Own, now: number): void {
    for (let next = this.#next(owner, own, now); next !== null; next = this.#next(owner, own, now)) {
      if (!this.#mayStart()) {
        setImmediate(() => this.#admit(owner, own, performance.now()));
        return;
      }
      this.#waiting -= 1;
      next.shift()!();
    }
    this.#removeIfIdle(owner, own);
    if (this.#waiting > 0 || this.#checks === null) return;
    clearInterval(this.#checks);
    this.#checks = null;
  }

  /** A turn that no longer counts may end after its owner has been removed and added again. */
  #removeIfIdle(owner: Owner, own: Own): void {
    const isIdle =
      own.waiting.length + own.waitingLarge.length + own.running.size === 0 && own.pauseTimer === null;
    if (!isIdle || this.#owners.get(owner) !== own) return;
    this.#owners.delete(owner);
  }

  #checkAll(): void {
    const now = performance.now();
    for (const [owner, own] of this.#owners) this.#admit(owner, own, now);
  }
}

/** Waits for the turn of a request with a large body; refused if too many are waiting. */
export type TakeTurn = (request: FastifyRequest, done: (refusal?: HttpError) => void) => void;

/** Monitoring must work when the process is overloaded. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Limits the requests of a server's owners, from when their bodies have arrived until their answers are ready. Returns the
 * function that waits for the turn of a request whose large body is about to be parsed; all others wait before validation.
 */
export function limitOfOwners(
  server: FastifyInstance,
  ownerOf: (request: FastifyRequest) => Owner,
  mayStart: () => boolean,
): TakeTurn {
  const turns = new OwnerTurns(mayStart);
  server.decorateRequest('endTurn', null);
  const take = (request: FastifyRequest, isLarge: boolean, done: (refusal?: HttpError) => void) => {
    const isWaiting = turns.begin(ownerOf(request), isLarge, (end) => {
      request.endTurn = end;
      done();
    });
    if (!isWaiting) done(new HttpError('service_unavailable', 'Too many requests are waiting already.'));
  };
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.endTurn !== null || PROBES.has(request.routeOptions.url ?? '')) done();
    else take(request, false, done);
  });
  server.addHook('onSend', (request, _reply, payload, done) => {
    request.endTurn?.();
    done(null, payload);
  });
  return (request, done) => take(request, true, done);
}
