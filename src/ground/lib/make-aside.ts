import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from './thread-priority.ts';
import { WorkerTask } from './worker-task.ts';

/** What is made so comes from our own files, whatever callers send: these bounds only end what would never end. */
const BOUNDS = { withinMs: 120_000, heapMb: 256, waiting: 0 };

/** Requests that are under way go first. */
const NICENESS = 10;

/**
 * Makes something that takes tenths of a second and is the same for all who ask, by the module `script` in a thread of its
 * own: the event loop would answer nobody meanwhile. The thread is gone afterwards, and its memory with it. Keeping what
 * was made is the caller's.
 */
export async function makeAside<Input, Output>(script: URL, input: Input): Promise<Output> {
  const outcome = await new WorkerTask<Input, Output>(script, BOUNDS).run(input);
  if (outcome.kind !== 'done') throw new Error(`${script.pathname} was not done: ${outcome.kind}`);
  return outcome.output;
}

/** The thread's side of it: makes one thing of one input. */
export function makeInThread<Input, Output>(make: (input: Input) => Output | Promise<Output>): void {
  const port = parentPort;
  if (port === null) throw new Error('this module runs in a thread of its own');
  lowerThreadPriority(NICENESS);
  port.once('message', async (input: Input) => port.postMessage(await make(input)));
}
