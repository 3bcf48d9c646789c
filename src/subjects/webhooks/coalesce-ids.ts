import { setTimeout as pause } from 'node:timers/promises';

/** Endpoints that hang are found to, and their attempts given up, within so little of each other. */
const TOGETHER_MS = 20;

/**
 * Does once what is wanted for several endpoints at the same moment: `act` gets all ids of whoever asked within 20 ms. Their
 * turns began together, so they end together too.
 */
export function coalesceIds(
  act: (endpointIds: readonly string[]) => Promise<void>,
): (id: string) => Promise<void> {
  let gathering: { readonly ids: string[]; readonly done: Promise<void> } | null = null;
  return (id) => {
    if (gathering === null) {
      const ids: string[] = [];
      const done = pause(TOGETHER_MS).then(() => {
        gathering = null;
        return act(ids);
      });
      gathering = { ids, done };
    }
    gathering.ids.push(id);
    return gathering.done;
  };
}
