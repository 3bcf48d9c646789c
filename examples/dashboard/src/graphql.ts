import { initGraphQLTada } from 'gql.tada';
// In a project of your own: `npx gql.tada generate-output`, with the service's /docs/schema.graphql as its schema.
import type { introspection } from '../../../generated/graphql-env.d.ts';

/** Documents are typed by the schema: a field that is not there, or a variable of another type, does not compile. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    ID: string;
    SafeInt: number;
    DateTime: string;
    Date: string;
    Decimal: string;
    JSON: unknown;
  };
}>();
