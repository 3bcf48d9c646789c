import { stringifyDocument } from '@urql/core';
import type { TadaDocumentNode } from 'gql.tada';
import { graphql } from '../src/graphql.ts';

/** Where Lacre is, and the key that this server asks it with. It never leaves this process. */
export type Lacre = { readonly url: string; readonly key: string };

const TIMEOUT_MS = 10_000;

export function lacreOf({ LACRE_URL: url, LACRE_KEY: key }: NodeJS.ProcessEnv): Lacre {
  if (url === undefined || key === undefined) throw new Error('LACRE_URL and LACRE_KEY are not set');
  return { url: url.replace(/\/$/, ''), key };
}

/** Asks GraphQL with the key, as this server. Throws what is refused. */
export async function execute<Data, Variables>(
  { url, key }: Lacre,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: stringifyDocument(document as never), variables }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: { message: string }[] };
  if (errors?.[0] !== undefined) throw new Error(errors[0].message);
  return data;
}

const Origins = graphql(`
  query Origins {
    allowedOrigins {
      origins
    }
  }
`);
const SetOrigins = graphql(`
  mutation SetOrigins($origins: [String!]!) {
    setAllowedOrigins(origins: $origins) {
      origins
    }
  }
`);

/** Lets pages of an origin ask with access tokens, beside those that may already. */
export async function allowOrigin(lacre: Lacre, origin: string): Promise<void> {
  const { allowedOrigins } = await execute(lacre, Origins, {});
  const origins = [...new Set([...(allowedOrigins?.origins ?? []), origin])];
  await execute(lacre, SetOrigins, { origins });
}

const RequireDocuments = graphql(`
  mutation RequireDocuments {
    requireTrustedDocuments(only: true) {
      only
    }
  }
`);

/** Has Lacre refuse whatever pages ask beside the documents that were published. */
export async function requireDocuments(lacre: Lacre): Promise<void> {
  await execute(lacre, RequireDocuments, {});
}
