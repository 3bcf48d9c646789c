import type { Queryable } from '../../ground/db/queryable.ts';

export async function writeOrigins(
  client: Queryable,
  environmentId: number,
  origins: readonly string[],
): Promise<void> {
  await client.query('update environment set allowed_origins = $2 where id = $1', [environmentId, origins]);
}

export async function readOrigins(client: Queryable, environmentId: number): Promise<readonly string[]> {
  const { rows } = await client.query<{ origins: string[] }>(
    'select allowed_origins as origins from environment where id = $1',
    [environmentId],
  );
  return rows[0]?.origins ?? [];
}

/** Those of the origins that some environment names. */
export async function originsAllowedAnywhere(
  client: Queryable,
  origins: readonly string[],
): Promise<Map<string, true>> {
  const { rows } = await client.query<{ origin: string }>({
    name: 'origins-allowed',
    text: `select asked.origin from unnest($1::text[]) as asked (origin)
            where exists (select from environment where allowed_origins @> array[asked.origin])`,
    values: [origins],
  });
  return new Map(rows.map(({ origin }) => [origin, true]));
}
