import { z } from 'zod';
import { EVENT_TYPES } from '../../src/ground/journal/entry.ts';
import { instant } from '../../src/ground/lib/request-fields.ts';
import { sequenceOfId } from '../../src/subjects/events/event.ts';
import { event } from '../event-schemas.ts';
import * as examples from '../openapi/event-examples.ts';
import { listed, paging } from './lists.ts';
import { operations } from './operation.ts';

export const eventOperations = operations('Events', [
  {
    id: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    field: 'events',
    summary: 'List events',
    description:
      'Changes in the environment: newest first, but with `after_sequence` in the order of occurrence. Kept for 90 days.',
    query: {
      ...paging((id) => sequenceOfId(id) !== null, 'event'),
      type: z.array(z.enum(EVENT_TYPES)).describe('Only those of this type; may be given several times.'),
      after_sequence: z
        .int()
        .min(0)
        .describe('Only those with a higher sequence: continue from the last one that you have processed.'),
      created_from: instant.describe('Only events at or after this time.'),
      created_to: instant.describe('Only events before this time.'),
      order: z.enum(['asc', 'desc']).describe('The order of their sequence.'),
    },
    renamed: { type: 'types' },
    answer: listed('EventPage', event, examples.event, 'In the requested order.'),
    tool: { name: 'list_events', rows: 'events', options: { type: 'types' } },
  },
  {
    id: 'retrieveEvent',
    method: 'GET',
    path: '/v1/events/{id}',
    field: 'event',
    summary: 'Retrieve event',
    description: 'One event of the key’s environment.',
    ids: { id: ['event', examples.event.id] },
    answer: { status: 200, description: 'The event', schema: event, example: examples.event },
    codes: ['event_not_found'],
  },
]);
