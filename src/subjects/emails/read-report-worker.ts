import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { readReport } from './read-report.ts';

/** The thread that reads one bounce message. */
const port = parentPort;
if (port === null) throw new Error('read-report-worker runs in a thread of process-bounce');

/** On Linux a thread has its own priority: issuing and answering requests have precedence. */
const NICENESS = 5;
if (process.platform === 'linux') setPriority(0, NICENESS);

port.once('message', (bytes: Uint8Array) => {
  void readReport(bytes).then((report) => port.postMessage(report));
});
