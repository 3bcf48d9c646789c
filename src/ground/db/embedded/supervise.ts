import { setTimeout as pause } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Logger } from '../../lib/logger.ts';
import { endOrphanedChildren, endProcess } from './ending.ts';
import { endOrphanedServer } from './orphan.ts';
import { inspect } from './processes.ts';
import type { Server } from './server.ts';

const restarts = new Counter({
  name: 'lacre_embedded_postgres_restarts_total',
  help: 'How often the service’s own Postgres ended unexpectedly and was restarted.',
});

/** The first attempt is immediate; later ones are at most this far apart, since by then the cause is a full disk. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Keeps a server running: whenever it ends unexpectedly (killed, or without space for the write-ahead log) it is restarted
 * until it comes up. Meanwhile connections are refused. Returns a function that stops it for good, from request to kill.
 */
export function supervise(
  first: Server,
  { cluster, log, spawn }: { cluster: string; log: Logger; spawn: () => Server },
): () => Promise<void> {
  let server = first;
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Null: it is being stopped. */
  const again = async (): Promise<Server | null> => {
    let logged = '';
    for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      await pause(wait, undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
      try {
        await endOrphanedServer(cluster, log);
        if (signal.aborted) break;
        server = spawn();
        await server.ready;
        return server;
      } catch (error) {
        // A repeated problem is logged once.
        const reason = withoutTimes((error as Error).message);
        if (reason !== logged && !signal.aborted) log.error({ reason }, 'Postgres does not start yet');
        logged = reason;
      }
    }
    return null;
  };

  const watch = async () => {
    for (let running: Server | null = first; running !== null; ) {
      await running.ended;
      if (signal.aborted) return;
      const downSince = performance.now();
      log.error({ lastLines: running.lastLines() }, 'Postgres ended unexpectedly: restarting it');
      running = await again();
      if (running === null) return;
      restarts.inc();
      log.warn({ downMs: Math.round(performance.now() - downSince) }, 'Postgres is running again');
    }
  };
  const watching = watch();

  return async () => {
    stopping.abort();
    await endServer(server, cluster, log);
    await watching;
  };
}

/** Stops a child process of ours. */
export async function endServer(server: Server, cluster: string, log: Logger): Promise<void> {
  const { pid } = server.process;
  const found = pid === undefined ? null : inspect(pid);
  if (found === null) return;
  const endedBy = await endProcess(found, log);
  await server.ended;
  if (endedBy === 'SIGKILL') await endOrphanedChildren(cluster, log);
}

function withoutTimes(output: string): string {
  return output.replace(/^\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\] /gm, '');
}
