import type { EventType } from '../../../ground/journal/entry.ts';
import type { Event } from '../../../subjects/events/event.ts';

/** What a subscription's field answers for one event. */
export type Payload = { readonly sequence: number; readonly root: object };

/**
 * What the field of a subscription listens to. GraphQL wants something to iterate over and would execute the selection for
 * each subscriber; `Broadcasts` takes it as it is and executes it once for all who subscribe to the same.
 */
export class LiveSource implements AsyncIterable<never> {
  /** The field of the schema's root. */
  readonly field: string;
  readonly environmentId: number;
  /** The sequence behind which the subscriber wants to go on; null for what comes from now on. */
  readonly after: number | null;
  /** Types that are worth reading; all when it is empty. */
  readonly types: readonly EventType[];
  /** Which of the events are meant, and what the field answers for them. */
  readonly select: (events: readonly Event[]) => Promise<readonly Payload[]>;

  constructor(source: Pick<LiveSource, 'field' | 'environmentId' | 'after' | 'types' | 'select'>) {
    this.field = source.field;
    this.environmentId = source.environmentId;
    this.after = source.after;
    this.types = source.types;
    this.select = source.select;
  }

  [Symbol.asyncIterator](): AsyncIterator<never> {
    throw new Error('a subscription is broadcast and not iterated over');
  }
}
