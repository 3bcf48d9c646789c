import { readFile, readlink } from 'node:fs/promises';
import type { Socket } from 'node:net';

/**
 * Internal counters of Node that are not exposed otherwise: bytes passed to the kernel, and those that it has not accepted.
 */
type Handle = { readonly bytesWritten: number; readonly writeQueueSize: number; readonly fd: number };

function handleOf(socket: Socket): Handle | null {
  return (socket as unknown as { _handle: Handle | null })._handle ?? null;
}

/** How many bytes of all that was written the kernel has accepted. */
export function acceptedBytes(socket: Socket): number {
  const handle = handleOf(socket);
  return handle === null ? 0 : handle.bytesWritten - handle.writeQueueSize;
}

/**
 * The number of bytes that each socket's kernel holds and its peer has not acknowledged. A kernel accepts nothing more
 * until a third of some megabytes is free again, so a reader of ten kilobytes per second would appear to be stalled for
 * minutes. Available on Linux; elsewhere the result is empty.
 */
export async function unacknowledged(sockets: readonly Socket[]): Promise<ReadonlyMap<Socket, number>> {
  const tables = await Promise.all(
    ['/proc/self/net/tcp', '/proc/self/net/tcp6'].map((file) => readFile(file, 'latin1').catch(() => '')),
  );
  const queues = new Map<string, number>();
  for (const line of tables.join('\n').split('\n')) {
    // Number, local and remote address, state, queues, timer, retransmissions, user, timeout, inode (proc_net_tcp).
    const fields = line.trim().split(/\s+/);
    const queued = Number.parseInt(fields[4]?.split(':')[0] ?? '', 16);
    if (queued > 0 && fields[9] !== undefined) queues.set(fields[9], queued);
  }
  const found = new Map<Socket, number>();
  if (queues.size === 0) return found;
  await Promise.all(
    sockets.map(async (socket) => {
      const link = await readlink(`/proc/self/fd/${handleOf(socket)?.fd ?? -1}`).catch(() => '');
      const queued = queues.get(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? '');
      if (queued !== undefined) found.set(socket, queued);
    }),
  );
  return found;
}
