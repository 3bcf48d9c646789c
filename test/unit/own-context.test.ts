import { AsyncLocalStorage } from 'node:async_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RequestCache } from '@pothos/plugin-scope-auth';
import { describe, expect, it } from 'vitest';
import { builder } from '../../src/faces/graphql/builder.ts';
import { endWork } from '../../src/faces/graphql/charged-rows.ts';
import type { Context } from '../../src/faces/graphql/context.ts';
import { inOwnContext } from '../../src/ground/lib/own-context.ts';

/** Collects only objects that were created lately, as happens many times a second under load. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
  // Whatever survives twice stays until the next full collection.
  for (let times = 0; times < 3; times++) collect({ type: 'minor' });
}

describe('what a request refers to', () => {
  it('is run in the context in which it was bound', () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const work = storage.run('own', () =>
      inOwnContext((given: number) => seen.push(storage.getStore(), given)),
    );
    storage.run('that of another', () => work(7));
    expect(seen).toEqual(['own', 7]);
  });

  it('does not stay in memory until the next full collection after it was bound', () => {
    collectGarbage();
    const before = getHeapStatistics().used_heap_size;
    for (let count = 0; count < 5_000; count++) {
      const rows = Array.from({ length: 500 }, (_, index) => index);
      inOwnContext(() => rows.length)();
    }
    collectGarbage();
    expect(getHeapStatistics().used_heap_size - before).toBeLessThan(2_000_000);
  });

  it('is not kept by the cache of its permissions after it was answered', () => {
    const context = { caller: null } as unknown as Context;
    const cache = RequestCache.fromContext(context, builder as never);
    expect(RequestCache.fromContext(context, builder as never)).toBe(cache);
    endWork(context);
    expect(RequestCache.fromContext(context, builder as never)).not.toBe(cache);
  });
});
