import { setTimeout as pause } from 'node:timers/promises';

/** Endpoints that hang are found to, and their attempts given up, within so little of each other. */
const TOGETHER_MS = 20;

/**
 * Does once what is wanted for several endpoints at the same moment: `act` gets what all who asked within 20 ms gave. Their
 * turns began together, so they end together too.
 */
export function coalesceItems<Item>(
  act: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let gathering: { readonly items: Item[]; readonly done: Promise<void> } | null = null;
  return (item) => {
    if (gathering === null) {
      const items: Item[] = [];
      const done = pause(TOGETHER_MS).then(() => {
        gathering = null;
        return act(items);
      });
      gathering = { items, done };
    }
    gathering.items.push(item);
    return gathering.done;
  };
}
