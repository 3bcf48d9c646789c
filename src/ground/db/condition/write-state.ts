import type pg from 'pg';
import { z } from 'zod';
import { loudly } from '../../lib/causes.ts';
import type { Logger } from '../../lib/logger.ts';
import { readOneRow } from '../rows.ts';

/** Why the database accepts no writes while it still answers reads. */
export type WritesRefused = 'disk_full' | 'read_only';

/** SQLSTATE disk_full, and read_only_sql_transaction: a standby, or a server that was set to read-only. */
const REFUSALS: Readonly<Record<string, WritesRefused>> = { '53100': 'disk_full', '25006': 'read_only' };

/** Why the database refused a write, if an error means that it has no space or accepts no writes; else null. */
export function writesRefusedIn(error: unknown): WritesRefused | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' ? REFUSALS[code] : undefined) ?? writesRefusedIn(error.cause);
}

/** Whether an error means that. */
export function isRefusedWrite(error: unknown): boolean {
  return writesRefusedIn(error) !== null;
}

/** After a refused write the state is assumed to last this long, so that no large writes are tried only to find out. */
const BELIEVED_MS = 15_000;

/** A statement that began before writes were allowed again may still be refused. */
const STRAGGLERS_MS = 2_000;

/**
 * Whether the database accepts writes, as this process knows from monitoring the disk of its own Postgres and from
 * parameter changes reported on its connections. Each change is logged once.
 */
export class WriteState {
  readonly #log: Logger;
  #full = false;
  #reported: WritesRefused | null = null;
  #believedUntil = 0;
  /** Refusals of these causes that arrive before then are of earlier statements (`performance.now()`). */
  readonly #ignoreUntil = { disk_full: 0, read_only: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Null: writes are accepted. */
  get refused(): WritesRefused | null {
    return this.#reported;
  }

  /** The finding of the disk watch. `fields` are logged. */
  setFull(full: boolean, fields: object): void {
    if (full === this.#full) return;
    this.#full = full;
    if (full) {
      this.#begin('disk_full', fields);
    } else {
      const until = performance.now() + STRAGGLERS_MS;
      Object.assign(this.#ignoreUntil, { disk_full: until, read_only: until });
      this.#end(fields);
    }
  }

  /** Another server took the place of the one that took no writes, and has been written to. */
  serverReplaced(): void {
    if (this.#reported !== 'read_only') return;
    clearTimeout(this.#timer);
    // A disk that is full is no refusal of the server that was replaced.
    this.#ignoreUntil.read_only = performance.now() + STRAGGLERS_MS;
    this.#end({});
  }

  /** Listens to parameter changes reported on a connection. */
  listenTo(client: pg.ClientBase): void {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      const refusal = code === undefined ? undefined : REFUSALS[code];
      if (refusal !== undefined) this.#refused(refusal);
    });
  }

  #refused(refusal: WritesRefused): void {
    const now = performance.now();
    if (this.#full || now < this.#ignoreUntil[refusal]) return;
    this.#believedUntil = now + BELIEVED_MS;
    // Of two causes within that time the latest counts.
    if (this.#reported === refusal) return;
    this.#begin(refusal, {});
    this.#scheduleCheck(BELIEVED_MS);
  }

  #scheduleCheck(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#believedUntil - performance.now();
      if (left > 0) this.#scheduleCheck(left);
      else this.#end({});
    }, milliseconds);
    this.#timer.unref();
  }

  #begin(refusal: WritesRefused, fields: object): void {
    clearTimeout(this.#timer);
    if (this.#reported === null)
      this.#log.error({ reason: refusal, ...fields }, `${loudly(refusal)}; reads continue`);
    this.#reported = refusal;
  }

  #end(fields: object): void {
    if (this.#reported !== null)
      this.#log.warn({ reason: this.#reported, ...fields }, 'the database accepts writes again');
    this.#reported = null;
  }
}

const readOnly = z.object({ on: z.boolean() });

/** The same for external checks: also if no write has been tried here. Throws if the database is unavailable. */
export async function writesRefused(db: {
  readonly pool: pg.Pool;
  readonly writes: WriteState;
}): Promise<WritesRefused | null> {
  if (db.writes.refused !== null) return db.writes.refused;
  const { on } = await readOneRow(
    db.pool,
    readOnly,
    `select current_setting('transaction_read_only') = 'on' as on`,
  );
  return on ? 'read_only' : null;
}
