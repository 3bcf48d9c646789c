import { writeFileSync } from 'node:fs';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * What a process spent on collecting garbage, of the time in which its main thread had work. Both are read off the
 * clock: on a machine that does other things too they grow alike.
 */
export type Garbage = { readonly collectingSeconds: number; readonly busySeconds: number };

/**
 * Read into a process before its own program (`--import`): adds up the pauses in which V8 collects garbage, and leaves
 * the sum in the folder that the address of this module names, under the process's number, when the process ends.
 */
if (isMainThread) {
  const folder = new URL(import.meta.url).searchParams.get('folder');
  let milliseconds = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) milliseconds += duration;
  }).observe({ entryTypes: ['gc'] });
  process.once('exit', () => {
    const { active } = performance.eventLoopUtilization();
    const garbage: Garbage = { collectingSeconds: milliseconds / 1_000, busySeconds: active / 1_000 };
    writeFileSync(`${folder}/garbage-${process.pid}.json`, JSON.stringify(garbage));
  });
}
