import type { Lacre } from '../../examples/dashboard/server/lacre.ts';

/** Executes a text of GraphQL with the key of a service. Throws what is refused. */
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
