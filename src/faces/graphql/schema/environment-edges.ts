import { besideOthers, mappedList } from '../../../ground/db/listed.ts';
import { listSeries } from '../../../subjects/number-series/store/read-series.ts';
import { builder } from '../builder.ts';
import { connectionOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { loadersOf } from '../loaders.ts';
import { pageCost } from '../paging.ts';
import { ViewerType } from './access.ts';
import { EnvironmentType } from './companies.ts';
import { SeriesTypeEnum } from './enums.ts';
import { READING } from './invoice-edges.ts';
import { KeyType } from './keys.ts';
import { NumberSeries, NumberSeriesConnection, seriesWithin } from './number-series.ts';
import { ChainHealthType } from './operations.ts';

/**
 * An environment from what belongs to it, and its series: what a mutation changes beside the object that it returns is
 * selected in its answer by these edges.
 */

async function environmentOf(context: Context, id: number) {
  const environment = await loadersOf(context).environment(id);
  if (environment === null) throw new Error('the environment of something is gone');
  return environment;
}

const EDGE = {
  type: EnvironmentType,
  complexity: READING,
  description: 'The environment to which it belongs, in its current state.',
} as const;

builder.objectField(NumberSeries, 'companyEnvironment', (t) =>
  t.field({
    ...EDGE,
    resolve: ({ environmentId }, _args, context) => environmentOf(context, environmentId),
  }),
);

builder.objectField(ViewerType, 'companyEnvironment', (t) =>
  t.field({
    ...EDGE,
    nullable: true,
    description: 'The environment with what it has; null for an operator, who can access every environment.',
    resolve: (viewer, _args, context) =>
      viewer.kind === 'operator' ? null : environmentOf(context, viewer.environmentId),
  }),
);

builder.objectField(ChainHealthType, 'companyEnvironment', (t) =>
  t.field({
    ...EDGE,
    resolve: ({ environmentId }, _args, context) => environmentOf(context, environmentId),
  }),
);

builder.objectField(KeyType, 'companyEnvironment', (t) =>
  t.field({
    ...EDGE,
    nullable: true,
    description: 'The environment of a merchant’s key, in its current state; null for an operator’s.',
    resolve: ({ environmentId: id }, _args, context) => (id === null ? null : environmentOf(context, id)),
  }),
);

builder.objectField(EnvironmentType, 'numberSeries', (t) =>
  t.connection(
    {
      type: NumberSeries,
      description: 'Its series, newest first. `first` and `last` are 1 to 100, 25 by default.',
      args: { type: t.arg({ type: SeriesTypeEnum, description: 'Only series of this type.' }) },
      complexity: (args) => pageCost(args),
      resolve: ({ id }, { type, ...paging }, context) => {
        const loaders = loadersOf(context);
        const list = besideOthers(listSeries(context.services.db.pool, id, { type }), {
          first: (rows, backwards) => loaders.seriesOf(id, type ?? '', rows, backwards),
          count: () => loaders.seriesCount(id, type ?? ''),
        });
        return connectionOf(context, paging, mappedList(list, seriesWithin(id)), {
          idOf: (series) => series.id,
          filter: { type },
        });
      },
    },
    NumberSeriesConnection,
  ),
);
