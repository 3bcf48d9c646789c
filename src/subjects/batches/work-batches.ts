import { isDatabaseFailure } from '../../ground/db/condition/failures.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { beginTurn } from '../../ground/lib/turn.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { readScope } from '../accounts/store/read-callers.ts';
import type { ReadyInvoice } from '../issuing/issue-invoice.ts';
import type { Batching } from './batching.ts';
import {
  chunksToIssue,
  isCorrection,
  issueReady,
  outcomeForHolder,
  PENDING_PAGE,
  prepareItem,
  type ReadItem,
  readItem,
} from './issue-item.ts';
import { BATCH_LIMITS } from './limits.ts';
import type { Batch, Settled } from './shapes.ts';
import { recordOutcomes, recordStall } from './store/batches.ts';
import { readHolders, readOpenBatch, readPending } from './store/read-batches.ts';

/** More would only take connections from requests with a waiting client. */
const CHECKED_AT_ONCE = 8;
/**
 * The delay before an invoice that was refused for a temporary reason is tried again: the time that it has waited
 * already, within these bounds.
 */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [1_000, 30_000];

/**
 * Issues the waiting invoices of an environment's batches, the oldest batch first and each in its order, for the
 * time of one turn. After a crash it continues from what is stored. Returns when to run again: at once when the
 * turn was over, later while the next invoice cannot be issued yet; null when nothing waits.
 */
export async function workBatches(
  services: Batching,
  environmentId: number,
  signal: AbortSignal | undefined,
): Promise<Date | null> {
  const { pool } = services.db;
  const isOver = beginTurn(signal);
  for (;;) {
    const batch = await readOpenBatch(pool, environmentId);
    if (batch === null) return null;
    const scope = await readScope(pool, environmentId);
    const stalled = await new Work(services, scope, batch).run(isOver);
    if (stalled) return retryAt((await readOpenBatch(pool, environmentId)) ?? batch);
    if (isOver()) return clock.now();
  }
}

function retryAt({ stalledSince }: Batch): Date {
  const now = clock.now().getTime();
  const waited = stalledSince === null ? 0 : now - stalledSince.getTime();
  return new Date(now + Math.min(LAST_RETRY_MS, Math.max(FIRST_RETRY_MS, waited)));
}

type Prepared = { readonly item: ReadItem; readonly outcome: Outcome<ReadyInvoice | string> };

/** One turn on one batch. */
class Work {
  readonly #services: Batching;
  readonly #scope: Scope;
  readonly #batch: Batch;
  /** After this time temporary refusals of a batch are final like any others. */
  #mayRetry: boolean;
  /**
   * The write of results that is in progress. It may lag behind: issued invoices are recognized by their id
   * (`outcomeForHolder`).
   */
  #noting: Promise<void> = Promise.resolve();

  constructor(services: Batching, scope: Scope, batch: Batch) {
    this.#services = services;
    this.#scope = scope;
    this.#batch = batch;
    const { stalledSince } = batch;
    const waited = stalledSince === null ? 0 : clock.now().getTime() - stalledSince.getTime();
    this.#mayRetry = waited < BATCH_LIMITS.batchPatience.value;
  }

  /** Continues until the turn is over or nothing waits; true when it cannot continue for now. */
  async run(isOver: () => boolean): Promise<boolean> {
    try {
      return await this.#work(isOver);
    } finally {
      await this.#noting;
    }
  }

  /**
   * One group is checked while another is committed and the results of a third are written.
   */
  async #work(isOver: () => boolean): Promise<boolean> {
    let committing: Promise<boolean> = Promise.resolve(false);
    for (let after = 0; !isOver(); ) {
      const items = await this.#next(after);
      if (items.length === 0) break;
      after = items.at(-1)!.position;
      for (const stretch of chunksToIssue(items)) {
        // Everything that a rectificativa may correct must be committed before it is checked.
        if (isCorrection(stretch[0]!) && (await committing)) return true;
        const prepared = await this.#prepare(stretch).catch(async (error: unknown) => {
          await committing;
          throw error;
        });
        if (await committing) return true;
        committing = this.#commit(prepared);
        // It is awaited in the next round; the handler keeps its failure until then from being an unhandled
        // rejection.
        committing.catch(() => {});
      }
    }
    return committing;
  }

  async #next(after: number): Promise<ReadItem[]> {
    const { pool } = this.#services.db;
    const items = await readPending(pool, this.#scope.environmentId, this.#batch.id, {
      after,
      max: PENDING_PAGE,
    });
    return items.map(readItem);
  }

  /** Items issued before, and external_ids of others, are settled at once; the rest is checked. */
  async #prepare(items: readonly ReadItem[]): Promise<Prepared[]> {
    const holders = await this.#holders(items);
    const prepared: Prepared[] = [];
    const remaining = items.entries();
    const checkNext = async (): Promise<void> => {
      for (const [index, item] of remaining) {
        const holder = holders.get(item.externalId);
        const outcome =
          holder === undefined
            ? await this.#safely(() => prepareItem(this.#services, this.#scope, item))
            : outcomeForHolder(item, holder);
        prepared[index] = { item, outcome };
      }
    };
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, checkNext));
    return prepared;
  }

  async #holders(items: readonly ReadItem[]) {
    const externalIds = items.map(({ externalId }) => externalId);
    const holders = await readHolders(this.#services.db.pool, this.#scope.environmentId, externalIds);
    return new Map(holders.map((holder) => [holder.externalId, holder]));
  }

  /**
   * Commits a group in its order, up to the first item that cannot be issued yet, and starts to write the results.
   */
  async #commit(prepared: readonly Prepared[]): Promise<boolean> {
    const first = prepared.findIndex(({ outcome }) => this.#passes(outcome));
    const ready = first < 0 ? prepared : prepared.slice(0, first);
    const ends = await Promise.allSettled(ready.map((one) => this.#issue(one)));
    const outcomes = ends.flatMap((end, index) =>
      end.status === 'fulfilled' ? [{ item: ready[index]!.item, outcome: end.value }] : [],
    );
    const settled = await this.#resolved(outcomes.filter(({ outcome }) => !this.#passes(outcome)));
    const { environmentId } = this.#scope;
    const { pool } = this.#services.db;
    await this.#noting;
    if (settled.length > 0) {
      this.#noting = recordOutcomes(pool, environmentId, this.#batch.id, settled, clock.now());
      // It is awaited before further results are written and before the turn ends.
      this.#noting.catch(() => {});
    }
    if (settled.some(({ state }) => state === 'issued')) this.#mayRetry = true;
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    if (settled.length === prepared.length) return false;
    await this.#noting;
    await recordStall(pool, environmentId, this.#batch.id, clock.now());
    return true;
  }

  #issue({ outcome }: Prepared): Promise<Outcome<string>> {
    if (isRefusal(outcome) || typeof outcome === 'string') return Promise.resolve(outcome);
    return this.#safely(() => issueReady(this.#services, outcome));
  }

  /**
   * The external_id may have been taken while the item was checked: by another request, or by an earlier attempt of
   * this item.
   */
  async #resolved(
    outcomes: readonly { readonly item: ReadItem; readonly outcome: Outcome<string> }[],
  ): Promise<Settled[]> {
    const accepted = outcomes.filter(
      ({ outcome }) => isRefusal(outcome) && outcome.code === 'external_id_already_used',
    );
    const holders = accepted.length === 0 ? null : await this.#holders(accepted.map(({ item }) => item));
    return outcomes.map(({ item, outcome }) => {
      const holder = isRefusal(outcome) ? holders?.get(item.externalId) : undefined;
      return settledAs(item, holder === undefined ? outcome : outcomeForHolder(item, holder));
    });
  }

  /** Whether the reason for the refusal is temporary and there is time left to wait. */
  #passes(outcome: Outcome<unknown>): boolean {
    return this.#mayRetry && isRefusal(outcome) && outcome.status === 503;
  }

  /** An unexpected failure concerns that item alone, unless it is a failure of the database, which concerns all. */
  async #safely<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    try {
      return await work();
    } catch (error) {
      if (isDatabaseFailure(error)) throw error;
      this.#services.log.error({ err: error, batch: this.#batch.id }, 'an invoice of a batch failed');
      return new Refusal('internal_error', 'Something failed that should not have. Nothing was issued.');
    }
  }
}

function settledAs({ position }: ReadItem, outcome: Outcome<string>): Settled {
  if (!isRefusal(outcome)) return { position, state: 'issued', invoiceId: outcome };
  const { code, detail, errors } = outcome;
  return { position, state: 'failed', refusal: { code, detail, errors: [...errors] } };
}
