import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type DiskSpace, diskSpace } from '../../lib/disk-space.ts';
import { LIMITS } from '../../lib/limits.ts';
import type { Logger } from '../../lib/logger.ts';
import type { WriteState } from '../condition/write-state.ts';

const MIB = 1024 * 1024;
const PATIENCE_MS = 3_000;

/**
 * Watches the disk that the cluster is on. Postgres panics when its log finds no room, and nothing is read any more; so
 * before it comes to that, every session is made read-only, whoever's it is, until there is room again. What is then
 * left serves the log: reading writes a little of it, too. Resolves after the first look, with what ends the watch.
 */
export async function watchDisk(options: {
  cluster: string;
  /** The superuser's. */
  url: string;
  writes: WriteState;
  log: Logger;
}): Promise<() => Promise<void>> {
  const { cluster, url, writes, log } = options;
  let applied = isReadOnly(cluster);
  let told = '';
  const look = async (): Promise<void> => {
    const space = await diskSpace(cluster);
    const full = space !== null && isFull(space, applied);
    // Said before it is so: whoever asks meanwhile learns of it from the first refusal on.
    if (full) writes.setFull(true, figuresOf(space));
    try {
      if (applied !== full) await setReadOnly(url, full);
      applied = full;
      told = '';
    } catch (error) {
      const reason = (error as Error).message;
      // Postgres is being started again; what there is to be said of that is said there.
      if (reason !== told) log.debug({ reason }, 'Postgres cannot be told whether to take writes');
      told = reason;
      return;
    }
    if (!full) writes.setFull(false, space === null ? {} : figuresOf(space));
  };
  await look();
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const later = () => {
    timer = setTimeout(() => {
      looking = look().then(later);
    }, LIMITS.diskLook.value);
    timer.unref();
  };
  later();
  return async () => {
    clearTimeout(timer);
    await looking;
    clearTimeout(timer);
  };
}

/** Once it is full, a little more must be free than made it so: it would begin and end with every file that comes and goes. */
function isFull({ freeBytes }: DiskSpace, before: boolean): boolean {
  return freeBytes < LIMITS.diskReserve.value + (before ? LIMITS.diskRoomAgain.value : 0);
}

function figuresOf({ freeBytes, totalBytes }: DiskSpace): object {
  return { freeMiB: Math.floor(freeBytes / MIB), totalMiB: Math.floor(totalBytes / MIB) };
}

/** What an earlier service may have left: it is written down by Postgres, and so outlives it. */
function isReadOnly(cluster: string): boolean {
  return readFileSync(join(cluster, 'postgresql.auto.conf'), 'utf8').includes(
    'default_transaction_read_only',
  );
}

/**
 * Throws when there is no room to start in: what Postgres writes when it starts is more than what it could still read
 * then is worth.
 */
export async function refuseFullDisk(cluster: string): Promise<void> {
  const space = await diskSpace(cluster);
  if (space === null || !isFull(space, false)) return;
  const [free, needed] = [space.freeBytes, LIMITS.diskReserve.value].map((bytes) => Math.floor(bytes / MIB));
  throw new Error(
    `the disk of ${cluster} is full: ${free} MiB are free, and ${needed} MiB are needed to start`,
  );
}

/** For all sessions from their next transaction on. Those that are under way end as they began. */
async function setReadOnly(url: string, readOnly: boolean): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('set default_transaction_read_only = off');
    if (readOnly) await client.query('alter system set default_transaction_read_only = on');
    else await client.query('alter system reset default_transaction_read_only');
    await client.query('select pg_reload_conf()');
    // What the log no longer needs is given back to the disk, without waiting for it.
    if (readOnly) await client.query('checkpoint').catch(() => {});
  } finally {
    await client.end().catch(() => {});
  }
}
