import { stored } from '../../src/faces/graphql/stored.ts';

/** The fields of an event. */
const EVENT_FIELDS = `fragment EventFields on Event {
  id
  type
  sequence
  created_at: createdAt
  environment
  data
}`;

/** The stored queries of the endpoints under /v1/events. */
export const eventOperations = {
  list: stored(
    `query ListEvents(
  $first: Int
  $after: String
  $last: Int
  $before: String
  $types: [String!]
  $afterSequence: Int
  $createdFrom: DateTime
  $createdTo: DateTime
  $order: EventOrder
) {
  answer: events(
    first: $first
    after: $after
    last: $last
    before: $before
    types: $types
    afterSequence: $afterSequence
    createdFrom: $createdFrom
    createdTo: $createdTo
    order: $order
  ) {
    edges {
      node {
        ...EventFields
      }
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
    }
  }
}`,
    [EVENT_FIELDS],
  ),
  get: stored(
    `query GetEvent($id: ID!) {
  answer: event(id: $id) {
    ...EventFields
  }
}`,
    [EVENT_FIELDS],
  ),
};
