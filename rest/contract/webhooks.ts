import { z } from 'zod';
import { EVENT_TYPES } from '../../src/ground/journal/entry.ts';
import {
  EVERY_TYPE,
  endpointChange,
  endpointRequest,
  replayRequest,
  rotationRequest,
} from '../../src/subjects/webhooks/request.ts';
import { instant, nullableText, oneOf, text } from '../schema-parts.ts';
import { listed, paging } from './lists.ts';
import { operations, within } from './operation.ts';

/** Of deliveries. */
const STATUSES = ['pending', 'delivered', 'failed'] as const;

const isEndpointId = (value: string): boolean => /^whe_[0-9a-f]{32}$/.test(value);
const isDeliveryId = (value: string): boolean => /^whd_[0-9a-f]{32}$/.test(value);

const endpointFields = {
  id: text.describe('Id of the endpoint.'),
  url: z.url().describe('The URL that receives events.'),
  event_types: z
    .array(oneOf([EVERY_TYPE, ...EVENT_TYPES]))
    .describe('The types that it receives; `*` is all.'),
  description: nullableText.describe('Your own description.'),
  status: oneOf(['active', 'disabled']).describe(
    '`disabled` after five days without a success, after an answer 410, or by hand.',
  ),
  disabled_reason: nullableText.describe('Null while it is active.'),
  created_at: instant.describe('The creation time; it receives events from this time on.'),
};

export const webhookEndpoint = z.strictObject(endpointFields).meta({ id: 'WebhookEndpoint' });

const webhookEndpointWithSecret = z
  .strictObject({
    ...endpointFields,
    secret: text.describe('The secret that signs the deliveries; shown only once.'),
  })
  .meta({ id: 'WebhookEndpointWithSecret' });

const webhookAttempt = z
  .strictObject({
    at: instant.describe('The start of the attempt.'),
    milliseconds: z.int().describe('The duration in milliseconds.'),
    http_status: z.int().nullable().describe('Null when no answer came.'),
    error: nullableText.describe('Why there was no response.'),
    response: nullableText.describe('The beginning of the response body, at most 1 KiB.'),
  })
  .meta({ id: 'WebhookAttempt' });

const webhookDelivery = z
  .strictObject({
    id: text.describe('For `redeliver`.'),
    endpoint_id: text.describe('The recipients.'),
    event_id: text.describe('The event, and the header `webhook-id`.'),
    event_type: oneOf(EVENT_TYPES).describe('The type of the event.'),
    sequence: z.int().describe('The sequence of the event.'),
    status: oneOf(STATUSES).describe('`pending` is retried at `next_attempt_at`; `failed` was given up.'),
    attempts: z.array(webhookAttempt).describe('Oldest first; the last twenty.'),
    next_attempt_at: instant.nullable().describe('Null if there is no further attempt.'),
    created_at: instant.describe('Time of the first attempt.'),
  })
  .meta({ id: 'WebhookDelivery' });

export const webhookEndpointExample = {
  id: 'whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6',
  url: 'https://shop.example.com/lacre',
  event_types: ['invoice.registered', 'invoice.rejected'],
  description: 'The shop',
  status: 'active',
  disabled_reason: null,
  created_at: '2026-11-20T12:00:00.000Z',
};

const webhookEndpointWithSecretExample = {
  ...webhookEndpointExample,
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDcmFuZG9tbG8=',
};

const webhookDeliveryExample = {
  id: 'whd_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e7',
  endpoint_id: webhookEndpointExample.id,
  event_id: 'evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007',
  event_type: 'invoice.registered',
  sequence: 7,
  status: 'delivered',
  attempts: [
    { at: '2026-11-20T13:00:02.080Z', milliseconds: 41, http_status: 204, error: null, response: '' },
  ],
  next_attempt_at: null,
  created_at: '2026-11-20T13:00:02.080Z',
};

const ids = { id: ['endpoint', webhookEndpointExample.id] } as const;
const endpoint = { description: 'The endpoint', schema: webhookEndpoint, example: webhookEndpointExample };
const secret = { schema: webhookEndpointWithSecret, example: webhookEndpointWithSecretExample };
const asShown = within('endpoint', Object.keys(endpointFields));
const attempts = { attempts: 'attemptLog' };

export const webhookOperations = operations('Webhooks', [
  {
    id: 'listWebhookEndpoints',
    method: 'GET',
    path: '/v1/webhook_endpoints',
    field: 'webhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'Those of the key’s environment, at most 20, newest first.',
    query: paging(isEndpointId, 'endpoint'),
    answer: listed('WebhookEndpointPage', webhookEndpoint, webhookEndpointExample),
  },
  {
    id: 'createWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook_endpoints',
    field: 'createWebhookEndpoint',
    summary: 'Create webhook endpoint',
    description:
      'From now on every event of its types is posted to the URL, signed according to Standard Webhooks 1.0. `secret` is shown only in this answer. Needs the scopes `manage` and `read`, because an endpoint receives what `read` reads.',
    body: {
      schema: endpointRequest,
      examples: {
        everything: {
          summary: 'Receives every event',
          value: { url: 'https://example.com/lacre', event_types: ['*'] },
        },
        outcome: {
          summary: 'Receives results of registration',
          value: {
            url: 'https://example.com/lacre',
            event_types: ['invoice.registered', 'invoice.registered_with_errors', 'invoice.rejected'],
            description: 'The shop',
          },
        },
      },
    },
    answer: { status: 201, description: 'Created', ...secret },
    ...asShown,
    isSecret: true,
    codes: ['webhook_endpoint_limit_reached'],
  },
  {
    id: 'retrieveWebhookEndpoint',
    method: 'GET',
    path: '/v1/webhook_endpoints/{id}',
    field: 'webhookEndpoint',
    summary: 'Retrieve webhook endpoint',
    description: 'One endpoint of the key’s environment.',
    ids,
    answer: { status: 200, ...endpoint },
    codes: ['webhook_endpoint_not_found'],
  },
  {
    id: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: '/v1/webhook_endpoints/{id}',
    field: 'updateWebhookEndpoint',
    summary: 'Update webhook endpoint',
    description:
      'Fields that are not sent remain unchanged. A re-enabled endpoint receives the events that it has missed.',
    ids,
    body: {
      schema: endpointChange,
      examples: {
        enable: { summary: 'Enables it again', value: { status: 'active' } },
        types: { summary: 'Other types of events', value: { event_types: ['*'] } },
      },
    },
    answer: { status: 200, ...endpoint },
    codes: ['webhook_endpoint_not_found'],
  },
  {
    id: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: '/v1/webhook_endpoints/{id}',
    field: 'deleteWebhookEndpoint',
    summary: 'Delete webhook endpoint',
    description: 'Deletes the endpoint and its deliveries. It receives nothing more.',
    ids,
    answer: { status: 204, description: 'Deleted' },
    codes: ['webhook_endpoint_not_found'],
  },
  {
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhook_endpoints/{id}/rotate_secret',
    field: 'rotateWebhookSecret',
    summary: 'Rotate webhook secret',
    description:
      'Gives the endpoint a new secret, shown only in this answer. The previous one also signs for `grace_hours` (default 24).',
    ids,
    body: {
      schema: rotationRequest,
      examples: {
        soon: { summary: 'The previous secret signs for another hour', value: { grace_hours: 1 } },
      },
    },
    answer: { status: 200, description: 'The new secret', ...secret },
    ...asShown,
    isSecret: true,
    codes: ['webhook_endpoint_not_found'],
  },
  {
    id: 'pingWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook_endpoints/{id}/ping',
    field: 'pingWebhookEndpoint',
    summary: 'Ping webhook endpoint',
    description: 'Sends a `ping` event to the endpoint.',
    ids,
    answer: { status: 202, ...endpoint },
    codes: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled'],
  },
  {
    id: 'replayWebhookEvents',
    method: 'POST',
    path: '/v1/webhook_endpoints/{id}/replay',
    field: 'replayWebhookEvents',
    summary: 'Replay webhook events',
    description:
      'Delivers again all events from a sequence or a time on that are still kept. Needs the scopes `manage` and `read`.',
    ids,
    body: {
      schema: replayRequest,
      examples: {
        sequence: { summary: 'From a sequence on', value: { from_sequence: 1 } },
        time: { summary: 'From a time on', value: { from: '2026-11-20T12:00:00Z' } },
      },
    },
    answer: { status: 202, ...endpoint },
    codes: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled'],
  },
  {
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhook_endpoints/{id}/deliveries',
    field: 'webhookDeliveries',
    summary: 'List webhook deliveries',
    description: 'The delivery of each event to the endpoint, latest event first. Kept for 30 days.',
    ids,
    query: {
      ...paging(isDeliveryId, 'delivery'),
      status: z.enum(STATUSES).describe('Only deliveries with this status.'),
    },
    answer: listed('WebhookDeliveryPage', webhookDelivery, webhookDeliveryExample, 'Latest event first.'),
    selected: attempts,
    renamed: { id: 'endpointId' },
    codes: ['webhook_endpoint_not_found'],
  },
  {
    id: 'redeliverWebhook',
    method: 'POST',
    path: '/v1/webhook_deliveries/{id}/redeliver',
    field: 'redeliverWebhook',
    summary: 'Redeliver webhook',
    description: 'Delivers it again at once, even if it was delivered before.',
    ids: { id: ['delivery', webhookDeliveryExample.id] },
    answer: {
      status: 202,
      description: 'To be delivered',
      schema: webhookDelivery,
      example: webhookDeliveryExample,
    },
    selected: attempts,
    codes: ['webhook_delivery_not_found', 'webhook_endpoint_disabled'],
  },
]);
