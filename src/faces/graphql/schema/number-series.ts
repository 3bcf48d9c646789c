import { mappedList } from '../../../ground/db/listed.ts';
import { NUMBER_SERIES, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { dropSeries, makeDefault } from '../../../subjects/number-series/administer-series.ts';
import { createSeries, findSeries } from '../../../subjects/number-series/manage-series.ts';
import { seriesRequest } from '../../../subjects/number-series/request.ts';
import type { Series } from '../../../subjects/number-series/series.ts';
import { listSeries } from '../../../subjects/number-series/store/read-series.ts';
import { builder } from '../builder.ts';
import { connectionOf, sharedBy } from '../connections.ts';
import { environmentArguments, environmentFromArguments, type OfEnvironment } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { keyOf } from '../idempotency.ts';
import { inputType } from '../input-type.ts';
import { pageCost } from '../paging.ts';
import { SeriesTypeEnum } from './enums.ts';
import { Node } from './node-interface.ts';
import { actingCaller, operatorActionArguments } from './operator-actions.ts';

type ShownSeries = OfEnvironment<Series>;

export const NumberSeries = builder.objectRef<ShownSeries>('NumberSeries').implement({
  interfaces: [Node],
  description: 'A series of gapless invoice numbers. It is immutable, and can be deleted only while unused.',
  fields: (t) => ({
    id: t.exposeID('id'),
    prefix: t.exposeString('prefix'),
    type: t.expose('type', { type: SeriesTypeEnum }),
    yearly: t.exposeBoolean('yearly', {
      description: 'Whether its numbers restart at 1 each year.',
    }),
    isDefault: t.exposeBoolean('isDefault'),
    imported: t.exposeBoolean('imported', {
      description:
        'Whether it holds invoices imported from another system. No invoices are issued on such a series.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

/** Series are listed of an environment that is named, and of one that something leads to. */
export const NumberSeriesConnection = builder.connectionObject({
  type: NumberSeries,
  name: 'NumberSeriesConnection',
});

/** A series with the number of its environment, through which it leads there. */
export function seriesWithin(environmentId: number): (series: Series) => ShownSeries {
  return (series) => ({ ...series, environmentId });
}

builder.queryField('numberSeriesById', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: NumberSeries,
    description: 'One series of the environment; `number_series_not_found` if no series has this id.',
    args: { id: t.arg.id({ required: true }), ...environmentArguments },
    resolve: async (_root, { id, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const found = await findSeries(context.services.db.pool, environmentId, id);
      return { ...valueOrThrow(found), environmentId };
    },
  }),
);

builder.queryField('numberSeries', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: NumberSeries,
      description:
        'The series of the environment, newest first. `first` and `last` are 1 to 100, 25 by default.',
      args: { type: t.arg({ type: SeriesTypeEnum }), ...environmentArguments },
      complexity: (args) => pageCost(args),
      resolve: async (_root, { type, companyId, environment, ...paging }, context) => {
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const list = listSeries(context.services.db.pool, environmentId, { type });
        return connectionOf(context, paging, mappedList(list, seriesWithin(environmentId)), {
          idOf: ({ id }) => id,
          filter: { type },
        });
      },
    },
    sharedBy(NumberSeriesConnection),
  ),
);

const CreateNumberSeriesInput = inputType(seriesRequest, 'CreateNumberSeriesInput');

builder.mutationField('createNumberSeries', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: NumberSeries,
    description:
      'Creates a series. Codes: `number_series_prefix_taken`, `number_series_numbering_collision`.',
    args: {
      input: t.arg({ type: CreateNumberSeriesInput, required: true }),
      idempotencyKey: t.arg.string(),
      ...operatorActionArguments,
    },
    resolve: async (_root, { input, idempotencyKey, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      const environmentId = await environmentFromArguments(context, args);
      const key = valueOrThrow(keyOf(context, idempotencyKey));
      const request = valueOrThrow(parseRequest(seriesRequest, input));
      const sent = { key, sent: input };
      const { outcome, replayed } = await createSeries(context.services.db, environmentId, request, sent, by);
      context.replayed = replayed;
      return { ...valueOrThrow(withFieldsOf(NUMBER_SERIES, outcome)), environmentId };
    },
  }),
);

builder.mutationField('deleteNumberSeries', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: NumberSeries,
    description: 'Deletes a series that was never used, and returns it.',
    args: { id: t.arg.id({ required: true }), ...operatorActionArguments },
    resolve: async (_root, { id, reason, ...args }, context) => {
      const by = actingCaller(context, reason);
      const environmentId = await environmentFromArguments(context, args);
      const dropped = await dropSeries(context.services.db, by, environmentId, id);
      return { ...valueOrThrow<Series>(dropped), environmentId };
    },
  }),
);

builder.mutationField('setDefaultNumberSeries', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: NumberSeries,
    description:
      'Makes a series the default series of its type. The previous one is among `companyEnvironment { numberSeries(type:) }`. The actor and the reason are kept in the audit log.',
    args: {
      id: t.arg.id({ required: true }),
      ...operatorActionArguments,
    },
    resolve: async (_root, { id, reason, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const by = actingCaller(context, reason);
      const series = valueOrThrow(await makeDefault(context.services.db, by, environmentId, id));
      return { ...series, environmentId };
    },
  }),
);
