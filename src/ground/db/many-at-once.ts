import { isRefusal, type Outcome } from '../errors/refusal.ts';

/** More would keep the request open for more than some seconds; whoever has more repeats it. */
export const CHANGED_AT_ONCE = 500;

/** How many match, how many of them were changed (none by a dry run), and whether so many match that it has to be repeated. */
export type BulkChange = { readonly matching: number; readonly changed: number; readonly again: boolean };

/** Those that match, of which `ids` has the first `CHANGED_AT_ONCE`. */
export type Matching<Id> = { readonly ids: readonly Id[]; readonly matching: number };

/** Changes each as if it were the only one, with its own entry in the audit log; one that was changed meanwhile is left out. */
export async function changeEach<Id>(
  { ids, matching }: Matching<Id>,
  dryRun: boolean,
  change: (id: Id) => Promise<Outcome<unknown>>,
): Promise<BulkChange> {
  const again = matching > ids.length;
  if (dryRun) return { matching, changed: 0, again };
  let changed = 0;
  for (const id of ids) if (!isRefusal(await change(id))) changed += 1;
  return { matching, changed, again };
}
