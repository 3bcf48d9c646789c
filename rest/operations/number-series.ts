import { stored } from '../../src/faces/graphql/stored.ts';

/** The fields of a number series in the contract. */
const SERIES_FIELDS = `fragment SeriesFields on NumberSeries {
  id
  prefix
  type
  yearly
  is_default: isDefault
  imported
  created_at: createdAt
}`;

/** The stored queries of the endpoints under /v1/number_series. */
export const seriesOperations = {
  create: stored(
    `mutation CreateNumberSeries($input: CreateNumberSeriesInput!, $idempotencyKey: String) {
  answer: createNumberSeries(input: $input, idempotencyKey: $idempotencyKey) {
    ...SeriesFields
  }
}`,
    [SERIES_FIELDS],
  ),
  list: stored(
    `query ListNumberSeries(
  $first: Int
  $after: String
  $last: Int
  $before: String
  $type: NumberSeriesType
) {
  answer: numberSeriesList(first: $first, after: $after, last: $last, before: $before, type: $type) {
    edges {
      node {
        ...SeriesFields
      }
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
    }
  }
}`,
    [SERIES_FIELDS],
  ),
  get: stored(
    `query GetNumberSeries($id: ID!) {
  answer: numberSeries(id: $id) {
    ...SeriesFields
  }
}`,
    [SERIES_FIELDS],
  ),
  remove: stored(`mutation DeleteNumberSeries($id: ID!) {
  answer: deleteNumberSeries(id: $id) { id }
}`),
};
