import { FILE_BYTES } from '@lacre/reader/limits';
import type { ReadFile } from '@lacre/reader/read-file';
import type { ReadingError } from '@lacre/reader/reading-error';
import { invalidField, type Outcome } from '../../../ground/errors/refusal.ts';
import { WorkerTask } from '../../../ground/lib/worker-task.ts';

export type ReadingTask = { readonly name: string; readonly content: Uint8Array };

/** The result of the reading thread: the documents, or why the file cannot be read. */
export type ReadingAnswer =
  | { readonly read: ReadFile }
  | { readonly fault: Pick<ReadingError, 'code' | 'message'> };

/** The largest file takes a few seconds. */
export const READING_MS = 30_000;

const worker = new WorkerTask<ReadingTask, ReadingAnswer>(new URL('./read-worker.ts', import.meta.url), {
  withinMs: READING_MS,
  waiting: 0,
  heapMb: 512,
});

/**
 * Reads a foreign invoice in a separate thread with limits of time and heap. Refuses with `invalid_request` about
 * `file`; the code is `too_big`, `too_costly`, `invalid_format`, `not_supported` or `ambiguous`.
 */
export async function readInWorker(name: string, content: Uint8Array): Promise<Outcome<ReadFile>> {
  if (content.length > FILE_BYTES) return invalidField('file', 'too_big', 'is larger than any invoice');
  const outcome = await worker.run({ name, content });
  if (outcome.kind !== 'done')
    return invalidField('file', 'too_costly', 'takes longer to read than any invoice');
  const { output } = outcome;
  return 'read' in output ? output.read : invalidField('file', output.fault.code, output.fault.message);
}
