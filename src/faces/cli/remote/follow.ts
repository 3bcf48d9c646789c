import type { EventType, LacreEvent } from '@lacre/client';
import { invalidField, isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { EVENT_TYPES } from '../../../ground/journal/entry.ts';
import { optionalOption } from '../options.ts';
import { PROFILE } from './login.ts';
import type { Remote } from './profiles.ts';

/** The options of what follows events. */
export const FOLLOWING = {
  ...PROFILE,
  types: optionalOption('types', 'only events of these types, separated by commas'),
  afterSequence: optionalOption('number', 'continue after this sequence; by default with new events'),
  limit: optionalOption('number', 'end after this number; by default continue until interrupted'),
};

type FollowOptions = Readonly<Record<'types' | 'afterSequence' | 'limit', string | undefined>>;

/** The events of a profile's environment in their order, up to the limit. */
export function followed(remote: Remote, values: FollowOptions): Outcome<AsyncGenerator<LacreEvent>> {
  const types = values.types?.split(',') ?? [];
  const unknown = types.find((type) => !(EVENT_TYPES as readonly string[]).includes(type));
  if (unknown !== undefined) return invalidField('types', 'invalid_value', `unknown type ${unknown}`);
  const afterSequence = wholeNumber(values.afterSequence, 'afterSequence');
  if (isRefusal(afterSequence)) return afterSequence;
  const limit = wholeNumber(values.limit, 'limit');
  if (isRefusal(limit)) return limit;
  return limited(remote.client.events.follow({ types: types as EventType[], afterSequence }), limit);
}

function wholeNumber(text: string | undefined, field: string): Outcome<number | undefined> {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text)
    ? Number(text)
    : invalidField(field, 'invalid_value', 'must be a whole number');
}

async function* limited(events: AsyncGenerator<LacreEvent>, max = Number.POSITIVE_INFINITY) {
  let count = 0;
  for await (const event of events) {
    yield event;
    count += 1;
    if (count >= max) return;
  }
}

/** An event on one line. */
export function lineOf(event: LacreEvent): string {
  const { object } = event.data;
  const subject = 'id' in object ? object.id : `chain ${object.chain_id}`;
  return `${event.sequence} ${event.created_at} ${event.type} ${subject}`;
}
