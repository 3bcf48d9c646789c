import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DiskSpace, diskSpace } from '../../lib/disk-space.ts';
import type { Logger } from '../../lib/logger.ts';
import type { WriteState } from '../condition/write-state.ts';
import { DATABASE_LIMITS } from '../limits.ts';
import { singleClient } from '../reachable-client.ts';

/**
 * The interval between two checks of the free space on that disk. A check is one system call. At its fastest, the
 * service writes about 10 MiB in this time, a sixth of the reserve.
 */
const DISK_LOOK = 250;

const MIB = 1024 * 1024;
const TIMEOUT_MS = 3_000;

/**
 * Monitors the disk of the cluster. Postgres panics when its write-ahead log finds no space, and then cannot read either.
 * Before that happens, all sessions are made read-only until there is space again. The remaining space is for the
 * write-ahead log, which reads also write to a little. Resolves after the first check, with a function that ends the watch.
 */
export async function watchDisk(options: {
  cluster: string;
  /** The superuser's URL. */
  url: string;
  writes: WriteState;
  log: Logger;
}): Promise<() => Promise<void>> {
  const { cluster, url, writes, log } = options;
  let applied = isReadOnly(cluster);
  let logged = '';
  const check = async (): Promise<void> => {
    const space = await diskSpace(cluster);
    const full = space !== null && isFull(space, applied);
    // Reported before it takes effect, so that the first refused write already has the reason.
    if (full) writes.setFull(true, figuresOf(space));
    try {
      if (applied !== full) await setReadOnly(url, full);
      applied = full;
      logged = '';
    } catch (error) {
      const reason = (error as Error).message;
      // Postgres is being restarted; the supervisor logs that.
      if (reason !== logged) log.debug({ reason }, 'setting whether Postgres accepts writes failed');
      logged = reason;
      return;
    }
    if (!full) writes.setFull(false, space === null ? {} : figuresOf(space));
  };
  await check();
  let checking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const later = () => {
    timer = setTimeout(() => {
      checking = check().then(later);
    }, DISK_LOOK);
    timer.unref();
  };
  later();
  return async () => {
    clearTimeout(timer);
    await checking;
    clearTimeout(timer);
  };
}

/** Writes resume only with some more free space than the threshold, otherwise the state would change with every file. */
function isFull({ freeBytes }: DiskSpace, before: boolean): boolean {
  return freeBytes < DATABASE_LIMITS.diskReserve.value + (before ? DATABASE_LIMITS.diskRoomAgain.value : 0);
}

function figuresOf({ freeBytes, totalBytes }: DiskSpace): object {
  return { freeMiB: Math.floor(freeBytes / MIB), totalMiB: Math.floor(totalBytes / MIB) };
}

/** A state left by an earlier service: Postgres stores it, so it outlives the service. */
function isReadOnly(cluster: string): boolean {
  return readFileSync(join(cluster, 'postgresql.auto.conf'), 'utf8').includes(
    'default_transaction_read_only',
  );
}

/** Throws if there is not enough space to start: Postgres writes more at start-up than its reads would be worth then. */
export async function refuseFullDisk(cluster: string): Promise<void> {
  const space = await diskSpace(cluster);
  if (space === null || !isFull(space, false)) return;
  const [free, needed] = [space.freeBytes, DATABASE_LIMITS.diskReserve.value].map((bytes) =>
    Math.floor(bytes / MIB),
  );
  throw new Error(
    `the disk of ${cluster} is full: ${free} MiB are free, and ${needed} MiB are needed to start`,
  );
}

/** For all sessions from their next transaction on. Transactions in progress end as they began. */
async function setReadOnly(url: string, readOnly: boolean): Promise<void> {
  const client = singleClient(url, { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
  try {
    await client.connect();
    await client.query('set default_transaction_read_only = off');
    if (readOnly) await client.query('alter system set default_transaction_read_only = on');
    else await client.query('alter system reset default_transaction_read_only');
    await client.query('select pg_reload_conf()');
    // Segments that the write-ahead log no longer needs are removed immediately.
    if (readOnly) await client.query('checkpoint').catch(() => {});
  } finally {
    await client.end().catch(() => {});
  }
}
