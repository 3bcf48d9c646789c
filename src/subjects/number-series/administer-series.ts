import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, readReason } from '../../ground/journal/audit-log.ts';
import { addSeries, findSeries, noteAct, removeSeries } from './manage-series.ts';
import type { SeriesRequest } from './request.ts';
import type { Series } from './series.ts';
import { lockSeries, replaceDefault } from './store.ts';

/** What operators do to the series of an environment, noted with who did it and why in the transaction that does it. */

/** Creates a series. Refuses as `createSeries` does, and a reason that is none with 400 `invalid_request`. */
export async function openSeries(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  environmentId: number,
  request: SeriesRequest,
): Promise<Outcome<Series>> {
  return noted(db, by, environmentId, 'create_number_series', (client) =>
    addSeries(client, environmentId, request),
  );
}

/** Deletes a series that was never used. Refuses as `deleteSeries` does. */
export async function dropSeries(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  environmentId: number,
  id: string,
): Promise<Outcome<Series>> {
  return noted(db, by, environmentId, 'delete_number_series', async (client) => {
    const series = await findSeries(client, environmentId, id);
    if (isRefusal(series)) return series;
    const removed = await removeSeries(client, environmentId, series);
    return isRefusal(removed) ? removed : series;
  });
}

/**
 * Makes a series the one that invoices, or rectificativas, go on when they name none, in place of the environment's
 * default of its type. Invoices that are being issued meanwhile stay on the one they began with. Refuses with 404
 * `number_series_not_found`, and `invalid_number_series` for that of imported invoices.
 */
export async function makeDefault(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  environmentId: number,
  id: string,
): Promise<Outcome<Series>> {
  return noted(db, by, environmentId, 'set_default_number_series', async (client) => {
    // One change at a time in an environment: of two defaults the unique index would refuse the second as a bug.
    await lockSeries(client, environmentId);
    const series = await findSeries(client, environmentId, id);
    if (isRefusal(series) || series.isDefault) return series;
    if (series.imported) {
      return new Refusal(
        'invalid_number_series',
        'The number series holds imported invoices and issues none.',
      );
    }
    await replaceDefault(client, environmentId, series);
    return { ...series, isDefault: true };
  });
}

async function noted(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  environmentId: number,
  action: string,
  work: (client: Queryable) => Promise<Outcome<Series>>,
): Promise<Outcome<Series>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client) => {
    const series = await work(client);
    if (isRefusal(series)) return series;
    await noteAct(client, { ...by, reason, action, environmentId }, series);
    return series;
  });
}
