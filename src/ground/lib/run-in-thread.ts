import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from './thread-priority.ts';
import { WorkerTask } from './worker-task.ts';

/** The input consists of our own files, whatever callers send: these bounds only end a thread that hangs. */
const BOUNDS = { withinMs: 120_000, heapMb: 256, waiting: 0 };

/** Requests in progress have priority. */
const NICENESS = 10;

/**
 * Builds something that takes tenths of a second and is the same for all callers, with the module `script` in its own
 * thread, so that the event loop is not blocked. The thread ends afterwards and releases its memory. The caller stores the
 * result.
 */
export async function runInThread<Input, Output>(script: URL, input: Input): Promise<Output> {
  const outcome = await new WorkerTask<Input, Output>(script, BOUNDS).run(input);
  if (outcome.kind !== 'done') throw new Error(`${script.pathname} failed: ${outcome.kind}`);
  return outcome.output;
}

/** The thread's side: builds one result from one input. */
export function serveThread<Input, Output>(make: (input: Input) => Output | Promise<Output>): void {
  const port = parentPort;
  if (port === null) throw new Error('this module must run in its own thread');
  lowerThreadPriority(NICENESS);
  port.once('message', async (input: Input) => port.postMessage(await make(input)));
}
