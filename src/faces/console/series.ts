import { stored } from './query.ts';

/** A number series as GraphQL gives it. */
export type Series = {
  readonly id: string;
  readonly prefix: string;
  readonly type: 'standard' | 'rectifying';
  readonly yearly: boolean;
  readonly isDefault: boolean;
  readonly createdAt: string;
};

/** More than anybody has; the newest first. */
export const MAX_SERIES = 100;

export const SERIES = stored(
  `query ConsoleSeries($companyId: ID!, $environment: Environment!) {
    numberSeries(companyId: $companyId, environment: $environment, first: ${MAX_SERIES}) {
      edges { node { id prefix type yearly isDefault createdAt } }
    }
  }`,
);
