import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

type ThreadOptions = WorkerOptions & Required<Pick<WorkerOptions, 'resourceLimits'>>;

/**
 * Starts a worker thread whose heap has the limits that it is given. The service is started with limits of its own
 * (`--max-old-space-size`, `--max-semi-space-size`), and V8 lets these flags replace the `resourceLimits` of every thread: a thread
 * for hostile files could fill 700 MiB. They are set back to 0, "not given", first; the heap of the main thread was configured with them
 * when the process began, and keeps them.
 */
export function startThread(script: URL, options: ThreadOptions): Worker {
  setFlagsFromString('--max-old-space-size=0');
  setFlagsFromString('--max-semi-space-size=0');
  return new Worker(script, options);
}
