import type pg from 'pg';
import { z } from 'zod';
import type { Logger } from '../../lib/logger.ts';
import { readOneRow } from '../rows.ts';

/** Why the database takes no writes while it goes on answering reads. */
export type WritesRefused = 'disk_full' | 'read_only';

/** SQLSTATE disk_full, and read_only_sql_transaction: a standby, or a server that was told to take no more. */
const REFUSALS: Readonly<Record<string, WritesRefused>> = { '53100': 'disk_full', '25006': 'read_only' };

/** Why the database refused a write, when an error means that it did for want of room or takes none at all; else null. */
export function writesRefusedIn(error: unknown): WritesRefused | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' ? REFUSALS[code] : undefined) ?? writesRefusedIn(error.cause);
}

/** Whether an error means so. */
export function isRefusedWrite(error: unknown): boolean {
  return writesRefusedIn(error) !== null;
}

/** For so long after a write was refused it is taken to be still so. Nobody tries large writes just to find out. */
const BELIEVED_MS = 15_000;

/** A statement that began before writes were allowed again may still come back refused. */
const STRAGGLERS_MS = 2_000;

/**
 * Whether the database takes writes, as this process knows: from the watch over the disk of its own Postgres, and from
 * what its connections were told. The log is told once when that begins and once when it ends.
 */
export class WriteState {
  readonly #log: Logger;
  #full = false;
  #told: WritesRefused | null = null;
  #believedUntil = 0;
  #deafUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Null: writes are taken. */
  get refused(): WritesRefused | null {
    return this.#told;
  }

  /** What the watch over the disk says. `fields` go into the log. */
  setFull(full: boolean, fields: object): void {
    if (full === this.#full) return;
    this.#full = full;
    if (full) {
      this.#begin('disk_full', fields);
    } else {
      this.#deafUntil = performance.now() + STRAGGLERS_MS;
      this.#end(fields);
    }
  }

  /** Listens to what a connection is told. */
  listenTo(client: pg.ClientBase): void {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      const why = code === undefined ? undefined : REFUSALS[code];
      if (why !== undefined) this.#heard(why);
    });
  }

  #heard(why: WritesRefused): void {
    const now = performance.now();
    if (this.#full || now < this.#deafUntil) return;
    this.#believedUntil = now + BELIEVED_MS;
    // Of two causes within that time the latest counts.
    if (this.#told === why) return;
    this.#begin(why, {});
    this.#lookLater(BELIEVED_MS);
  }

  #lookLater(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#believedUntil - performance.now();
      if (left > 0) this.#lookLater(left);
      else this.#end({});
    }, milliseconds);
    this.#timer.unref();
  }

  #begin(why: WritesRefused, fields: object): void {
    clearTimeout(this.#timer);
    if (this.#told === null)
      this.#log.error({ why, ...fields }, 'THE DATABASE TAKES NO WRITES: reading goes on');
    this.#told = why;
  }

  #end(fields: object): void {
    if (this.#told !== null)
      this.#log.warn({ why: this.#told, ...fields }, 'the database takes writes again');
    this.#told = null;
  }
}

const readOnly = z.object({ on: z.boolean() });

/** The same for whoever asks from outside: also when no write has been tried here. Throws when the database is away. */
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
