import { once } from 'node:events';
import { getHeapStatistics } from 'node:v8';
import { startThread } from '../../src/ground/lib/start-thread.ts';

/** Writes how large the heap of a thread with a limit of 32 MB, and that of the main thread, may become, in MiB. */
const REPORT = `import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
parentPort.postMessage(getHeapStatistics().heap_size_limit);`;
const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(REPORT)}`), {
  resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 16 },
});
const [ofThread] = (await once(thread, 'message')) as [number];
const ofMain = getHeapStatistics().heap_size_limit;
process.stdout.write(JSON.stringify([ofThread, ofMain].map((bytes) => Math.round(bytes / 2 ** 20))));
