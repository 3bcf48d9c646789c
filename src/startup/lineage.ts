import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Db } from '../ground/db/client.ts';
import { isDatabaseFailure } from '../ground/db/condition/failures.ts';
import { isRefusedWrite } from '../ground/db/condition/write-state.ts';
import { type Examination, examine, type Measures, type ServerMark } from '../ground/db/examine.ts';
import { Heartbeat } from '../ground/db/heartbeat.ts';
import type { Logger } from '../ground/lib/logger.ts';
import { writeFileAtomically } from '../ground/lib/write-file.ts';
import { releaseForgotten } from '../subjects/idempotency/keys.ts';
import { skipAcknowledged } from '../subjects/registration/counter-jump.ts';
import { holdAfterRestore } from '../subjects/registration/resume-after-restore.ts';
import type { Closing } from './closing.ts';

/** A new server is found within this time by a process that issues nothing; by one that issues, at once. */
const BEAT_MS = 1_000;

/** While other processes still compare what they acknowledged. */
const WAITING_MS = 200;

/** What is lost with a shorter time than this is not noticed by the number alone. */
const COUNT_MS = 10_000;

const mark = z.object({ origin: z.string(), beat: z.int() });

const MEASURES: Measures = { hold: holdAfterRestore, skipNumbers: skipAcknowledged };

type Watched = { readonly db: Db; readonly log: Logger };

type Options = {
  /** Where the mark is kept beside the database; null keeps none. */
  readonly dataDir: string | null;
  /** Whether this process acknowledges invoices. */
  readonly issues: boolean;
};

/**
 * Says every second that this process lives, and looks whether the database is still the one that it was: when a
 * standby has taken over, or a backup was restored, it is examined before anything more is issued. Resolves after the
 * first look, which is to be taken before anything is issued. While the database is away it says so, once.
 */
export async function watchDatabase(watched: Watched, options: Options, closing: Closing): Promise<void> {
  const watch = new DatabaseWatch(watched, options);
  await watch.first();
  closing.add('watching the database', () => watch.end());
}

class DatabaseWatch {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #options: Options;
  readonly #heartbeat: Heartbeat;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<boolean> | null = null;
  #counted = -Infinity;
  #ended = false;
  /** The server of which it was last said that it is not gone on with; said once. */
  #told: string | null = null;

  constructor({ db, log }: Watched, options: Options) {
    this.#db = db;
    this.#log = log;
    this.#options = options;
    this.#heartbeat = new Heartbeat(db.pool.options.connectionString!, db.lineage, options);
  }

  /** Looks until the server is one to issue on, and from then on every second. */
  async first(): Promise<void> {
    while (!(await this.#once())) await pause(WAITING_MS);
    this.#db.lineage.alive = true;
    this.#db.lineage.onChange(() => this.#soon(0));
    this.#soon(BEAT_MS);
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#db.lineage.alive = false;
    await this.#round?.catch(() => {});
    await this.#heartbeat.end();
  }

  #soon(milliseconds: number): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#go(), milliseconds);
    this.#timer.unref();
  }

  async #go(): Promise<void> {
    if (this.#round !== null) return;
    const settled = await this.#once().catch((error: Error) => {
      this.#log.error({ err: error }, 'the state of the database is not known');
      return true;
    });
    this.#soon(settled ? BEAT_MS : WAITING_MS);
  }

  /** One look; false when the server is not yet one to issue on. */
  async #once(): Promise<boolean> {
    this.#round = this.#look().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  async #look(): Promise<boolean> {
    const { lineage } = this.#db;
    try {
      const { identity, recorded } = await this.#heartbeat.beat();
      this.#back();
      const changed = identity !== recorded || identity !== lineage.known;
      // What is open leads to the server before; some of it may never answer again.
      if (lineage.known !== null && identity !== lineage.known && this.#told === null) this.#db.cut();
      if (changed || performance.now() - this.#counted > COUNT_MS) return await this.#examine();
      await lineage.runDeferred();
      return true;
    } catch (error) {
      // It answers; that it takes no writes has been said. Another server takes its place only once it does.
      if (isRefusedWrite(error)) {
        this.#back();
        return lineage.known !== null;
      }
      if (!isDatabaseFailure(error) && !/timeout/i.test((error as Error).message)) throw error;
      this.#away(error as Error);
      // Asked more often than in good times: callers wait for it.
      return false;
    }
  }

  async #examine(): Promise<boolean> {
    const before = this.#db.lineage.known;
    const examination = await examineOnce({ db: this.#db, log: this.#log }, this.#options.dataDir);
    if (examination.kind === 'waiting')
      return this.#tell('waiting', 'a standby took over: all processes compare it');
    if (examination.kind === 'left_behind') {
      const { at, known } = examination;
      this.#tell(
        at,
        'THE DATABASE THAT ANSWERS WAS REPLACED: nothing is issued on it. Restart this process if it is meant to be used',
        { at, known },
      );
      // Seen again every second, in case the way leads to the right one by then.
      return true;
    }
    this.#told = null;
    this.#counted = performance.now();
    if (before !== null && before !== this.#db.lineage.known) await releaseForgotten(this.#db);
    return true;
  }

  #tell(what: string, words: string, fields: object = {}): false {
    if (this.#told !== what) this.#log.error(fields, words);
    this.#told = what;
    return false;
  }

  #away(error: Error): void {
    const { lineage } = this.#db;
    if (lineage.away !== null) return;
    lineage.away = performance.now();
    this.#log.error(
      { reason: error.message },
      'THE DATABASE IS AWAY: nothing can be issued or read until it is back',
    );
  }

  #back(): void {
    const { lineage } = this.#db;
    if (lineage.away === null) return;
    const seconds = Math.round((performance.now() - lineage.away) / 1_000);
    lineage.away = null;
    this.#log.warn({ seconds }, 'the database is back');
  }
}

/** Examines the database against the mark that was left beside it, leaves another, and says what was found. */
export async function examineOnce({ db, log }: Watched, dataDir: string | null): Promise<Examination> {
  const file = dataDir === null ? null : join(dataDir, 'database-mark.json');
  const found = await examine(db, file === null ? null : readMark(file), MEASURES);
  if (found.kind === 'waiting' || found.kind === 'left_behind') return found;
  if (file !== null) keepMark(file, found.mark, log);
  const { doubt: why, held } = found;
  if (why === null) {
    if (found.kind === 'promoted') log.warn('a standby took over and lacks nothing: issuing goes on');
  } else if (found.kind === 'promoted') {
    log.error(
      { why, held },
      'A STANDBY TOOK OVER THAT MAY LACK RECORDS: live issuing is held until the agency has been asked',
    );
  } else {
    log.error(
      { why, held },
      'THE DATABASE WAS RESTORED: live issuing is held until the agency has been asked',
    );
  }
  return found;
}

/** Without room for it the mark before stays: what is lost then is not noticed by the number alone. */
function keepMark(file: string, kept: ServerMark, log: Logger): void {
  try {
    writeFileAtomically(file, JSON.stringify(kept));
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the mark of the database cannot be kept');
  }
}

function readMark(file: string): ServerMark | null {
  try {
    return mark.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
