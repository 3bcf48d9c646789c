/** One bound on the work that a caller, a neighbour or an outside service can cause. */
export type Limit = {
  readonly group:
    | 'Requests'
    | 'GraphQL'
    | 'Shares of an environment'
    | 'Database'
    | 'Documents'
    | 'Log'
    | 'What others send us'
    | 'Webhooks'
    | 'Live updates'
    | 'E-mail';
  readonly value: number;
  readonly unit:
    | 'bytes'
    | 'bytes per second'
    | 'ms'
    | 'seconds'
    | 'items'
    | 'levels'
    | 'points'
    | 'per second'
    | 'per minute';
  /** What is bounded. Markdown, as it stands in docs/guides/limits.md. */
  readonly bounds: string;
  /** Why the value is what it is. */
  readonly reason: string;
  /** What whoever goes beyond it gets: a code of the catalogue, or what is done. */
  readonly beyond: string;
  /** The setting whose default this is. */
  readonly setting?: string;
};
