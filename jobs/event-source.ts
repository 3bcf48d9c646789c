import { isRefusal } from '../src/ground/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import type { Event, EventData } from '../src/subjects/events/event.ts';
import { eventsAfter, eventsAt } from '../src/subjects/events/read.ts';
import type { EventSource, EventToSend } from '../src/subjects/webhooks/deliver.ts';

/** An event as REST and webhooks show it. */
export type EventBody = {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly created_at: string;
  readonly environment: 'test' | 'live';
  readonly data: EventData;
};

type Reading = Pick<Services, 'db' | 'config' | 'eventObjects'>;

/** Where webhooks take events from: the journal, each event written as REST shows it. */
export function createEventSource(reading: Reading): EventSource {
  const { db, config } = reading;
  const write = (environmentId: number, events: readonly Event[]) =>
    writeEvents(reading, environmentId, events);
  return {
    async after(environmentId, sequence, { types, most }) {
      // What it does not hear of is read along: cheaper than finding out where the next one that it wants stands.
      const read = await eventsAfter(db, environmentId, sequence, most);
      const wanted =
        types.length === 0 ? read : read.filter(({ type }) => types.includes(type) || type === 'ping');
      return { events: await write(environmentId, wanted), reached: read.at(-1)?.sequence ?? sequence };
    },
    async those(environmentId, sequences) {
      return write(
        environmentId,
        await eventsAt({ db, keptDays: config.eventsKeptDays }, environmentId, sequences),
      );
    },
  };
}

async function writeEvents(
  { eventObjects }: Reading,
  environmentId: number,
  events: readonly Event[],
): Promise<EventToSend[]> {
  if (events.length === 0) return [];
  const objects = await eventObjects(environmentId, events);
  // The process has too much to do: the job is tried again.
  if (isRefusal(objects)) throw new Error(objects.detail);
  const { environment, data } = objects;
  return events.map((event) => {
    const { id, sequence, type, subjectId } = event;
    const body: EventBody = {
      ...{ id, type, sequence, created_at: event.createdAt.toISOString(), environment },
      data: data.get(sequence)!,
    };
    return { id, sequence, type, subjectId, body: JSON.stringify(body) };
  });
}
