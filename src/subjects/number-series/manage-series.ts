import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { type Acting, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import type { Claim } from '../idempotency/claim.ts';
import { once, requestDigest, saveAnswer } from '../idempotency/keys.ts';
import { seriesEntry } from './journal-entries.ts';
import { isSeriesId, type SeriesRequest } from './request.ts';
import { type Numbering, numbersCollide, type Series } from './series.ts';
import { readSeries } from './store/read-series.ts';
import {
  deleteUnused,
  ensureImportedSeries,
  importedNumber,
  insertSeries,
  lockIssuing,
  lockNifOf,
  lockSeries,
  type NumberHolder,
  takenPrefixes,
} from './store.ts';

/**
 * Creates a series, once for an idempotency key. `number_series_prefix_taken` or
 * `number_series_numbering_collision` when its numbers could equal those of another series of the NIF, or of an
 * invoice that was imported for it, in live or in test each for itself. The creation is recorded in the audit log.
 */
export async function createSeries(
  db: Pick<Db, 'pool' | 'lineage'>,
  environmentId: number,
  request: SeriesRequest,
  { key, sent }: { key: string | null; sent: unknown },
  by: Acting | null = null,
): Promise<{ readonly outcome: Outcome<Series>; readonly replayed: boolean }> {
  const digest = () => requestDigest(sent);
  return once<Series>(
    db,
    { environmentId, key, operation: 'create_number_series', digest },
    (claim) => addOnce(db, environmentId, request, claim, by),
    (answer) => {
      const series = answer as Series;
      return { ...series, createdAt: new Date(series.createdAt) };
    },
  );
}

async function addOnce(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  request: SeriesRequest,
  claim: Claim | null,
  by: Acting | null,
): Promise<Outcome<Series>> {
  return inTransaction<Outcome<Series>>(db.pool, async (client) => {
    const series = await addSeries(client, environmentId, request);
    if (isRefusal(series)) return series;
    if (by !== null)
      await recordSeriesAction(client, { ...by, action: 'create_number_series', environmentId }, series);
    if (claim !== null) await saveAnswer(client, claim, series);
    return series;
  });
}

/** Records in the audit log what was done to a series, in the same transaction. */
export async function recordSeriesAction(
  client: Queryable,
  action: Acting & { readonly action: string; readonly environmentId: number },
  { id, prefix, type }: Series,
): Promise<void> {
  await addAuditEntry(client, { ...action, subject: id, details: { prefix, type } });
}

/** Creates a series in the caller's transaction; refuses as `createSeries` does. */
export async function addSeries(
  client: Queryable,
  environmentId: number,
  request: SeriesRequest,
): Promise<Outcome<Series>> {
  // One creation at a time for a NIF, and none during an import: no unique index can detect these collisions.
  await lockSeries(client, environmentId);
  const refusal = await collision(client, await lockNifOf(client, environmentId), [request]);
  if (refusal !== null) return refusal;
  const [created] = await storeSeries(client, environmentId, [request]);
  return created!;
}

/**
 * The refusal of series that collide with one of the NIF, with an invoice that was imported for it or with each
 * other; null when none does. The NIF must be locked.
 */
export async function collision(
  client: Queryable,
  holder: NumberHolder,
  requests: readonly SeriesRequest[],
): Promise<Refusal | null> {
  const taken = await takenPrefixes(client, holder);
  for (const [index, request] of requests.entries()) {
    const refusal =
      conflict(request, [...taken, ...requests.slice(0, index)]) ??
      (await importedConflict(client, holder, request));
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Creates series that collide with none, in their order. The environment and the NIF must be locked. */
export async function storeSeries(
  client: Queryable,
  environmentId: number,
  requests: readonly SeriesRequest[],
): Promise<Series[]> {
  const createdAt = clock.now();
  const created = requests.map((request) => ({ id: newId('ns'), ...request, imported: false, createdAt }));
  const defaults = await insertSeries(client, environmentId, created);
  const series = created.map((one): Series => ({ ...one, isDefault: defaults.has(one.id) }));
  const entries = series.map((one) => seriesEntry(environmentId, 'number_series.created', one, createdAt));
  await append(client, entries);
  return series;
}

/**
 * The series of imported invoices, created with the first of them in the caller's transaction, which has locked the
 * environment. It is never a default, and issuing in it is refused.
 */
export async function importedSeries(client: Queryable, environmentId: number): Promise<string> {
  const { isNew, ...series } = await ensureImportedSeries(client, environmentId, clock.now());
  if (isNew) {
    await append(client, [seriesEntry(environmentId, 'number_series.created', series, series.createdAt)]);
  }
  return series.id;
}

function conflict(request: SeriesRequest, others: readonly Numbering[]): Refusal | null {
  if (others.some((other) => other.prefix === request.prefix)) {
    return new Refusal('number_series_prefix_taken', `The prefix ${request.prefix} is taken.`);
  }
  const existing = others.find((other) => numbersCollide(request, other));
  if (existing === undefined) return null;
  return new Refusal(
    'number_series_numbering_collision',
    `Numbers of ${request.prefix} could equal those of the series ${existing.prefix}.`,
  );
}

/** The refusal of a series that could compose the number of an imported invoice. */
async function importedConflict(
  client: Queryable,
  holder: NumberHolder,
  request: SeriesRequest,
): Promise<Refusal | null> {
  const number = await importedNumber(client, holder, request);
  if (number === null) return null;
  return new Refusal(
    'number_series_numbering_collision',
    `Numbers of ${request.prefix} could equal that of the imported invoice ${number}.`,
  );
}

/** One series of the environment; refuses with `number_series_not_found`. */
export async function findSeries(
  client: Queryable,
  environmentId: number,
  id: string,
): Promise<Outcome<Series>> {
  if (!isSeriesId(id)) return notFound();
  return (await readSeries(client, environmentId, id)) ?? notFound();
}

function notFound(): Refusal {
  return new Refusal('number_series_not_found', 'No number series of this id exists in the environment.');
}

/** SQLSTATE of a row that others still refer to: until Postgres 17, and from 18 on. */
const STILL_REFERRED_TO = ['23503', '23001'];

/**
 * Deletes a series that was never used, in the caller's transaction, which must be rolled back after a refusal; returns what
 * was deleted. `number_series_in_use` when it has invoices, an integration uses it, or it is a default; the foreign keys
 * decide, so whatever begins to use it meanwhile takes precedence.
 */
export async function removeSeries(
  client: Queryable,
  environmentId: number,
  id: string,
): Promise<Outcome<Series>> {
  await lockSeries(client, environmentId);
  const series = await findSeries(client, environmentId, id);
  if (isRefusal(series)) return series;
  try {
    // Before the journal is locked: a concurrent issuer in the series holds the chain, and will wait for the
    // journal.
    await lockIssuing(client, environmentId);
    if (!(await deleteUnused(client, environmentId, series.id))) return notFound();
    await append(client, [seriesEntry(environmentId, 'number_series.deleted', series, clock.now())]);
    return series;
  } catch (error) {
    if (!STILL_REFERRED_TO.includes((error as { code?: string }).code ?? '')) throw error;
    return new Refusal('number_series_in_use', `The series ${series.prefix} is in use.`);
  }
}
