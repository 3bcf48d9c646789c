import type { ResultOf } from 'gql.tada';
import { graphql } from '../src/graphql.ts';
import { execute, type Lacre } from './lacre.ts';

const Keys = graphql(`
  query Keys {
    apiKeys(first: 100) {
      edges {
        node {
          id
          name
          prefix
          scopes
          createdAt
          revokedAt
        }
      }
    }
  }
`);
const CreateKey = graphql(`
  mutation CreateKey($name: String!, $scopes: [KeyScope!]!) {
    createApiKey(name: $name, scopes: $scopes) {
      id
      key
    }
  }
`);
const RevokeKey = graphql(`
  mutation RevokeKey($id: ID!) {
    revokeApiKey(id: $id) {
      id
    }
  }
`);

type Listed = NonNullable<ResultOf<typeof Keys>['apiKeys']>['edges'][number];
export type ListedKey = NonNullable<Listed['node']>;
export type ShownKeys = { readonly keys: readonly ListedKey[]; readonly created: string | null };

const scopes = ['read', 'issue', 'correct', 'manage'] as const;

/**
 * Revokes the key `revoke`, or makes one named `create` with the `scopes`, if the request says so, and lists those that are in force.
 * Lacre refuses this to tokens, so the page asks its server; it also refuses to revoke a key that another than ours has made.
 */
export async function changeKeys(
  lacre: Lacre,
  { create, revoke, scopes: asked }: Readonly<Record<string, unknown>>,
): Promise<ShownKeys> {
  if (typeof revoke === 'string') await execute(lacre, RevokeKey, { id: revoke });
  const wanted = scopes.filter((scope) => Array.isArray(asked) && asked.includes(scope));
  const made =
    typeof create === 'string' ? await execute(lacre, CreateKey, { name: create, scopes: wanted }) : null;
  const { apiKeys } = await execute(lacre, Keys, {});
  const keys = (apiKeys?.edges ?? []).flatMap(({ node }) => (node === null ? [] : [node]));
  return {
    keys: keys.filter(({ revokedAt }) => revokedAt === null),
    created: made?.createApiKey?.key ?? null,
  };
}
