import type { components } from './schema.ts';
import type { Unlisted } from './unlisted.ts';

type Schemas = components['schemas'];

/** The types of events that this version knows. */
export type EventType = Schemas['EventTypeInput'];

/** The schemas of the single types of events, by the names that they have in the document. */
type Listed = {
  [Name in keyof Schemas]: Schemas[Name] extends { type: EventType; sequence: number }
    ? Schemas[Name]
    : never;
}[keyof Schemas];

/** An event of a type that was added later. */
export type UnlistedEvent = Omit<Schemas['Event'], 'type'> & { type: Unlisted };

/** An event, distinguished by `type`: `switch (event.type) { case 'invoice.rejected': … }`. */
export type LacreEvent = Listed | UnlistedEvent;
