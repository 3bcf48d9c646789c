import { fstatSync, write, writeSync } from 'node:fs';
import { pino } from 'pino';
import { Counter } from 'prom-client';
import { SHARED_LIMITS } from './limits.ts';

const lost = new Counter({
  name: 'lacre_log_lines_lost_total',
  help: 'Lines of the log that this process could not write, because the disk is full or their reader is blocked.',
});

/**
 * How long lines for a pipe are collected. Each write wakes its reader, which takes longer than the lines themselves: one
 * in each iteration of the event loop took a twentieth of the time of a short request. The end of the process does not wait.
 */
const GATHERING_MS = 10;
/** The interval between two attempts to write to a blocked output. */
const RETRY_MS = 100;
/** How often the end of the process waits for a slow reader. */
const LAST_TRIES = 5;

/**
 * The output of log lines. A service must survive a failure of its log: an output that blocks (a full disk, a pipe that is
 * closed or not read) neither ends nor blocks the process. Unwritten lines are kept up to `SHARED_LIMITS.unwrittenLog` and written
 * later; lines beyond it are dropped and counted, and their number is logged first when there is room again. pino's own
 * output ends the process on such an error, and retries forever at exit.
 */
export class LogOutput {
  readonly #descriptor: number;
  /** A pipe accepts only what it has room for, so otherwise the progress of a write would be unknown at the end. */
  readonly #isPipe: boolean;
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** Bytes that are being written, or are written next. */
  #current: Buffer = Buffer.alloc(0);
  #state: 'idle' | 'gathering' | 'writing' | 'resting' = 'idle';
  #lost = 0;
  /** The last error, for the message about lost lines. */
  #reason = '';

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    const output = fstatSync(descriptor);
    this.#isPipe = output.isFIFO() || output.isSocket();
    process.on('exit', () => this.#writeRest());
  }

  /** Takes a whole line with its line break. Never throws. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + this.#current.length + bytes > SHARED_LIMITS.unwrittenLog.value) {
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
      // It refuses instead of blocking. Lines logged until then are written with it.
      this.#state = 'gathering';
      setTimeout(() => this.#writeNow(), GATHERING_MS).unref();
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

  /** Takes all waiting lines for one system call. */
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
    if (this.#lost > 0 && this.#current.length === 0) this.#reportLost();
    this.#writeNext();
  }

  #later(error: NodeJS.ErrnoException): void {
    this.#state = 'resting';
    this.#reason = error.code ?? error.message;
    setTimeout(() => {
      this.#state = 'idle';
      this.#writeNext();
    }, RETRY_MS).unref();
  }

  #reportLost(): void {
    const [lines, reason] = [this.#lost, this.#reason];
    this.#lost = 0;
    pino({ base: null }, this).warn({ lines, reason }, 'log lines were lost: they could not be written');
  }

  /** Called at the end of the process. Node itself completes the write in progress. */
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
  // Accessing the stream also makes a pipe non-blocking.
  standard ??= new LogOutput(process.stdout.fd ?? 1);
  return standard;
}
