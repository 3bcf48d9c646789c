import { LRUCache } from 'lru-cache';
import { RecentFailures } from '../../../ground/lib/recent-failures.ts';
import { SlowLane } from '../../../ground/lib/slow-lane.ts';
import { RECIPIENT_LIMITS } from '../limits.ts';
import type { RegisterQueryResult } from './query-result.ts';

/** Environments with a lane of their own at a time; of one that is forgotten the next question waits behind none. */
const MAX_LANES = 1_000;

/** After an unknown recipient in the lane: at most 120 a minute, which no register takes for an attack. */
const REST_MS = 500;

type Query = () => Promise<RegisterQueryResult>;

/**
 * Sends the questions of an environment at once, or one at a time while the registers have known too few of its
 * recipients, and then with a pause after each that is unknown. No invoice is refused for it, and no other environment waits.
 */
export function pacedByEnvironment(): (environmentId: number, query: Query) => Promise<RegisterQueryResult> {
  const unknown = new RecentFailures(RECIPIENT_LIMITS.unknownRecipients.value);
  const lanes = new LRUCache<number, SlowLane>({ max: MAX_LANES });
  return async (environmentId, query) => {
    const isOver = unknown.waitOf(environmentId) !== null;
    const lane = isOver ? (lanes.get(environmentId) ?? new SlowLane()) : null;
    if (lane !== null) lanes.set(environmentId, lane);
    const result = await (lane === null
      ? query()
      : lane.run(query, ({ kind }) => (kind === 'unknown' ? REST_MS : 0)));
    if (result.kind === 'unknown') unknown.note(environmentId);
    return result;
  };
}
