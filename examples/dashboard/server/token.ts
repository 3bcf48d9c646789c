import { graphql } from '../src/graphql.ts';
import { execute, type Lacre } from './lacre.ts';

const TTL_SECONDS = 600;

const CreateToken = graphql(`
  mutation CreateToken($scopes: [KeyScope!]!, $ttlSeconds: Int!) {
    createAccessToken(scopes: $scopes, ttlSeconds: $ttlSeconds) {
      token
    }
  }
`);

const Reached = graphql(`
  query Reached {
    events(first: 1, order: desc) {
      edges {
        node {
          id
          sequence
        }
      }
    }
  }
`);

/** A token for a page, with the scopes of who is signed in there. The key itself never leaves this process. */
export async function createToken(
  lacre: Lacre,
  scopes: readonly ('read' | 'issue' | 'correct' | 'manage')[],
) {
  const variables = { scopes: [...scopes], ttlSeconds: TTL_SECONDS };
  const { createAccessToken } = await execute(lacre, CreateToken, variables);
  if (createAccessToken === null) throw new Error('Lacre gave no token');
  // No time of day: the clock of a visitor's computer may be wrong.
  return {
    graphqlUrl: `${lacre.url}/graphql`,
    token: createAccessToken.token,
    goodForMs: TTL_SECONDS * 1_000,
    scopes,
  };
}

/** How far the journal has come: what a page reads afterwards is at least as new, and its live updates begin there. */
export async function reachedBy(lacre: Lacre): Promise<number> {
  const { events } = await execute(lacre, Reached, {});
  return events?.edges[0]?.node?.sequence ?? 0;
}
