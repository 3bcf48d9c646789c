import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Db } from '../ground/db/client.ts';
import { isDatabaseFailure } from '../ground/db/condition/failures.ts';
import { isRefusedWrite } from '../ground/db/condition/write-state.ts';
import { type Examination, examine, type Measures, type ServerMark } from '../ground/db/examine.ts';
import { Heartbeat } from '../ground/db/heartbeat.ts';
import { isSuperseded } from '../ground/db/identities.ts';
import { loudly } from '../ground/lib/causes.ts';
import type { Logger } from '../ground/lib/logger.ts';
import { writeFileAtomically } from '../ground/lib/write-file.ts';
import { releaseAbandoned } from '../subjects/idempotency/keys.ts';
import { skipAcknowledged } from '../subjects/registration/counter-jump.ts';
import { holdAfterRestore } from '../subjects/registration/resume-after-restore.ts';
import type { Closing } from './closing.ts';
import { SERVICE_WAITS_MS } from './wait-for-database.ts';

/** A process that issues nothing detects a new server within this time; one that issues, at once. */
const HEARTBEAT_MS = 1_000;

/** While other processes still report what they acknowledged. */
const WAITING_MS = 200;

/** What is reported of a server on which a process cannot start. */
const NO_WRITES = 'no_writes';

/** A loss within a shorter time than this is not detected by the transaction number alone. */
const COUNT_MS = 10_000;

const mark = z.object({ origin: z.string(), beat: z.int() });

const MEASURES: Measures = { hold: holdAfterRestore, skipNumbers: skipAcknowledged };

type Observed = { readonly db: Db; readonly log: Logger };

type Options = {
  /** The file of the mark outside the database; null for none. */
  readonly dataDir: string | null;
  /** Whether this process acknowledges invoices. */
  readonly issues: boolean;
};

/**
 * Sends a heartbeat every second, and checks whether the database is still the same server: after a failover or a
 * restore it is examined before anything more is issued. Resolves after the first check, which must precede
 * issuing. While the database is unavailable this is logged once.
 */
export async function monitorDatabase(observed: Observed, options: Options, closing: Closing): Promise<void> {
  const monitor = new DatabaseMonitor(observed, options);
  await monitor.first();
  closing.add('monitoring the database', () => monitor.end());
}

class DatabaseMonitor {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #options: Options;
  readonly #heartbeat: Heartbeat;
  /** The migration of a newer version that was last logged; logged once. */
  #newer: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #deferred: Promise<void> = Promise.resolve();
  #round: Promise<boolean> | null = null;
  #counted = -Infinity;
  #ended = false;
  /** The server for which the connections to the previous one were closed. */
  #cutFor: string | null = null;
  /** The server for which the refusal to continue was last logged; logged once. */
  #reported: string | null = null;

  constructor({ db, log }: Observed, options: Options) {
    this.#db = db;
    this.#log = log;
    this.#options = options;
    this.#heartbeat = new Heartbeat(db.pool.options.connectionString!, db.lineage, options);
  }

  /** Checks until the server is one to issue on, and from then on every second. Throws if it is none for ten minutes. */
  async first(): Promise<void> {
    const deadline = performance.now() + SERVICE_WAITS_MS;
    while (!(await this.#once())) {
      if (performance.now() > deadline)
        throw new Error('there is no database to start on: it does not answer, or it accepts no writes');
      await pause(WAITING_MS);
    }
    await this.#deferred;
    // The first heartbeat on a server that was unknown until now left no row, by which others see that this process has died.
    await this.#heartbeat.beat();
    this.#db.lineage.alive = true;
    this.#db.lineage.onChange(() => this.#soon(0));
    this.#soon(HEARTBEAT_MS);
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#db.lineage.alive = false;
    await this.#round?.catch(() => {});
    await this.#deferred;
    await this.#heartbeat.end();
  }

  #soon(milliseconds: number): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), milliseconds);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    if (this.#round !== null) return;
    const settled = await this.#once().catch((error: Error) => {
      this.#log.error({ err: error }, 'the state of the database is not known');
      return true;
    });
    this.#soon(settled ? HEARTBEAT_MS : WAITING_MS);
  }

  /** One check; false when the server is not yet one to issue on. */
  async #once(): Promise<boolean> {
    this.#round = this.#check().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  async #check(): Promise<boolean> {
    const { lineage } = this.#db;
    try {
      const { identity, recorded } = await this.#heartbeat.beat();
      // Open connections lead to the previous server; some may never answer again.
      if (lineage.known !== null && identity !== lineage.knownOwn && this.#cutFor !== identity) {
        // Once: connections that callers have opened since lead to this server.
        this.#cutFor = identity;
        await this.#db.cut();
      }
      if (isSuperseded(identity, lineage.known)) return this.#replaced(identity);
      this.#back();
      this.#reportSchema();
      const changed = identity !== recorded || identity !== lineage.knownOwn;
      if (changed || performance.now() - this.#counted > COUNT_MS) return await this.#examine();
      this.#runDeferred();
      return true;
    } catch (error) {
      // The server answers; that it rejects writes was logged already. Only a writable server replaces another.
      if (isRefusedWrite(error)) {
        this.#back();
        if (lineage.known !== null) return true;
        // On the heartbeat's own connection, of which nothing else is logged.
        return this.#report(NO_WRITES, 'THE DATABASE ACCEPTS NO WRITES: starting waits until it does');
      }
      if (!isDatabaseFailure(error) && !/timeout/i.test((error as Error).message)) throw error;
      this.#away(error as Error);
      // Checked more often than usual: callers wait for it.
      return false;
    }
  }

  async #examine(): Promise<boolean> {
    const before = this.#db.lineage.known;
    const examination = await examineOnce({ db: this.#db, log: this.#log }, this.#options.dataDir);
    if (examination.kind === 'waiting')
      return this.#report('waiting', 'a standby took over: all processes compare it');
    if (examination.kind === 'left_behind') return this.#replaced(examination.at);
    this.#reported = null;
    this.#counted = performance.now();
    if (before !== null && before !== this.#db.lineage.known)
      this.#db.lineage.whenAvailable(0, () => releaseAbandoned(this.#db));
    // Not with the next beat: callers wait for their keys.
    this.#runDeferred();
    return true;
  }

  /** Not awaited by the check: the server of one environment may be away, or hang, while the others are used. */
  #runDeferred(): void {
    this.#deferred = this.#db.lineage.runDeferred().then((failures) => {
      for (const error of failures)
        if (!isDatabaseFailure(error)) this.#log.error({ err: error }, 'what waited for the database failed');
    });
  }

  /** It is not used; checked again every second, in case the URL leads to the right server by then. */
  #replaced(at: string): true {
    const { lineage } = this.#db;
    lineage.away ??= performance.now();
    const { known } = lineage;
    const message =
      'THE DATABASE THAT ANSWERS WAS REPLACED: it is not used. Restart this process if it is meant to be';
    this.#report(at, message, { at, known });
    return true;
  }

  #report(reason: string, message: string, fields: object = {}): false {
    if (this.#reported !== reason) this.#log.error(fields, message);
    this.#reported = reason;
    return false;
  }

  #reportSchema(): void {
    const { newerMigration: migration } = this.#db.lineage;
    if (migration === this.#newer) return;
    this.#newer = migration;
    if (migration === null) this.#log.warn('the schema of the database is known again: work continues');
    else
      this.#log.error(
        { migration },
        'A NEWER VERSION HAS MIGRATED THE DATABASE: this process answers 503 and runs no jobs. Replace it',
      );
  }

  #away(error: Error): void {
    const { lineage } = this.#db;
    if (lineage.away !== null) return;
    lineage.away = performance.now();
    this.#log.error(
      { reason: error.message },
      `${loudly('database_away')}: nothing can be issued or read until it is back`,
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

/** Examines the database against the mark in the file, writes a new mark, and logs the result. */
export async function examineOnce({ db, log }: Observed, dataDir: string | null): Promise<Examination> {
  const file = dataDir === null ? null : join(dataDir, 'database-mark.json');
  const found = await examine(db, file === null ? null : readMark(file), MEASURES);
  if (found.kind === 'waiting' || found.kind === 'left_behind') return found;
  if (file !== null) keepMark(file, found.mark, log);
  // A standby takes no writes until it is promoted: jobs would wait for seconds more because of what it refused.
  if (found.kind !== 'unchanged') db.writes.serverReplaced();
  const { doubt: reason, held } = found;
  if (reason === null) {
    if (found.kind === 'promoted') log.warn('a standby took over and is complete: issuing continues');
  } else if (found.kind === 'promoted') {
    log.error(
      { reason, chainsHeld: held },
      'A STANDBY TOOK OVER THAT MAY LACK RECORDS: live issuing is on hold until the agency was queried',
    );
  } else {
    log.error(
      { reason, chainsHeld: held },
      'THE DATABASE WAS RESTORED: live issuing is on hold until the agency was queried',
    );
  }
  return found;
}

/** If the disk is full the previous mark stays: a loss since then is not detected by the number alone. */
function keepMark(file: string, mark: ServerMark, log: Logger): void {
  try {
    writeFileAtomically(file, JSON.stringify(mark));
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the mark of the database cannot be stored');
  }
}

function readMark(file: string): ServerMark | null {
  try {
    return mark.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
