import { z } from 'zod';
import { isSeriesId, SERIES_TYPES, seriesRequest } from '../../src/subjects/number-series/request.ts';
import { instant, oneOf, text } from '../schema-parts.ts';
import { listed, paging } from './lists.ts';
import { operations } from './operation.ts';

export const numberSeries = z
  .strictObject({
    id: text.describe('An opaque id.'),
    prefix: text.describe('The prefix of its numbers.'),
    type: oneOf(SERIES_TYPES).describe('What it numbers: ordinary invoices or rectificativas.'),
    yearly: z.boolean().describe('Whether its numbers restart at 1 each year.'),
    is_default: z.boolean().describe('Whether it is used if a request names none.'),
    imported: z
      .literal(true)
      .optional()
      .describe('True only for the series of imported invoices, on which none are issued.'),
    created_at: instant.describe('The creation time.'),
  })
  .meta({ id: 'NumberSeries' });

export const numberSeriesExample = {
  id: 'ns_01a1f90c894f74b495221ab4d079b5f8',
  prefix: 'WEB',
  type: 'standard',
  yearly: true,
  is_default: false,
  created_at: '2026-11-20T13:00:00.000Z',
};

const ids = { id: ['series', numberSeriesExample.id] } as const;

export const numberSeriesOperations = operations('Number series', [
  {
    id: 'listNumberSeries',
    method: 'GET',
    path: '/v1/number_series',
    field: 'numberSeries',
    summary: 'List number series, newest first',
    description: 'Those of the key’s environment. Needs the scope `read`.',
    query: {
      ...paging(isSeriesId, 'number series'),
      type: z.enum(SERIES_TYPES).describe('Only series of this type.'),
    },
    answer: listed('NumberSeriesPage', numberSeries, numberSeriesExample),
    tool: { name: 'list_number_series', rows: 'series' },
  },
  {
    id: 'createNumberSeries',
    method: 'POST',
    path: '/v1/number_series',
    field: 'createNumberSeries',
    summary: 'Create a number series',
    description:
      'A series is immutable. Its numbers are `<PREFIX>-<YYYY>-<n>`, or `<PREFIX>-<n>` if it is not yearly, without gaps. Needs the scope `manage`.',
    isKeyed: true,
    body: {
      schema: seriesRequest,
      examples: {
        yearly: {
          summary: 'Counts from 1 each year: WEB-2026-1',
          value: { prefix: 'WEB', type: 'standard' },
        },
        continuous: {
          summary: 'Never restarts: TPV7-1',
          value: { prefix: 'TPV7', type: 'standard', yearly: false },
        },
        rectifying: { summary: 'For rectificativas', value: { prefix: 'RWEB', type: 'rectifying' } },
      },
    },
    answer: { status: 201, description: 'Created', schema: numberSeries, example: numberSeriesExample },
    codes: ['number_series_prefix_taken', 'number_series_numbering_collision'],
  },
  {
    id: 'retrieveNumberSeries',
    method: 'GET',
    path: '/v1/number_series/{id}',
    field: 'numberSeriesById',
    summary: 'Read a number series',
    description: 'One series of the key’s environment. Needs the scope `read`.',
    ids,
    answer: { status: 200, description: 'The series', schema: numberSeries, example: numberSeriesExample },
    codes: ['number_series_not_found'],
  },
  {
    id: 'deleteNumberSeries',
    method: 'DELETE',
    path: '/v1/number_series/{id}',
    field: 'deleteNumberSeries',
    summary: 'Delete a number series that was never used',
    description:
      'A default series, or one that an integration uses, cannot be deleted. Needs the scope `manage`.',
    ids,
    answer: { status: 204, description: 'Deleted' },
    codes: ['number_series_not_found', 'number_series_in_use'],
  },
]);
