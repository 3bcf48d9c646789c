import { EVENT_TYPES, type EventType } from '../../ground/journal/entry.ts';

/** `INVOICE_ISSUED`: names of GraphQL have no dot. */
const nameOf = (type: EventType): string => type.replaceAll('.', '_').toUpperCase();

/** The values of the enumeration of event types, by their names in GraphQL. */
export const EVENT_TYPE_VALUES = Object.fromEntries(
  EVENT_TYPES.map((type) => [
    nameOf(type),
    { value: type, description: `\`${type}\` in REST and webhooks.` },
  ]),
) as Record<string, { readonly value: EventType; readonly description: string }>;
