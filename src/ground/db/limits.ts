import type { Limit } from '../lib/limit.ts';

/** The limits of the database, its connections and the service's own Postgres. */
export const DATABASE_LIMITS = {
  diskReserve: {
    group: 'Database',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Free disk space that the service’s own Postgres needs to accept writes.',
    reason:
      'Four segments of the write-ahead log (16 MiB each): one that is being filled, one that is prepared, and two for what is written between two checks of the disk and for the checkpoint that frees the others. Without space for a segment Postgres stops.',
    beyond: 'writes are refused with 503 `service_unavailable`; reads continue',
  },
  diskRoomAgain: {
    group: 'Database',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Additional free space before writes are accepted again.',
    reason:
      'One more segment; otherwise the state would change with each segment that is created or removed.',
    beyond: 'writes are still refused',
  },
  temporaryFiles: {
    group: 'Database',
    value: 512 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'Temporary files of one session of the service’s own Postgres (sorts and joins that do not fit into memory); an eighth of the disk if that is less.',
    reason:
      'No statement of the service sorts a hundredth of it; a statement entered by hand must not fill the disk that all share.',
    beyond: 'the statement fails',
  },
  readingStatement: {
    group: 'Database',
    value: 5_000,
    unit: 'ms',
    bounds: 'One statement of a request that reads.',
    reason: 'The largest page takes half a second on a busy machine.',
    beyond: 'it is cancelled; 503 `service_unavailable`',
  },
  searchingStatement: {
    group: 'Database',
    value: 2_000,
    unit: 'ms',
    bounds: 'One statement of a search.',
    reason: 'A search that takes longer should be narrowed by time or customer; others search too.',
    beyond: 'it is cancelled; 503 `service_unavailable`',
  },
  changingStatement: {
    group: 'Database',
    value: 10_000,
    unit: 'ms',
    bounds: 'One statement of a transaction that issues or changes, except its COMMIT.',
    reason: 'It may wait 5 s for the lock of a chain.',
    beyond: 'it is cancelled and nothing is stored; 503 `service_unavailable`',
  },
  jobStatement: {
    group: 'Database',
    value: 60_000,
    unit: 'ms',
    bounds: 'One statement of a job.',
    reason: 'No caller waits for it, and it may read or delete a lot.',
    beyond: 'it is cancelled; the job is retried',
  },
  maintenanceStatement: {
    group: 'Database',
    value: 3_600_000,
    unit: 'ms',
    bounds: 'One statement of a migration, verification, export, import or command line.',
    reason: 'Building an index on the largest table takes less.',
    beyond: 'it is cancelled, and the operation that ran it ends',
  },
  connecting: {
    group: 'Database',
    value: 5_000,
    unit: 'ms',
    bounds:
      'Opening a connection to the database, up to the end of authentication. A standby has half a second, and what only monitors the database 3 s.',
    reason: 'A reachable host takes milliseconds; a failed one does not answer at all.',
    beyond: '503 `service_unavailable`; a process that starts tries again for ten minutes',
  },
  connectionWait: {
    group: 'Database',
    value: 15_000,
    unit: 'ms',
    bounds: 'Waiting for a free connection to the database in a process.',
    reason:
      'The longest statement of a request holds one for 14 s, including its cancellation, and jobs hold at most half of them: if none becomes free in this time, the database does not answer, or far more is requested than it can do.',
    beyond: '503 `service_unavailable`; a job is retried',
  },
  commit: {
    group: 'Database',
    value: 30_000,
    unit: 'ms',
    bounds:
      'A COMMIT; for kinds of work whose statements may take longer, as long as one of them. It is never cancelled: a server that waits for a standby would report success without one.',
    reason:
      'It takes milliseconds, and some seconds while a slow disk or the change of a standby delays it. After this time most callers have given up.',
    beyond:
      'the connection is closed and the database is asked for the outcome; 503 `service_unavailable` if it does not know it yet, and a retry with the same key gets the answer that was committed',
  },
} as const satisfies Record<string, Limit>;
