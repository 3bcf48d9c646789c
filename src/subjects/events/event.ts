import type { Outcome } from '../../ground/errors/refusal.ts';
import type { EventType } from '../../ground/journal/entry.ts';

/** An entry of an environment's journal, read as an event. */
export type Event = {
  /** `evt_…`: made of the entry's hash and position, so that it is the same for whoever reads it. */
  readonly id: string;
  readonly type: EventType;
  /** The entry's position; counts without gaps. */
  readonly sequence: number;
  readonly createdAt: Date;
  /** The id of what has changed. */
  readonly subjectId: string;
  readonly recordId: string | null;
  /** What the entry itself holds, as canonical JSON; null where it stands in sealed rows. */
  readonly content: string | null;
};

const HASH_DIGITS = 24;
const ID = /^evt_([0-9a-f]{24})([0-9a-f]{8})$/;

/** The id of the event at a position of the journal; `hash` is the entry's, in hexadecimal. */
export function eventId(sequence: number, hash: string): string {
  return `evt_${hash.slice(0, HASH_DIGITS)}${sequence.toString(16).padStart(8, '0')}`;
}

/** At which position an event of that id would stand; null for anything that is no such id. */
export function sequenceOfId(id: string): number | null {
  const digits = ID.exec(id)?.[2];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

/** What an event tells: the REST object as of then, of which e-mail it is told where it is one's, and which of its fields the change has moved, as they were before. */
export type EventData = { readonly object: object; readonly previous?: object; readonly email?: object };

/** Makes what the events of one environment tell, by their sequence; a refusal when there is too much work already. */
export type EventObjects = (
  environmentId: number,
  events: readonly Event[],
) => Promise<
  Outcome<{ readonly environment: 'test' | 'live'; readonly data: ReadonlyMap<number, EventData> }>
>;
