import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readRows } from '../../../ground/db/rows.ts';

/** The journal of a name. */
export async function journalsNamed(client: Queryable, origin: string): Promise<number[]> {
  const shape = z.object({ id: column.whole });
  const text = `${OF_ALL} select environment_id as id from journal_head where origin = $1`;
  return (await readRows(client, shape, text, [origin])).map(({ id }) => id);
}

/** The names of journals whose environment is gone. */
export async function orphanedJournals(client: Queryable): Promise<string[]> {
  const rows = await readRows(
    client,
    z.object({ origin: z.string() }),
    `${OF_ALL} select origin from journal_head head where environment_id <> 0
        and not exists (select 1 from environment where environment.id = abs(head.environment_id)) order by 1`,
  );
  return rows.map(({ origin }) => origin);
}

/** The hashes of the entries after a position, in order, up to the first gap. */
export async function hashesAfter(
  client: Queryable,
  environmentId: number,
  position: number,
  limit: number,
): Promise<Buffer[]> {
  const shape = z.object({ hash: column.bytes });
  const statement = {
    name: 'journal-hashes',
    text: `select hash from journal_entry where environment_id = $1 and position > $2 order by position limit $3`,
  };
  return (await readRows(client, shape, statement, [environmentId, position, limit])).map(({ hash }) => hash);
}
