import { once } from 'node:events';
import type { Profiler } from 'node:inspector';

export type Coverage = Profiler.TakePreciseCoverageReturnType;

type Inspector = {
  startCounting(): Promise<void>;
  /** What has run since the last call. */
  takeCounts(): Promise<Coverage>;
  close(): void;
};

/** The profiler of a process that was started with `--inspect`, at the address that it has printed. */
export async function openInspector(address: string): Promise<Inspector> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  let sent = 0;
  const send = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      sent += 1;
      waiting.set(sent, resolve);
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  return {
    async startCounting() {
      await send('Profiler.enable');
      await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    },
    takeCounts: async () => (await send('Profiler.takePreciseCoverage')) as Coverage,
    close: () => socket.close(),
  };
}
