import { parentPort } from 'node:worker_threads';

/** A thread for the tests of `Aside`: does what the message says. */
parentPort!.once('message', (task: 'answer' | 'spin' | 'grow' | 'throw') => {
  const kept: string[] = [];
  if (task === 'throw') throw new Error('a bug');
  while (task !== 'answer') if (task === 'grow') kept.push('x'.repeat(1_000) + kept.length);
  parentPort!.postMessage('done');
});
