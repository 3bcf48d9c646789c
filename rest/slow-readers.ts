import type { Socket } from 'node:net';
import { LIMITS } from '../src/ground/lib/limits.ts';
import { acceptedBytes, unacknowledged } from './socket-buffers.ts';

/** What the kernel reports of connections. Tests replace it. */
export type Kernel = {
  readonly accepted: (socket: Socket) => number;
  readonly unacknowledged: (sockets: readonly Socket[]) => Promise<ReadonlyMap<Socket, number>>;
};

/** While there is something to be read: since when so much had been taken. */
type Reading = { readonly since: number; readonly read: number };

/** While half of what may wait waits, a reader has a tenth of the time. */
const PRESSED = 10;

/** Tells who reads too slowly, by what each peer has acknowledged between one look and the next. */
export class SlowReaders {
  readonly #readings = new WeakMap<Socket, Reading>();
  readonly #stalledAfterMs: number;
  readonly #kernel: Kernel;

  constructor(stalledAfterMs: number, kernel: Kernel = { accepted: acceptedBytes, unacknowledged }) {
    this.#stalledAfterMs = stalledAfterMs;
    this.#kernel = kernel;
  }

  /** The connection has nothing that waits to be read: its time begins anew. */
  reset(socket: Socket): void {
    this.#readings.delete(socket);
  }

  /** Those of the connections that have not taken of their answers what one must, at `now()` (`performance.now()`). */
  async among(
    sockets: readonly Socket[],
    isPressed: boolean,
    now: () => number = () => performance.now(),
  ): Promise<Socket[]> {
    if (sockets.length === 0) return [];
    const queued = await this.#kernel.unacknowledged(sockets);
    const at = now();
    return sockets.filter((socket) =>
      this.#isStalled(socket, this.#kernel.accepted(socket) - (queued.get(socket) ?? 0), at, isPressed),
    );
  }

  #isStalled(socket: Socket, read: number, now: number, isPressed: boolean): boolean {
    const before = this.#readings.get(socket);
    // As much in a tenth of the time: under pressure whoever reads slowly is cut, too.
    const enough = (LIMITS.readingRate.value * this.#stalledAfterMs) / 1_000;
    if (before === undefined || read - before.read >= enough) {
      this.#readings.set(socket, { since: now, read });
      return false;
    }
    return now - before.since >= (isPressed ? this.#stalledAfterMs / PRESSED : this.#stalledAfterMs);
  }
}
