import { diskSpace } from '../../lib/disk-space.ts';
import { LIMITS } from '../../lib/limits.ts';

const MIB = 1024 * 1024;

/**
 * `max_connections`: the pool may have 200 (see config), and a worker and an operator's psql must still fit.
 * Logged are faults of the server alone: an ordinary error's text can hold a row, and rows hold people's data.
 * Durability (fsync, synchronous_commit, full_page_writes) stays as it comes: on.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '240',
  shared_buffers: '128MB',
  log_min_messages: 'log',
};

/** The share of its disk that the write-ahead log may take between two checkpoints, and temporary files of one session. */
const SHARE = 1 / 8;
/** Postgres' own default, which a large disk keeps. */
const MOST_WAL_MIB = 1_024;
/** Four segments of 16 MiB: with fewer it does nothing but checkpoints. */
const LEAST_WAL_MIB = 64;

/**
 * With what the server is started. On a small disk the write-ahead log and temporary files are held to a share of it:
 * with its defaults Postgres fills a disk of 260 MB with nothing but log.
 */
export async function serverSettings(cluster: string): Promise<Record<string, string>> {
  const space = await diskSpace(cluster);
  const share = space === null ? MOST_WAL_MIB : Math.floor((space.totalBytes * SHARE) / MIB);
  const log = Math.max(LEAST_WAL_MIB, Math.min(MOST_WAL_MIB, share));
  return {
    ...SETTINGS,
    max_wal_size: `${log}MB`,
    // What it keeps for use again, so that the log goes on for a while on a disk that others have filled.
    min_wal_size: `${Math.min(80, log / 2)}MB`,
    temp_file_limit: `${Math.min(LIMITS.temporaryFiles.value / MIB, share)}MB`,
  };
}
