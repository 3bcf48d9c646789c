import * as examples from './event-examples.ts';
import { idOf, located, operation, paging, query } from './parts.ts';
import { answered, type refusalsAt, sent, withBody } from './responses.ts';
import { enumeration, type Json } from './schemas.ts';

type Refusals = ReturnType<typeof refusalsAt>;

const endpointId = idOf('endpoint', examples.webhookEndpoint.id);

/** The operations on webhook endpoints and their deliveries. */
export function webhookPaths(refusing: Refusals): Json {
  return { ...endpointPaths(refusing), ...endpointActionPaths(refusing), ...deliveryPaths(refusing) };
}

const one = { description: 'The endpoint', ...answered('WebhookEndpoint', examples.webhookEndpoint) };

function endpointPaths({ refusals }: Refusals): Json {
  return {
    '/v1/webhook_endpoints': {
      get: operation(
        'listWebhookEndpoints',
        'Webhooks',
        'List webhook endpoints',
        'Those of the key’s environment, at most 20, newest first.',
        {
          parameters: [...paging],
          responses: {
            200: { description: 'A page', ...answered('WebhookEndpointPage', examples.webhookEndpointPage) },
            ...refusals(),
          },
        },
      ),
      post: operation(
        'createWebhookEndpoint',
        'Webhooks',
        'Create webhook endpoint',
        'From now on every event of its types is posted to the URL, signed according to Standard Webhooks 1.0. `secret` is shown only in this answer. Needs the scopes `manage` and `read`, because an endpoint receives what `read` reads.',
        {
          requestBody: sent('WebhookEndpointRequest', examples.endpointRequests),
          responses: {
            201: {
              description: 'Created',
              headers: located,
              ...answered('WebhookEndpointWithSecret', examples.webhookEndpointWithSecret),
            },
            ...refusals(...withBody, 'webhook_endpoint_limit_reached'),
          },
        },
      ),
    },
    '/v1/webhook_endpoints/{id}': {
      get: operation(
        'retrieveWebhookEndpoint',
        'Webhooks',
        'Retrieve webhook endpoint',
        'One endpoint of the key’s environment.',
        {
          parameters: [endpointId],
          responses: { 200: one, ...refusals('webhook_endpoint_not_found') },
        },
      ),
      patch: operation(
        'updateWebhookEndpoint',
        'Webhooks',
        'Update webhook endpoint',
        'Fields that are not sent remain unchanged. A re-enabled endpoint receives the events that it has missed.',
        {
          parameters: [endpointId],
          requestBody: sent('WebhookEndpointChange', examples.endpointChanges),
          responses: { 200: one, ...refusals(...withBody, 'webhook_endpoint_not_found') },
        },
      ),
      delete: operation(
        'deleteWebhookEndpoint',
        'Webhooks',
        'Delete webhook endpoint',
        'Deletes the endpoint and its deliveries. It receives nothing more.',
        {
          parameters: [endpointId],
          responses: {
            204: { description: 'Deleted' },
            ...refusals(...withBody, 'webhook_endpoint_not_found'),
          },
        },
      ),
    },
  };
}

function endpointActionPaths({ refusals }: Refusals): Json {
  return {
    '/v1/webhook_endpoints/{id}/rotate_secret': {
      post: operation(
        'rotateWebhookSecret',
        'Webhooks',
        'Rotate webhook secret',
        'Gives the endpoint a new secret, shown only in this answer. The previous one also signs for `grace_hours` (default 24).',
        {
          parameters: [endpointId],
          requestBody: { ...sent('WebhookSecretRotation', examples.rotations), required: false },
          responses: {
            200: {
              description: 'The new secret',
              ...answered('WebhookEndpointWithSecret', examples.webhookEndpointWithSecret),
            },
            ...refusals(...withBody, 'webhook_endpoint_not_found'),
          },
        },
      ),
    },
    '/v1/webhook_endpoints/{id}/ping': {
      post: operation(
        'pingWebhookEndpoint',
        'Webhooks',
        'Ping webhook endpoint',
        'Sends a `ping` event to the endpoint.',
        {
          parameters: [endpointId],
          responses: {
            202: one,
            ...refusals(...withBody, 'webhook_endpoint_not_found', 'webhook_endpoint_disabled'),
          },
        },
      ),
    },
    '/v1/webhook_endpoints/{id}/replay': {
      post: operation(
        'replayWebhookEvents',
        'Webhooks',
        'Replay webhook events',
        'Delivers again all events from a sequence or a time on that are still kept. Needs the scopes `manage` and `read`.',
        {
          parameters: [endpointId],
          requestBody: sent('WebhookReplayRequest', examples.replays),
          responses: {
            202: one,
            ...refusals(...withBody, 'webhook_endpoint_not_found', 'webhook_endpoint_disabled'),
          },
        },
      ),
    },
  };
}

function deliveryPaths({ refusals }: Refusals): Json {
  const status = enumeration('WebhookDeliveryStatus', 'sent');
  return {
    '/v1/webhook_endpoints/{id}/deliveries': {
      get: operation(
        'listWebhookDeliveries',
        'Webhooks',
        'List webhook deliveries',
        'The delivery of each event to the endpoint, latest event first. Kept for 30 days.',
        {
          parameters: [endpointId, ...paging, query('status', status, 'Only deliveries with this status.')],
          responses: {
            200: { description: 'A page', ...answered('WebhookDeliveryPage', examples.webhookDeliveryPage) },
            ...refusals('webhook_endpoint_not_found'),
          },
        },
      ),
    },
    '/v1/webhook_deliveries/{id}/redeliver': {
      post: operation(
        'redeliverWebhook',
        'Webhooks',
        'Redeliver webhook',
        'Delivers it again at once, even if it was delivered before.',
        {
          parameters: [idOf('delivery', examples.webhookDelivery.id)],
          responses: {
            202: { description: 'To be delivered', ...answered('WebhookDelivery', examples.webhookDelivery) },
            ...refusals(...withBody, 'webhook_delivery_not_found', 'webhook_endpoint_disabled'),
          },
        },
      ),
    },
  };
}
