import { z } from 'zod';
import { CLOCK_STATUSES, clockRequest } from '../../src/subjects/accounts/test-clock-request.ts';
import { instant, oneOf } from '../schema-parts.ts';
import { operations } from './operation.ts';

const testClock = z
  .strictObject({
    now: instant.describe('The current time there.'),
    status: oneOf(CLOCK_STATUSES).describe(
      'Whether it is the real time, runs ahead of it, or is being advanced.',
    ),
    target: instant.nullable().describe('The target of the advance; null if it is not being advanced.'),
  })
  .meta({ id: 'TestClock' });

const testClockExample = {
  now: '2026-11-20T12:00:00.000Z',
  status: 'advancing',
  target: '2026-12-20T12:00:00.000Z',
};

const theTime = {
  status: 200,
  description: 'The time',
  schema: testClock,
  example: testClockExample,
} as const;

export const testClockOperations = operations('Test clock', [
  {
    id: 'retrieveTestClock',
    method: 'GET',
    path: '/v1/test_clock',
    field: 'testClock',
    summary: 'Show the time of a test environment',
    description: 'The current time of the test environment. Needs the scope `read`.',
    answer: theTime,
    codes: ['test_clock_not_available'],
    command: { name: 'test-clock show', examples: [['Of a login', 'test-clock show']] },
  },
  {
    id: 'advanceTestClock',
    method: 'POST',
    path: '/v1/test_clock',
    field: 'advanceTestClock',
    summary: 'Advance test clock',
    description:
      'Advances the time of the test environment, to an instant or by a duration, day by day with everything that is due on each day. It never goes back. Needs the scope `manage`.',
    body: {
      schema: clockRequest,
      examples: {
        month: { summary: 'By a month', value: { advance: 'P1M' } },
        instant: { summary: 'To an instant', value: { now: '2027-12-31T10:00:00Z' } },
      },
    },
    answer: theTime,
    codes: ['test_clock_not_available'],
  },
  {
    id: 'removeTestClock',
    method: 'DELETE',
    path: '/v1/test_clock',
    field: 'removeTestClock',
    summary: 'Remove test clock',
    description:
      'Returns the test environment to the real time. Issued invoices keep their dates; until the real time has passed the last of them, new invoices carry that time. Needs the scope `manage`.',
    answer: { status: 204, description: 'Removed' },
    codes: ['test_clock_not_available'],
  },
]);
