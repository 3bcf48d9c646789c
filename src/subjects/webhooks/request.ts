import { z } from 'zod';
import { EVENT_TYPES } from '../../ground/journal/entry.ts';
import { instant, scalars } from '../../ground/lib/request-fields.ts';
import { exactLine } from '../../ground/lib/text.ts';

/** An endpoint with this type gets all events. */
export const EVERY_TYPE = '*';

/** GraphQL takes the names that webhooks and REST have, and `*`, which no enumeration could hold. */
const eventType = z.enum([EVERY_TYPE, ...EVENT_TYPES]).register(scalars, { scalar: 'String' });

const eventTypes = z
  .array(eventType)
  .min(1)
  .max(EVENT_TYPES.length + 1)
  .transform((types) => (types.includes(EVERY_TYPE) ? [EVERY_TYPE] : [...new Set(types)]))
  .describe('The types that it receives, or `*` for all.');

const url = exactLine(2_048).describe(
  'The URL that receives events: https, without a user name, at a public address.',
);
const description = z.string().trim().max(500).nullish().describe('Your own description.');

/** The request for an endpoint. Whether its address is allowed is checked by `url.ts`. */
export const endpointRequest = z
  .strictObject({ url, eventTypes, description })
  .meta({ id: 'WebhookEndpointRequest', description: 'A new webhook endpoint.' });

/**
 * The fields that can be changed; a field that is not sent stays unchanged. `status` enables or disables an
 * endpoint.
 */
export const endpointChange = z
  .strictObject({
    url: url.optional(),
    eventTypes: eventTypes.optional(),
    description,
    status: z
      .enum(['active', 'disabled'])
      .optional()
      .describe(
        '`active` enables the endpoint again: it then receives the events that it has missed. `disabled` disables it.',
      ),
  })
  .meta({
    id: 'WebhookEndpointChange',
    description: 'Changes of a webhook endpoint; omitted fields stay unchanged.',
  });

/** How long the previous secret also signs, so that receivers can change over; a week at most. */
export const rotationRequest = z
  .strictObject({
    graceHours: z
      .int()
      .min(0)
      .max(168)
      .nullish()
      .describe('How long the previous secret still signs, in hours: default 24, at most 168.'),
  })
  .meta({ id: 'WebhookSecretRotation' });

/** Where to start delivering again: a sequence, or a time. */
export const replayRequest = z
  .strictObject({
    fromSequence: z.int().min(1).optional().describe('The first sequence to deliver.'),
    from: instant.optional().describe('The time from which to deliver. Either this or the sequence.'),
  })
  .refine(({ fromSequence, from }) => (fromSequence === undefined) !== (from === undefined), {
    message: 'takes either from_sequence or from',
    path: ['fromSequence'],
  })
  .meta({ id: 'WebhookReplayRequest' });

export type EndpointRequest = z.output<typeof endpointRequest>;
export type EndpointChange = z.output<typeof endpointChange>;
export type ReplayRequest = z.output<typeof replayRequest>;
