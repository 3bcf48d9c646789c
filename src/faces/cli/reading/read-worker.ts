import { parentPort } from 'node:worker_threads';
import { readFile } from '@lacre/reader/read-file';
import { ReadingError } from '@lacre/reader/reading-error';
import type { ReadingAnswer, ReadingTask } from './read-in-worker.ts';

/** The thread that reads one file. */
const port = parentPort;
if (port === null) throw new Error('read-worker runs in a thread of readInWorker');

port.once('message', async ({ name, content }: ReadingTask) => {
  port.postMessage(await answer(name, Buffer.from(content)));
});

async function answer(name: string, content: Buffer): Promise<ReadingAnswer> {
  try {
    return { read: await readFile(name, content) };
  } catch (error) {
    if (error instanceof ReadingError) return { fault: { code: error.code, message: error.message } };
    throw error;
  }
}
