import { fstatSync, write, writeSync } from 'node:fs';
import { pino } from 'pino';
import { Counter } from 'prom-client';
import { LIMITS } from './limits.ts';

const lost = new Counter({
  name: 'lacre_log_lines_lost_total',
  help: 'Lines of the log that this process could not write, because their disk is full or nobody reads them.',
});

/** Between two tries of an output that takes nothing. */
const RETRY_MS = 100;
/** How often a reader that is slow is waited for at the end of the process. */
const LAST_TRIES = 5;

/**
 * Where the lines of the log go. A service must outlive its log: an output that takes nothing (a disk that is full, a pipe
 * that nobody reads or that is closed) neither ends nor blocks the process. What has not been written is kept up to
 * `LIMITS.unwrittenLog` and tried again; lines beyond it are lost and counted, and how many it were is the first thing
 * that is logged when there is room again. pino's own output ends the process on such an error, and at its end tries
 * again for ever.
 */
export class LogOutput {
  readonly #descriptor: number;
  /** A pipe takes what it has room for and no more, so what a write under way has written would be unknown at the end. */
  readonly #isPipe: boolean;
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** What is being written, or is to be written first. */
  #current: Buffer = Buffer.alloc(0);
  #state: 'idle' | 'gathering' | 'writing' | 'resting' = 'idle';
  #lost = 0;
  /** The last error, for whoever is told of lines that were lost. */
  #why = '';

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    const output = fstatSync(descriptor);
    this.#isPipe = output.isFIFO() || output.isSocket();
    process.on('exit', () => this.#writeRest());
  }

  /** Takes a whole line with its end. Never throws. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + this.#current.length + bytes > LIMITS.unwrittenLog.value) {
      this.#lost += 1;
      lost.inc();
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    this.#writeNext();
  }

  #writeNext(): void {
    if (this.#state !== 'idle' || (this.#current.length === 0 && this.#waiting.length === 0)) return;
    if (this.#isPipe) {
      // It refuses rather than waits. What is logged until then goes with it.
      this.#state = 'gathering';
      setImmediate(() => this.#writeNow());
      return;
    }
    this.#hasMore();
    this.#state = 'writing';
    write(this.#descriptor, this.#current, (error, written) => {
      if (error !== null) this.#later(error);
      else this.#wrote(written);
    });
  }

  #writeNow(): void {
    if (!this.#hasMore()) {
      this.#state = 'idle';
      return;
    }
    try {
      this.#wrote(writeSync(this.#descriptor, this.#current));
    } catch (error) {
      this.#later(error as NodeJS.ErrnoException);
    }
  }

  /** Takes all that waits, for one call of the system. */
  #hasMore(): boolean {
    if (this.#current.length === 0 && this.#waiting.length > 0) {
      this.#current = Buffer.from(this.#waiting.join(''));
      this.#waiting = [];
      this.#waitingBytes = 0;
    }
    return this.#current.length > 0;
  }

  #wrote(bytes: number): void {
    this.#current = this.#current.subarray(bytes);
    this.#state = 'idle';
    if (this.#lost > 0 && this.#current.length === 0) this.#tellOfLost();
    this.#writeNext();
  }

  #later(error: NodeJS.ErrnoException): void {
    this.#state = 'resting';
    this.#why = error.code ?? error.message;
    setTimeout(() => {
      this.#state = 'idle';
      this.#writeNext();
    }, RETRY_MS).unref();
  }

  #tellOfLost(): void {
    const [lines, why] = [this.#lost, this.#why];
    this.#lost = 0;
    pino({ base: null }, this).warn({ lines, why }, 'lines of the log were lost: they could not be written');
  }

  /** At the end of the process. What is under way Node itself brings to its end. */
  #writeRest(): void {
    if (this.#state === 'writing') this.#current = Buffer.alloc(0);
    for (let tries = LAST_TRIES; tries > 0 && this.#hasMore(); ) {
      try {
        this.#current = this.#current.subarray(writeSync(this.#descriptor, this.#current));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        tries -= 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}

let standard: LogOutput | undefined;

/** Standard output, of which a process has one. */
export function standardOutput(): LogOutput {
  // Asking for the stream also makes a pipe one that refuses what it has no room for, rather than wait.
  standard ??= new LogOutput(process.stdout.fd ?? 1);
  return standard;
}
