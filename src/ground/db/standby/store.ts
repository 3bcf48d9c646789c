import { z } from 'zod';
import type { Queryable } from '../queryable.ts';
import { column, execute, readOneRow } from '../rows.ts';

/** Positions in the write-ahead log are byte offsets from its beginning: below 2^53 up to 8 PiB of it. */
const BYTES = (position: string) => `(${position} - '0/0'::pg_lsn)::float8`;

/** Everything acknowledged is flushed; later writes of other transactions need not have been reported to anybody yet. */
const FLUSHED = BYTES('pg_current_wal_flush_lsn()');

const state = z.object({
  standby: z.boolean(),
  /** Null on a server that has replayed nothing since it started. */
  replayed: column.whole.nullable(),
  system: z.string(),
  /** When the last transaction that it replayed was committed, by the primary's clock; null if none since it started. */
  commit: column.instant.nullable(),
});

export type StandbyState = z.output<typeof state>;

/** Asked of the standby: whether it is one, of which cluster, and its position. */
export function standbyState(db: Queryable): Promise<StandbyState> {
  return readOneRow(
    db,
    state,
    `select pg_is_in_recovery() as standby, ${BYTES('pg_last_wal_replay_lsn()')} as replayed,
            (select system_identifier::text from pg_control_system()) as system,
            pg_last_xact_replay_timestamp() as commit`,
  );
}

const positions = z.object({
  /** The start time of the server: earlier notes may have been lost with it. */
  started: column.instant,
  flushed: column.whole,
  system: z.string(),
  noted: z.array(z.tuple([column.whole, column.whole])),
});

export type Positions = z.output<typeof positions>;

/** Asked of the primary: the notes for the environments, and for all of them (0), and its own position. */
export function readPositions(db: Queryable, environmentIds: readonly number[]): Promise<Positions> {
  return readOneRow(
    db,
    positions,
    {
      name: 'read-positions',
      text: `
        select pg_postmaster_start_time() as started, ${FLUSHED} as flushed,
               (select system_identifier::text from pg_control_system()) as system,
               coalesce((
                 select json_agg(json_build_array(environment_id, wal_position))
                   from read_position where environment_id = any($1::int[])
               ), '[]') as noted`,
    },
    [environmentIds],
  );
}

/**
 * Notes on the primary that everything written so far for the environments must be visible to their readers. The commit
 * does not wait for the disk: notes lost in a crash are covered by the server's start time.
 */
export async function recordPositions(db: Queryable, environmentIds: readonly number[]): Promise<void> {
  await execute(
    db,
    {
      name: 'note-positions',
      // In the same order everywhere, so that two processes that note the same environments do not deadlock.
      text: `
        with unhurried as materialized (
          select set_config('synchronous_commit', 'off', true) as set
        )
        insert into read_position (environment_id, wal_position)
        select id, ${FLUSHED}
          from unhurried, unnest($1::int[]) id where set = 'off' order by id
        on conflict (environment_id) do update set wal_position = excluded.wal_position
         where read_position.wal_position < excluded.wal_position`,
    },
    [[...new Set(environmentIds)].sort((one, other) => one - other)],
  );
}
