import type { Outcome } from '../../ground/errors/refusal.ts';
import type { EventType } from '../../ground/journal/entry.ts';

/** An entry of an environment's journal, presented as an event. */
export type Event = {
  /** `evt_…`: derived from the entry's hash and position, so that every reader gets the same. */
  readonly id: string;
  readonly type: EventType;
  /** The entry's position; consecutive without gaps. */
  readonly sequence: number;
  readonly createdAt: Date;
  /** The id of the changed resource. */
  readonly subjectId: string;
  readonly recordId: string | null;
  /** The entry's own content, as canonical JSON; null when the content is in sealed rows. */
  readonly content: string | null;
};

const HASH_DIGITS = 24;
const ID = /^evt_([0-9a-f]{24})([0-9a-f]{8})$/;

/** The id of the event at a position of the journal; `hash` is the entry's, in hexadecimal. */
export function eventId(sequence: number, hash: string): string {
  return `evt_${hash.slice(0, HASH_DIGITS)}${sequence.toString(16).padStart(8, '0')}`;
}

/** The position of an event with that id; null for a text that is not an event's id. */
export function sequenceOfId(id: string): number | null {
  const digits = ID.exec(id)?.[2];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

/**
 * The payload of an event: the REST object at that time, the e-mail if it is about one, and the previous values of
 * the changed fields.
 */
export type EventData = { readonly object: object; readonly previous?: object; readonly email?: object };

/** Creates the payloads of events of one environment, by sequence; refuses when too much work is waiting. */
export type EventObjects = (
  environmentId: number,
  events: readonly Event[],
) => Promise<
  Outcome<{ readonly environment: 'test' | 'live'; readonly data: ReadonlyMap<number, EventData> }>
>;
