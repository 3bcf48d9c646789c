/** Where Lacre is, and the key that this server asks it with. It never leaves this process. */
export type Lacre = { readonly url: string; readonly key: string };

export function lacreOf({ LACRE_URL: url, LACRE_KEY: key }: NodeJS.ProcessEnv): Lacre {
  if (url === undefined || key === undefined) throw new Error('LACRE_URL and LACRE_KEY are not set');
  return { url: url.replace(/\/$/, ''), key };
}

/** Asks GraphQL with the key, as this server. */
export async function execute<Data>(
  { url, key }: Lacre,
  query: string,
  variables: object = {},
): Promise<Data> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: { message: string }[] };
  if (errors?.[0] !== undefined) throw new Error(errors[0].message);
  return data;
}

/** Lets pages of an origin ask with access tokens, beside those that may already. */
export async function allowOrigin(lacre: Lacre, origin: string): Promise<void> {
  type Allowed = { allowedOrigins: { origins: string[] } };
  const { allowedOrigins } = await execute<Allowed>(lacre, '{ allowedOrigins { origins } }');
  const origins = [...new Set([...allowedOrigins.origins, origin])];
  await execute(
    lacre,
    'mutation ($origins: [String!]!) { setAllowedOrigins(origins: $origins) { origins } }',
    {
      origins,
    },
  );
}
