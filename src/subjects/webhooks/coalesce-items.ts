import { setTimeout as pause } from 'node:timers/promises';

/** Endpoints that hang time out within this time of each other. */
const TOGETHER_MS = 20;

/**
 * Does once what several endpoints request at the same moment: `flush` gets the items of all calls within 20 ms. Their turns
 * began together, so they end together too.
 */
export function coalesceItems<Item>(
  flush: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let gathering: { readonly items: Item[]; readonly done: Promise<void> } | null = null;
  return (item) => {
    if (gathering === null) {
      const items: Item[] = [];
      const done = pause(TOGETHER_MS).then(() => {
        gathering = null;
        return flush(items);
      });
      gathering = { items, done };
    }
    gathering.items.push(item);
    return gathering.done;
  };
}
