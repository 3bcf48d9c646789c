import { z } from 'zod';
import type { Queryable } from './queryable.ts';
import { column, readOneRow } from './rows.ts';

const archiverRow = z.object({
  mode: z.string(),
  lastWal: z.string().nullable(),
  lastAt: column.instant.nullable(),
  secondsSince: z.number().nullable(),
  failing: z.boolean(),
  failedAt: column.instant.nullable(),
  /** The file that is being written; null on a standby. */
  currentWal: z.string().nullable(),
  segmentBytes: column.whole,
});

/** What a server says of the archiving of its write-ahead log. */
export type Archiving = Omit<z.output<typeof archiverRow>, 'lastWal' | 'currentWal' | 'segmentBytes'> & {
  /** Bytes of complete segments that are not in the archive; null where it cannot be known. */
  readonly gapBytes: number | null;
};

/** Reads it from `pg_stat_archiver`. Whether the archive still has what was put there, only its owner knows. */
export async function readArchiving(client: Queryable): Promise<Archiving> {
  const { lastWal, currentWal, segmentBytes, ...rest } = await readOneRow(
    client,
    archiverRow,
    `select current_setting('archive_mode') as mode, last_archived_wal as "lastWal", last_archived_time as "lastAt",
            extract(epoch from now() - last_archived_time)::float8 as "secondsSince",
            coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing,
            last_failed_time as "failedAt",
            case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as "currentWal",
            pg_size_bytes(current_setting('wal_segment_size')) as "segmentBytes"
       from pg_stat_archiver`,
  );
  const [last, current] = [segmentOf(lastWal, segmentBytes), segmentOf(currentWal, segmentBytes)];
  const gapBytes = last === null || current === null ? null : Math.max(0, current - last - 1) * segmentBytes;
  return { ...rest, gapBytes };
}

/** The number of a segment by the name of its file: timeline, then number in two parts of eight hexadecimal digits. */
function segmentOf(name: string | null, segmentBytes: number): number | null {
  if (name === null || !/^[0-9A-F]{24}/.test(name)) return null;
  const [high, low] = [name.slice(8, 16), name.slice(16, 24)].map((part) => Number.parseInt(part, 16));
  return high! * (2 ** 32 / segmentBytes) + low!;
}
