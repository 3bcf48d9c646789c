import { parentPort } from 'node:worker_threads';
import { readReport } from './read-report.ts';

/** The thread that reads one bounce message. */
const port = parentPort;
if (port === null) throw new Error('read-report-worker runs in a thread of process-bounce');

port.once('message', (bytes: Uint8Array) => {
  void readReport(bytes).then((report) => port.postMessage(report));
});
