import { stored } from '../../src/faces/graphql/stored.ts';

/** The stored queries of the endpoints under /v1/test_clock. */
export const clockOperations = {
  get: stored(`query GetTestClock {
  answer: testClock { now status target }
}`),
  advance: stored(`mutation AdvanceTestClock($now: DateTime, $advance: String) {
  answer: advanceTestClock(now: $now, advance: $advance) { now status target }
}`),
  remove: stored(`mutation RemoveTestClock {
  answer: removeTestClock { now }
}`),
};
