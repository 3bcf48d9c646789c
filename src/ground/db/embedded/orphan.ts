import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../lib/logger.ts';
import { endOrphanedChildren, endProcess } from './ending.ts';
import { inspect, isServerOf } from './processes.ts';

/**
 * Makes way for a new server on the cluster. A service that was killed leaves its Postgres running, perhaps one that
 * hangs: that one is ended, asked first and killed at last, with all of its children. A pid file that is empty or whose
 * process is something else by now (a reboot, a new container) is removed. One of a process that is gone stays: Postgres
 * finds in it by which shared memory to see whether children of it are left.
 */
export async function endOrphanedServer(cluster: string, log: Logger): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : null;
  const readable = pid !== null && Number.isInteger(pid) && pid > 0;
  const found = readable ? inspect(pid) : null;
  const isServer = found !== null && isServerOf(cluster, found);
  if (isServer) {
    log.warn({ pid }, 'stopping the Postgres that a killed service left running');
    await endProcess(found, log);
  }
  await endOrphanedChildren(cluster, log);
  if (!readable || (found !== null && !isServer)) rmSync(pidFile, { force: true });
}
