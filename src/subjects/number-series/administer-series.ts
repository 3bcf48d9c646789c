import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Acting, type ActorAndReason, readReason } from '../../ground/journal/audit-log.ts';
import { addSeries, findSeries, recordSeriesAction, removeSeries } from './manage-series.ts';
import type { SeriesRequest } from './request.ts';
import type { Series } from './series.ts';
import { readSeriesWithIssuer } from './store/read-series.ts';
import { lockIssuing, lockSeries, replaceDefault } from './store.ts';

/**
 * Administration of the series of an environment. The audit log records who did it and why, in the same
 * transaction.
 */

/** Creates a series. Refuses as `createSeries` does, and refuses an invalid reason with 400 `invalid_request`. */
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

/** Deletes a series that was never used, and returns it. 404 `number_series_not_found`, 409 `number_series_in_use`. */
export async function dropSeries(
  db: Pick<Db, 'pool'>,
  by: Acting,
  environmentId: number,
  id: string,
): Promise<Outcome<Series>> {
  return noted(db, by, environmentId, 'delete_number_series', (client) =>
    removeSeries(client, environmentId, id),
  );
}

/**
 * Makes a series the environment's default of its type, which invoices or rectificativas use when they name none.
 * Invoices that are being issued meanwhile stay in the previous one. Refuses with 404 `number_series_not_found`,
 * and with `invalid_number_series` for the series of imported invoices and for that of somebody who issues in the company's name.
 */
export async function makeDefault(
  db: Pick<Db, 'pool'>,
  by: Acting,
  environmentId: number,
  id: string,
): Promise<Outcome<Series>> {
  return noted(db, by, environmentId, 'set_default_number_series', async (client) => {
    // Before it is read: a series that somebody is deleting either is gone by then or stays, as a default.
    await lockSeries(client, environmentId);
    // Nor does somebody who issues in the company's name take it meanwhile.
    await lockIssuing(client, environmentId);
    const series = await findSeries(client, environmentId, id);
    if (isRefusal(series) || series.isDefault) return series;
    if (series.imported) {
      return new Refusal(
        'invalid_number_series',
        'The number series holds imported invoices and issues none.',
      );
    }
    const found = await readSeriesWithIssuer(client, environmentId, id);
    if (found?.issuer?.taxId != null) {
      return new Refusal(
        'invalid_number_series',
        'The number series is that of somebody who issues in the company’s name (RD 1619/2012 art. 6.1.a).',
      );
    }
    await replaceDefault(client, environmentId, id);
    return { ...series, isDefault: true };
  });
}

async function noted(
  db: Pick<Db, 'pool'>,
  by: Acting,
  environmentId: number,
  action: string,
  work: (client: Queryable) => Promise<Outcome<Series>>,
): Promise<Outcome<Series>> {
  const reason = by.reason === null ? null : readReason({ reason: by.reason });
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client) => {
    const series = await work(client);
    if (isRefusal(series)) return series;
    await recordSeriesAction(client, { ...by, reason, action, environmentId }, series);
    return series;
  });
}
