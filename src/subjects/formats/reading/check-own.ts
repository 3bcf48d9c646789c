import { LARGE_LINES } from '../../../ground/lib/event-loop-scheduler.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { WorkerTask } from '../../../ground/lib/worker-task.ts';
import type { ReadingAnswer, ReadingTask } from './read-in-worker.ts';
import type { Finding } from './rules/finding.ts';

/** For long documents of ours; foreign documents have a thread of their own. */
const worker = new WorkerTask<ReadingTask, ReadingAnswer>(new URL('./read-worker.ts', import.meta.url), {
  withinMs: LIMITS.readTime.value,
  waiting: LIMITS.checksWaiting.value,
  heapMb: 512,
});

/**
 * The rules that a document of our own violates, found by the reader for foreign documents. One with many lines is
 * read in a thread; null when too many wait for that, or it takes too long.
 */
export async function findingsIn(document: Buffer, lines: number): Promise<readonly Finding[] | null> {
  if (lines <= LARGE_LINES) {
    // Only here, because its XML library takes 5 MB, which most processes never need.
    const { readFile } = await import('./read-file.ts');
    return (await readFile('', document)).documents.flatMap(({ findings }) => findings);
  }
  const outcome = await worker.run({ name: '', content: document });
  if (outcome.kind !== 'done' || !('read' in outcome.output)) return null;
  return outcome.output.read.documents.flatMap(({ findings }) => findings);
}
