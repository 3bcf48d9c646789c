import type { Limit } from './limit.ts';

/** The limits of the database, its connections and the service's own Postgres; part of `LIMITS`. */
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
  diskLook: {
    group: 'Database',
    value: 250,
    unit: 'ms',
    bounds: 'The interval between two checks of the free space on that disk.',
    reason:
      'A check is one system call. At its fastest, the service writes about 10 MiB in this time, a sixth of the reserve.',
    beyond: 'the reserve is used',
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
  cancellation: {
    group: 'Database',
    value: 4_000,
    unit: 'ms',
    bounds: 'The answer to a statement after its cancellation was requested.',
    reason:
      'A server cancels within milliseconds, and within a second when its processors are busy; one that hangs, or is gone, never does.',
    beyond: 'the connection is closed, and its transaction with it; 503 `service_unavailable`',
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
  commitOutcome: {
    group: 'Database',
    value: 2_000,
    unit: 'ms',
    bounds:
      'Asking for the outcome of a COMMIT whose connection was lost; a question that was sent by then is waited for.',
    reason: 'A session that has lost its client ends within moments; no caller waits longer for an answer.',
    beyond: '503 `service_unavailable`; the idempotency key is resolved when the database answers',
  },
  keepalive: {
    group: 'Database',
    value: 10_000,
    unit: 'ms',
    bounds:
      'How long nothing arrives on a connection before its host is probed (TCP keepalive, then ten probes a second apart).',
    reason:
      'Only connections that wait are probed: for notifications, a COMMIT or a long statement. A host that is gone is noticed after 20 s, where the system’s default is two hours.',
    beyond: 'the connection is closed',
  },
  connectionEnd: {
    group: 'Database',
    value: 2_000,
    unit: 'ms',
    bounds: 'An orderly end of a connection.',
    reason: 'The server answers it at once; nothing is in progress on it.',
    beyond: 'it is closed without the server’s answer',
  },
  awaitedDatabase: {
    group: 'Database',
    value: 600_000,
    unit: 'ms',
    bounds:
      'How long a process that starts waits for a database that answers and accepts writes. A command does not wait.',
    reason:
      'A promotion, recovery or restart of a primary is over by then; after that an operator has to look.',
    beyond: 'the start fails with a message',
  },
  startAfterSignal: {
    group: 'Database',
    value: 5_000,
    unit: 'ms',
    bounds: 'How long a process that is told to stop while it starts continues with that.',
    reason:
      'A step that is about to end does so in order. Others may last: a migration, also of another process, a recovery, or a database that hangs. Each step can be repeated.',
    beyond: 'the start is abandoned, and what it has opened is closed',
  },
  clusterCreation: {
    group: 'Database',
    value: 120_000,
    unit: 'ms',
    bounds: 'The creation of the databases of the service’s own Postgres at the first start (initdb).',
    reason: 'It takes a second, and half a minute on a slow disk.',
    beyond: 'it is killed, and the start fails with a message',
  },
  postgresStop: {
    group: 'Database',
    value: 8_000,
    unit: 'ms',
    bounds:
      'The time that the service’s own Postgres may take for an orderly shutdown, when the service stops or when a server left over from an earlier process is found.',
    reason:
      'It writes at most 128 MB of buffers; together with requests (15 s) and jobs (10 s) this fits into the 40 s of a shutdown.',
    beyond: 'it is stopped immediately (SIGQUIT); the next start recovers from the write-ahead log',
  },
  postgresQuit: {
    group: 'Database',
    value: 3_000,
    unit: 'ms',
    bounds: 'The time that an immediate shutdown may take.',
    reason:
      'Nothing is written then; if it takes longer, the server hangs, for example on a disk that does not respond.',
    beyond: 'it is killed (SIGKILL)',
  },
  postgresKill: {
    group: 'Database',
    value: 2_000,
    unit: 'ms',
    bounds: 'The time to wait for a killed Postgres and its children, which exit by themselves.',
    reason: 'The kernel ends it within milliseconds unless it waits for a device.',
    beyond: 'the shutdown or the start fails with a message',
  },
} as const satisfies Record<string, Limit>;
