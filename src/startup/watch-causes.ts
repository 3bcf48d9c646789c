import { isDatabaseFailure } from '../ground/db/condition/failures.ts';
import { CAUSES, type Cause, FIRST_STEPS, loudly } from '../ground/lib/causes.ts';
import type { Services } from '../services.ts';
import { standingCauses } from '../subjects/operations/standing-causes.ts';
import type { Closing } from './closing.ts';

/** The interval at which a process looks. */
const LOOK_MS = 5_000;
/** What has stood for so long is logged: a worker that is replaced is away for seconds. */
const STANDS_MS = 10_000;

/** Logged by whoever finds them: ground/db/condition/write-state.ts. */
const LOGGED_ELSEWHERE: readonly Cause[] = ['disk_full', 'read_only'];

type Watched = Pick<Services, 'db' | 'log' | 'certificates'>;

/** Logs what needs an operator when it has stood for some seconds, and when it is over; each once. */
export function watchCauses(services: Watched, closing: Closing): void {
  const watch = new CauseWatch(services);
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(() => watch.look(performance.now()));
  }, LOOK_MS);
  timer.unref();
  closing.add('watching causes', async () => {
    clearInterval(timer);
    await round;
  });
}

export class CauseWatch {
  readonly #services: Watched;
  /** Since when each was seen. */
  readonly #since = new Map<Cause, number>();
  readonly #logged = new Set<Cause>();

  constructor(services: Watched) {
    this.#services = services;
  }

  /** One look at the time `now`, in milliseconds. While the database is away nothing is known of them. */
  async look(now: number): Promise<void> {
    const { db, log } = this.#services;
    if (db.lineage.away !== null) return;
    const found = await standingCauses(this.#services).catch((error: Error) => {
      if (!isDatabaseFailure(error)) log.warn({ err: error }, 'what needs an operator cannot be read');
      return null;
    });
    if (found === null) return;
    for (const cause of found) {
      if (LOGGED_ELSEWHERE.includes(cause)) continue;
      if (!this.#since.has(cause)) this.#since.set(cause, now);
      if (this.#logged.has(cause) || now - this.#since.get(cause)! < STANDS_MS) continue;
      this.#logged.add(cause);
      log.error({ cause, action: FIRST_STEPS[cause] }, loudly(cause));
    }
    for (const cause of [...this.#since.keys()]) {
      if (found.includes(cause)) continue;
      this.#since.delete(cause);
      if (this.#logged.delete(cause)) log.warn({ cause }, `over: ${CAUSES[cause]}`);
    }
  }
}
