import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../lib/logger.ts';
import { endOrphanedChildren, endProcess } from './ending.ts';
import { inspect, isServerOf } from './processes.ts';

/**
 * Makes sure that no other server uses the cluster. A killed service leaves its Postgres running, perhaps hanging: it is
 * stopped, first by request and finally by kill, with all its children. A pid file that is empty or whose pid now belongs
 * to another program (a reboot, a new container) is removed. A pid file of a process that has exited stays: Postgres uses
 * it to find the shared memory and any children left.
 */
export async function endOrphanedServer(cluster: string, log: Logger): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : null;
  const readable = pid !== null && Number.isInteger(pid) && pid > 0;
  const found = readable ? inspect(pid) : null;
  const isServer = found !== null && isServerOf(cluster, found);
  if (isServer) {
    log.warn({ pid }, 'stopping the Postgres left running by a killed service');
    await endProcess(found, log);
  }
  await endOrphanedChildren(cluster, log);
  if (!readable || (found !== null && !isServer)) rmSync(pidFile, { force: true });
}
