import * as examples from './event-examples.ts';
import { idOf, operation, paging, query } from './parts.ts';
import { answered, type refusalsAt } from './responses.ts';
import { enumeration, type Json } from './schemas.ts';

/** The operations on events. */
export function eventPaths({ refusals }: ReturnType<typeof refusalsAt>): Json {
  const type = { type: 'array', items: enumeration('EventType', 'sent') };
  const instant = { type: 'string', format: 'date-time' };
  return {
    '/v1/events': {
      get: operation(
        'listEvents',
        'Events',
        'List events',
        'What has changed in the environment: the newest first, but with `after_sequence` in the order in which it happened. Kept for 90 days.',
        {
          parameters: [
            ...paging,
            query('type', type, 'Only those of this type; may be given several times.'),
            query(
              'after_sequence',
              { type: 'integer', minimum: 0 },
              'Only those with a higher sequence: to go on from the last one that you have seen.',
            ),
            query('created_from', instant, 'Only those from then on.'),
            query('created_to', instant, 'Only those before then.'),
            query('order', enumeration('SortOrder', 'sent'), 'The order of their sequence.'),
          ],
          responses: {
            200: { description: 'A page', ...answered('EventPage', examples.eventPage) },
            ...refusals(),
          },
        },
      ),
    },
    '/v1/events/{id}': {
      get: operation('retrieveEvent', 'Events', 'Retrieve event', 'One event of the key’s environment.', {
        parameters: [idOf('event', examples.event.id)],
        responses: {
          200: { description: 'The event', ...answered('Event', examples.event) },
          ...refusals('event_not_found'),
        },
      }),
    },
  };
}
