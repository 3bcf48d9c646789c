import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute, readRow, readRows } from '../../../ground/db/rows.ts';

/** Sets the origins from which browsers may send access tokens of an environment. */
export async function writeOrigins(
  client: Queryable,
  environmentId: number,
  origins: readonly string[],
): Promise<void> {
  await execute(client, 'update environment set allowed_origins = $2 where id = $1', [
    environmentId,
    origins,
  ]);
}

const originsRow = z.object({ origins: z.array(z.string()) });

/** The origins of an environment; empty when it does not exist. */
export async function readOrigins(client: Queryable, environmentId: number): Promise<readonly string[]> {
  const text = 'select allowed_origins as origins from environment where id = $1';
  return (await readRow(client, originsRow, text, [environmentId]))?.origins ?? [];
}

const ALLOWED = {
  name: 'origins-allowed',
  text: `select asked.origin from unnest($1::text[]) as asked (origin)
          where exists (select 1 from environment where allowed_origins @> array[asked.origin])`,
};

/** Those of the origins that some environment allows. */
export async function originsAllowedAnywhere(
  client: Queryable,
  origins: readonly string[],
): Promise<Map<string, true>> {
  const rows = await readRows(client, z.object({ origin: z.string() }), ALLOWED, [origins]);
  return new Map(rows.map(({ origin }) => [origin, true]));
}
