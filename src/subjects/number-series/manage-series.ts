import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import type { Claim } from '../idempotency/claim.ts';
import { ClaimLost, once, requestDigest, storedAnswer } from '../idempotency/keys.ts';
import { seriesEntry } from './journal-entries.ts';
import { isSeriesId, type SeriesRequest } from './request.ts';
import { countedPart, numbersCollide } from './series.ts';

/** A series as callers see it. */
export type Series = {
  readonly id: string;
  readonly prefix: string;
  readonly type: 'standard' | 'rectifying';
  readonly yearly: boolean;
  readonly isDefault: boolean;
  /** Holds what another system issued, and issues nothing. */
  readonly imported: boolean;
  readonly createdAt: Date;
};

const COLUMNS =
  'id, prefix, type::text, yearly, is_default as "isDefault", imported, created_at as "createdAt"';
/**
 * Creates a series, once for an idempotency key. `number_series_prefix_taken` or `number_series_numbering_collision`
 * when its numbers could be those of another series or of an imported invoice.
 */
export async function createSeries(
  db: Db,
  environmentId: number,
  request: SeriesRequest,
  { key, sent }: { key: string | null; sent: unknown },
): Promise<{ readonly outcome: Outcome<Series>; readonly replayed: boolean }> {
  const digest = () => requestDigest(sent);
  return once<Series>(
    db,
    { environmentId, key, operation: 'create_number_series', digest },
    (claim) => insertSeries(db, environmentId, request, claim),
    (answer) => {
      const series = answer as Series;
      // An answer that was kept by the version before does not say whether the series is of imported invoices.
      return { ...series, imported: series.imported ?? false, createdAt: new Date(series.createdAt) };
    },
  );
}

async function insertSeries(
  db: Db,
  environmentId: number,
  wanted: SeriesRequest,
  claim: Claim | null,
): Promise<Outcome<Series>> {
  return inTransaction<Outcome<Series>>(db.pool, async (client) => {
    const series = await addSeries(client, environmentId, wanted);
    if (isRefusal(series) || claim === null) return series;
    const { rowCount } = await client.query(
      `update idempotency_key set state = 'stored', answer = $3
        where environment_id = $1 and key = $2 and state = 'running' and token = $4`,
      [environmentId, claim.key, JSON.stringify(storedAnswer(series)), claim.token],
    );
    if (rowCount !== 1) throw new ClaimLost();
    return series;
  });
}

/** Creates a series on the caller's transaction; refuses as `createSeries` does. */
export async function addSeries(
  client: Queryable,
  environmentId: number,
  wanted: SeriesRequest,
): Promise<Outcome<Series>> {
  // One creation at a time in an environment, and none beside an import: no unique index can see these collisions.
  await client.query('select 1 from environment where id = $1 for no key update', [environmentId]);
  const { rows: others } = await client.query<Series>(
    `select ${COLUMNS} from number_series where environment_id = $1`,
    [environmentId],
  );
  const refusal = conflict(wanted, others) ?? (await importedConflict(client, environmentId, wanted));
  if (refusal !== null) return refusal;
  const series: Series = {
    id: newId('ns'),
    ...wanted,
    isDefault: false,
    imported: false,
    createdAt: clock.now(),
  };
  await client.query(
    `insert into number_series (id, environment_id, prefix, type, yearly, is_default, imported, created_at)
     values ($1, $2, $3, $4, $5, false, false, $6)`,
    [series.id, environmentId, series.prefix, series.type, series.yearly, series.createdAt],
  );
  await append(client, [seriesEntry(environmentId, 'number_series.created', series, series.createdAt)]);
  return series;
}

/** Nobody can ask for this prefix: theirs are in capitals. */
const IMPORTED_PREFIX = 'imported';

/**
 * The series of what another system issued, made with the first of it, on the caller's transaction, which has locked the
 * environment. It is never a default, and whoever names it to issue is refused.
 */
export async function importedSeries(client: Queryable, environmentId: number): Promise<string> {
  const { rows } = await client.query<Series & { made: boolean }>(
    `with made as (
       insert into number_series (id, environment_id, prefix, type, yearly, is_default, imported, created_at)
       select $2, $1, $3, 'standard', false, false, true, $4
        where not exists (select from number_series where environment_id = $1 and imported)
       returning *
     )
     select ${COLUMNS}, true as made from made
     union all select ${COLUMNS}, false from number_series where environment_id = $1 and imported`,
    [environmentId, newId('ns'), IMPORTED_PREFIX, clock.now()],
  );
  const { made, ...series } = rows[0]!;
  if (made) {
    await append(client, [seriesEntry(environmentId, 'number_series.created', series, series.createdAt)]);
  }
  return series.id;
}

function conflict(wanted: SeriesRequest, others: readonly Series[]): Refusal | null {
  if (others.some((other) => other.prefix === wanted.prefix)) {
    return new Refusal('number_series_prefix_taken', `The prefix ${wanted.prefix} is taken.`);
  }
  const rival = others.find((other) => numbersCollide(wanted, other));
  if (rival === undefined) return null;
  return new Refusal(
    'number_series_numbering_collision',
    `Numbers of ${wanted.prefix} could equal those of the series ${rival.prefix}.`,
  );
}

/** ASCII's next after `9`. */
const AFTER_DIGITS = ':';

/**
 * Whether an imported invoice has a number that the series could compose. Numbers with `<PREFIX>-` and a digit are a
 * range of the index on numbers in capitals; only they are looked at.
 */
async function importedConflict(
  client: Queryable,
  environmentId: number,
  { prefix, yearly }: SeriesRequest,
): Promise<Refusal | null> {
  const { rows } = await client.query<{ number: string }>(
    `select number from invoice
      where environment_id = $1 and imported and upper(number) ~>=~ $2 and upper(number) ~<~ $3
        and substr(upper(number), $4) ~ $5
      limit 1`,
    [environmentId, `${prefix}-0`, `${prefix}-${AFTER_DIGITS}`, prefix.length + 2, countedPart({ yearly })],
  );
  const found = rows[0];
  if (found === undefined) return null;
  return new Refusal(
    'number_series_numbering_collision',
    `Numbers of ${prefix} could equal that of the imported invoice ${found.number}.`,
  );
}

/** One series of the environment, or `number_series_not_found`. */
export async function findSeries(
  client: Queryable,
  environmentId: number,
  id: string,
): Promise<Outcome<Series>> {
  if (!isSeriesId(id)) return notFound();
  const { rows } = await client.query<Series>(
    `select ${COLUMNS} from number_series where environment_id = $1 and id = $2`,
    [environmentId, id],
  );
  return rows[0] ?? notFound();
}

function notFound(): Refusal {
  return new Refusal('number_series_not_found', 'No number series of this id exists in the environment.');
}

/** A page of the environment's series, newest first. An unknown `after` is `invalid_request`. */
export async function listSeries(
  db: Db,
  environmentId: number,
  page: { first: number; after: string | null; type: Series['type'] | null },
): Promise<Outcome<{ series: readonly Series[]; hasMore: boolean }>> {
  if (page.after !== null && isRefusal(await findSeries(db.pool, environmentId, page.after))) {
    return invalidField('after', 'invalid_value', 'names no number series of this environment');
  }
  const { rows } = await db.pool.query<Series>(
    `select ${COLUMNS} from number_series
      where environment_id = $1 and ($2::series_type is null or type = $2)
        and ($3::text is null or (created_at, id) < (
          select created_at, id from number_series where environment_id = $1 and id = $3))
      order by created_at desc, id desc limit $4`,
    [environmentId, page.type, page.after, page.first + 1],
  );
  return { series: rows.slice(0, page.first), hasMore: rows.length > page.first };
}

/** SQLSTATE of a row that others still refer to: until Postgres 17, and from 18 on. */
const STILL_REFERRED_TO = ['23503', '23001'];

/**
 * Deletes a series that was never used. `number_series_in_use` when invoices were issued on it, an integration uses
 * it, or it is a default; the foreign keys decide, so an invoice that is being issued meanwhile wins.
 */
export async function deleteSeries(db: Db, environmentId: number, id: string): Promise<Outcome<null>> {
  const series = await findSeries(db.pool, environmentId, id);
  if (isRefusal(series)) return series;
  return inTransaction(db.pool, (client) => removeSeries(client, environmentId, series));
}

/** The same for a series that was found, in a transaction; a refusal leaves it only to be rolled back. */
export async function removeSeries(
  client: Queryable,
  environmentId: number,
  series: Series,
): Promise<Outcome<null>> {
  const inUse = new Refusal('number_series_in_use', `The series ${series.prefix} is in use.`);
  if (series.isDefault) return inUse;
  try {
    // Before the journal is: who issues on the series meanwhile holds the chain, and will wait for the journal.
    await client.query('select 1 from chain where environment_id = $1 and closed_at is null for update', [
      environmentId,
    ]);
    const { rowCount } = await client.query(
      'delete from number_series where environment_id = $1 and id = $2',
      [environmentId, series.id],
    );
    if (rowCount !== 1) return notFound();
    await append(client, [seriesEntry(environmentId, 'number_series.deleted', series, clock.now())]);
    return null;
  } catch (error) {
    if (STILL_REFERRED_TO.includes((error as { code?: string }).code ?? '')) return inUse;
    throw error;
  }
}
