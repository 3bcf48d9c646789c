/** One limit on the work that a caller, another environment or an external service can cause. */
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
    | 'per minute'
    | 'per hour';
  /** What is limited. Markdown, as shown in docs/guides/limits.md. */
  readonly bounds: string;
  /** The reason for the value. */
  readonly reason: string;
  /** What happens beyond it: a code of the catalogue, or another consequence. */
  readonly beyond: string;
  /** The setting of which this is the default. */
  readonly setting?: string;
};
