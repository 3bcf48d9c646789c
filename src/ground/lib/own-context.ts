import { AsyncResource } from 'node:async_hooks';

/**
 * `work`, to be run later in the asynchronous context of now, by whomever it is called. `AsyncLocalStorage.bind` does the
 * same and defines two deprecated accessors on each function: their hidden classes refer to the function, so everything that
 * it refers to (a request, the rows of a statement) stays in memory until the next full garbage collection.
 */
export function inOwnContext<Arguments extends unknown[]>(
  work: (...given: Arguments) => void,
): (...given: Arguments) => void {
  const context = new AsyncResource('OwnContext');
  return (...given) => context.runInAsyncScope(work, undefined, ...given);
}
