import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readRow, readRows } from '../../../ground/db/rows.ts';

/** A checkpoint that is stored outside the database, as recorded in the database. */
export type StoredCheckpoint = {
  readonly size: number;
  readonly root: Buffer;
  /** The signed note. */
  readonly note: string;
  readonly takenAt: Date;
} & CheckpointPlace;

/** Where a checkpoint is kept outside the database; null before this was recorded, and without a bucket. */
type CheckpointPlace = {
  readonly host: string | null;
  readonly folder: string | null;
  readonly bucket: string | null;
};

const kept = z.object({
  ...{ size: column.whole, root: column.bytes, note: z.string(), takenAt: column.instant },
  ...{ host: z.string().nullable(), folder: z.string().nullable(), bucket: z.string().nullable() },
});
const COLUMNS = 'size, root, note, taken_at as "takenAt", host, folder, bucket';

/** The newest checkpoint of a journal; null when there is none. */
export function newestCheckpoint(client: Queryable, environmentId: number): Promise<StoredCheckpoint | null> {
  return readRow(
    client,
    kept,
    `select ${COLUMNS} from journal_checkpoint
      where environment_id = $1 order by size desc limit 1`,
    [environmentId],
  );
}

/** The newest checkpoint of each journal, that of the installation first. */
export function newestCheckpoints(client: Queryable): Promise<StoredCheckpoint[]> {
  return readRows(
    client,
    kept,
    `${OF_ALL} select ${COLUMNS} from (
       select distinct on (environment_id) * from journal_checkpoint order by environment_id, size desc) as newest
      order by environment_id <> 0, environment_id`,
  );
}

/** Records that a checkpoint was stored; a second one of the same size has the same content. */
export async function addCheckpoint(
  client: Queryable,
  environmentId: number,
  { size, root, note, takenAt, host, folder, bucket }: StoredCheckpoint,
): Promise<void> {
  await execute(
    client,
    `insert into journal_checkpoint (environment_id, size, root, note, taken_at, host, folder, bucket)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [environmentId, size, root, note, takenAt, host, folder, bucket],
  );
}

/** The stored roots over each `SUBTREE` entries, from the first on, up to the first gap. */
export async function subtreeRoots(client: Queryable, environmentId: number): Promise<Buffer[]> {
  const shape = z.object({ place: column.whole, hash: column.bytes });
  const text = 'select place, hash from journal_subtree where environment_id = $1 order by place';
  const rows = await readRows(client, shape, { name: 'journal-subtrees', text }, [environmentId]);
  const gap = rows.findIndex(({ place }, index) => place !== index);
  return (gap < 0 ? rows : rows.slice(0, gap)).map(({ hash }) => hash);
}

/** Stores the roots over the next `SUBTREE` entries each, from the one at `first` on. They never change. */
export async function addSubtrees(
  client: Queryable,
  environmentId: number,
  first: number,
  hashes: readonly Buffer[],
): Promise<void> {
  if (hashes.length === 0) return;
  await execute(
    client,
    `insert into journal_subtree (environment_id, place, hash)
     select $1, $2::int + n - 1, hash from unnest($3::bytea[]) with ordinality as given (hash, n)
     on conflict do nothing`,
    [environmentId, first, hashes],
  );
}

/** The journals with this many entries or more after their last checkpoint, that of the installation first. */
export async function journalsBehind(client: Queryable, entries: number): Promise<number[]> {
  const rows = await readRows(
    client,
    z.object({ id: column.whole }),
    `${OF_ALL} select head.environment_id as id from journal_head head
       left join lateral (select size from journal_checkpoint kept
                           where kept.environment_id = head.environment_id order by size desc limit 1) last on true
      where head.position - coalesce(last.size, 0) >= $1 order by head.environment_id <> 0, head.environment_id`,
    [entries],
  );
  return rows.map(({ id }) => id);
}
