import { parentPort } from 'node:worker_threads';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { type CertificateFile, readCertificate } from './read-certificate.ts';
import type { WorkerReading } from './read-in-worker.ts';

/** The thread that reads one certificate file. */
const port = parentPort;
if (port === null) throw new Error('read-worker runs in a thread of readAside');

port.once('message', ({ content, ...file }: CertificateFile) => {
  // A buffer arrives in a message as a plain array of bytes.
  const read = readCertificate({ ...file, content: Buffer.from(content) });
  const answer: WorkerReading = isRefusal(read) ? { issue: read.errors[0]! } : { read };
  port.postMessage(answer);
});
