import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import { nifLock } from '../../ground/db/nif-lock.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { checkRows, column, execute, readOneRow, readRows, runScript } from '../../ground/db/rows.ts';
import { sameAnyNumber } from '../../ground/db/same-number.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Issuer } from '../accounts/entry/caller.ts';
import { addDaysAgain } from '../invoices/compute-day-totals.ts';
import { importedSeries } from '../number-series/manage-series.ts';
import type { Numbering } from '../number-series/series.ts';
import type { PreparedRow } from './prepare-row.ts';
import { ImportUnderWay, type RefusedRow } from './source-row.ts';

/** The import of one file into one environment. */
export type RunKey = { readonly environmentId: number; readonly fileHash: Buffer };

const runStateRow = z.object({
  lastLine: column.whole,
  accepted: column.whole,
  refused: column.whole,
  finished: z.boolean(),
});

/** Its progress; it continues after `lastLine`. */
export type RunState = Readonly<z.output<typeof runStateRow>>;

/** Whether there is an environment of that number. */
export async function environmentExists(client: Queryable, environmentId: number): Promise<boolean> {
  return (await execute(client, 'select 1 from environment where id = $1', [environmentId])) === 1;
}

/** The run of this file, begun now or before. */
export async function openRun(db: Pick<Db, 'pool'>, { environmentId, fileHash }: RunKey): Promise<RunState> {
  await execute(
    db.pool,
    `insert into import_run (environment_id, file_hash, last_line, accepted, refused, started_at)
     values ($1, $2, 0, 0, 0, $3) on conflict do nothing`,
    [environmentId, fileHash, clock.now()],
  );
  return readOneRow(
    db.pool,
    runStateRow,
    `select last_line as "lastLine", accepted, refused, finished_at is not null as finished
       from import_run where environment_id = $1 and file_hash = $2`,
    [environmentId, fileHash],
  );
}

/** Stores the progress of a run. Throws `ImportUnderWay` when another process has changed it meanwhile. */
export async function saveProgress(
  client: Queryable,
  { environmentId, fileHash }: RunKey,
  before: RunState,
  after: RunState,
): Promise<void> {
  const moved = await execute(
    client,
    `update import_run set last_line = $4, accepted = $5, refused = $6, finished_at = $7
      where environment_id = $1 and file_hash = $2 and last_line = $3 and finished_at is null`,
    [
      environmentId,
      fileHash,
      before.lastLine,
      after.lastLine,
      after.accepted,
      after.refused,
      after.finished ? clock.now() : null,
    ],
  );
  if (moved !== 1) throw new ImportUnderWay('another process imports the same file');
}

/** If the process stops in the middle, the lock on the environment is released after this time. */
const IDLE_TIMEOUT = '10s';

const numberingRow = z.object({ prefix: z.string(), yearly: z.boolean() });

/**
 * Locks the environment and its NIF until the transaction ends: no series is created, so that a number which no
 * series could compose now stays free; and if external ids are given nobody issues, so that a free external id stays
 * free, as issuing relies on. Returns the series of all companies of the NIF, in environments of the kind.
 */
export async function lockNumbering(
  client: Queryable,
  environmentId: number,
  { externalIds }: { externalIds: boolean },
): Promise<Numbering[]> {
  const id = Math.trunc(environmentId);
  // The series are read once the lock is held.
  await execute(client, `set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'`);
  const results = await runScript(
    client,
    `select 1 from environment where id = ${id} for no key update;
     select ${nifLock('company.nif')} from environment join company on company.id = environment.company_id
      where environment.id = ${id};
     ${externalIds ? `select 1 from chain where environment_id = ${id} and closed_at is null for update;` : ''}
     select prefix, yearly from taken_prefix where (nif, kind) in (select company.nif, environment.kind
        from environment join company on company.id = environment.company_id where environment.id = ${id})`,
  );
  return checkRows(numberingRow, 'series of the environment', results.at(-1)!);
}

const STORE = {
  name: 'import-invoices',
  text: 'select id, issued_on::text from import_invoices($1, $2, $3, $4, $5)',
};

const storedRow = z.object({ id: z.string(), issued_on: column.day });

/**
 * Stores the rows whose numbers and external ids are free, each with its lines or not at all, and returns their
 * ids. Their documents are rendered on first request.
 */
export async function storeRows(
  client: Queryable,
  environmentId: number,
  issuer: Issuer,
  rows: readonly PreparedRow[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const common = {
    ...{ series_id: await importedSeries(client, environmentId), issuer },
    ...{ kind: 'original', currency: 'eur', imported: true, imported_at: clock.now() },
  };
  const list = (pick: (row: PreparedRow) => string) => `[${rows.map(pick).join(',')}]`;
  const stored = await readRows(client, storedRow, STORE, [
    ...[environmentId, JSON.stringify(common)],
    list((row) => row.invoice),
    list((row) => row.lines),
    list((row) => row.taxItems),
  ]);
  const days = stored.map(({ issued_on: day }) => day);
  if (days.length > 0) await addDaysAgain(client, environmentId, days);
  return new Set(stored.map(({ id }) => id));
}

const holdersRow = z.object({ number_of: z.string().nullable(), external_id_of: z.string().nullable() });

/** Why rows were not stored: the invoices with their number or external id. */
export async function explainConflicts(
  client: Queryable,
  environmentId: number,
  rows: readonly PreparedRow[],
): Promise<RefusedRow[]> {
  if (rows.length === 0) return [];
  const keys = rows.map(({ number, externalId }) => ({ number, external_id: externalId }));
  const found = await readRows(
    client,
    holdersRow,
    `select (select id from invoice
              where environment_id = $1 and ${sameAnyNumber('invoice.number', 'given.number')}
              order by invoice.number = given.number desc limit 1) as number_of,
            (select id from invoice
              where environment_id = $1 and invoice.external_id = given.external_id) as external_id_of
       from rows from (json_to_recordset($2) as (number text, external_id text)) with ordinality as given
      order by ordinality`,
    [environmentId, JSON.stringify(keys)],
  );
  return rows.map(({ line, number, externalId }, index): RefusedRow => {
    const { number_of, external_id_of } = found[index]!;
    if (number_of !== null) {
      return { line, code: 'number_already_used', reason: `invoice ${number_of} has the number ${number}` };
    }
    if (external_id_of === null) throw new Error(`line ${line} was not stored and nothing stands in its way`);
    const reason = `invoice ${external_id_of} has the external_id ${externalId}`;
    return { line, code: 'external_id_already_used', reason };
  });
}
