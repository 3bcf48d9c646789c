import { diskSpace } from '../../lib/disk-space.ts';
import { DATABASE_LIMITS } from '../limits.ts';

const MIB = 1024 * 1024;

/**
 * `max_connections`: the pool may have 200 (see config), and a worker and an operator's psql must still fit. Only server
 * errors are logged: the message of an ordinary error can contain a row, and rows contain personal data. Durability (fsync,
 * synchronous_commit, full_page_writes) keeps its default: on. `random_page_cost`: with the default, meant for rotating
 * disks, a foreign key whose table was analyzed when it had a few pages is checked by reading the whole table until the next
 * analysis; issuing of a young installation slowed from 640/s to 100/s within 10,000 invoices.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '240',
  shared_buffers: '128MB',
  random_page_cost: '1.1',
  log_min_messages: 'log',
};

/** The share of its disk for the write-ahead log between two checkpoints, and for temporary files of one session. */
const SHARE = 1 / 8;
/** Postgres' own default, used on large disks. */
const MAX_WAL_MIB = 1_024;
/** Four segments of 16 MiB: with fewer it would checkpoint continuously. */
const LEAST_WAL_MIB = 64;

/**
 * The settings with which the server is started. On a small disk the write-ahead log and temporary files are limited to a
 * share of it: with its defaults Postgres fills a disk of 260 MB with the log alone.
 */
export async function serverSettings(cluster: string): Promise<Record<string, string>> {
  const space = await diskSpace(cluster);
  const share = space === null ? MAX_WAL_MIB : Math.floor((space.totalBytes * SHARE) / MIB);
  const log = Math.max(LEAST_WAL_MIB, Math.min(MAX_WAL_MIB, share));
  return {
    ...SETTINGS,
    max_wal_size: `${log}MB`,
    // Segments kept for reuse, so that the log can continue for a while on a disk that others have filled.
    min_wal_size: `${Math.min(80, log / 2)}MB`,
    temp_file_limit: `${Math.min(DATABASE_LIMITS.temporaryFiles.value / MIB, share)}MB`,
  };
}
