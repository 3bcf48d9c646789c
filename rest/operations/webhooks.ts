import { stored } from '../../src/faces/graphql/stored.ts';

/** The fields of a webhook endpoint. */
const ENDPOINT_FIELDS = `fragment WebhookEndpointFields on WebhookEndpoint {
  id
  url
  event_types: eventTypes
  description
  status
  disabled_reason: disabledReason
  created_at: createdAt
}`;

/** The fields of a delivery. */
const DELIVERY_FIELDS = `fragment WebhookDeliveryFields on WebhookDelivery {
  id
  endpoint_id: endpointId
  event_id: eventId
  event_type: eventType
  sequence
  status
  attempts: attemptLog {
    at
    milliseconds
    http_status: httpStatus
    error
    response
  }
  next_attempt_at: nextAttemptAt
  created_at: createdAt
}`;

/** The stored queries of the endpoints under /v1/webhook_endpoints and /v1/webhook_deliveries. */
export const webhookOperations = {
  create: stored(
    `mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  answer: createWebhookEndpoint(input: $input) {
    endpoint {
      ...WebhookEndpointFields
    }
    secret
  }
}`,
    [ENDPOINT_FIELDS],
  ),
  list: stored(
    `query ListWebhookEndpoints {
  answer: webhookEndpoints {
    ...WebhookEndpointFields
  }
}`,
    [ENDPOINT_FIELDS],
  ),
  get: stored(
    `query GetWebhookEndpoint($id: ID!) {
  answer: webhookEndpoint(id: $id) {
    ...WebhookEndpointFields
  }
}`,
    [ENDPOINT_FIELDS],
  ),
  update: stored(
    `mutation UpdateWebhookEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {
  answer: updateWebhookEndpoint(id: $id, input: $input) {
    ...WebhookEndpointFields
  }
}`,
    [ENDPOINT_FIELDS],
  ),
  remove: stored(`mutation DeleteWebhookEndpoint($id: ID!) {
  answer: deleteWebhookEndpoint(id: $id) { id }
}`),
  rotate: stored(
    `mutation RotateWebhookSecret($id: ID!, $graceHours: Int) {
  answer: rotateWebhookSecret(id: $id, graceHours: $graceHours) {
    endpoint {
      ...WebhookEndpointFields
    }
    secret
  }
}`,
    [ENDPOINT_FIELDS],
  ),
  ping: stored(
    `mutation PingWebhookEndpoint($id: ID!) {
  answer: pingWebhookEndpoint(id: $id) {
    ...WebhookEndpointFields
  }
}`,
    [ENDPOINT_FIELDS],
  ),
  replay: stored(
    `mutation ReplayWebhookEvents($id: ID!, $fromSequence: Int, $from: DateTime) {
  answer: replayWebhookEvents(id: $id, fromSequence: $fromSequence, from: $from) {
    ...WebhookEndpointFields
  }
}`,
    [ENDPOINT_FIELDS],
  ),
  deliveries: stored(
    `query ListWebhookDeliveries(
  $endpointId: ID!
  $first: Int
  $after: String
  $last: Int
  $before: String
  $status: WebhookDeliveryStatus
) {
  answer: webhookDeliveries(
    endpointId: $endpointId
    first: $first
    after: $after
    last: $last
    before: $before
    status: $status
  ) {
    edges {
      node {
        ...WebhookDeliveryFields
      }
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
    }
  }
}`,
    [DELIVERY_FIELDS],
  ),
  redeliver: stored(
    `mutation RedeliverWebhook($id: ID!) {
  answer: redeliverWebhook(id: $id) {
    ...WebhookDeliveryFields
  }
}`,
    [DELIVERY_FIELDS],
  ),
};
