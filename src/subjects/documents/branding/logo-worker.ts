import { parentPort } from 'node:worker_threads';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import type { Logo } from './branding.ts';
import { readLogo } from './logo.ts';
import type { WorkerLogo } from './logo-in-worker.ts';

/** The thread that reads one logo. */
const port = parentPort;
if (port === null) throw new Error('logo-worker runs in a thread of readLogoAside');

port.once('message', ({ type, bytes }: { type: Logo['type']; bytes: Uint8Array }) => {
  // A buffer arrives in a message as a plain array of bytes.
  const logo = readLogo(type, Buffer.from(bytes));
  const answer: WorkerLogo = isRefusal(logo) ? { issue: logo.errors[0]! } : { logo };
  port.postMessage(answer);
});
