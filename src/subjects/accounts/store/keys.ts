import { z } from 'zod';
import type { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute, readRows } from '../../../ground/db/rows.ts';
import type { KeyScope, OperatorRole } from '../entry/permissions.ts';

type KeyRow = {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly hash: Buffer;
  readonly expiresAt: Date | null;
};

type ApiKeyRow = KeyRow & {
  readonly environmentId: number;
  readonly environment: EnvironmentKind;
  readonly scopes: readonly KeyScope[];
  /** The key that made it; null if an operator did. */
  readonly madeBy: string | null;
};

/** Inserts a merchant's key; false when there is no environment of that id and kind. */
export async function insertApiKey(db: Queryable, row: ApiKeyRow): Promise<boolean> {
  const written = await execute(
    db,
    `insert into api_key (id, environment_id, name, prefix, hash, scopes, expires_at, made_by)
     select $1, id, $3, $4, $5, $7, $8, $9 from environment where id = $2 and kind = $6`,
    [
      ...[row.id, row.environmentId, row.name, row.prefix, row.hash],
      ...[row.environment, row.scopes, row.expiresAt, row.madeBy],
    ],
  );
  return written === 1;
}

/** Inserts an operator's key. */
export async function insertOperatorKey(
  db: Queryable,
  { id, name, prefix, hash, role, expiresAt }: KeyRow & { readonly role: OperatorRole },
): Promise<void> {
  await execute(
    db,
    'insert into operator_key (id, name, prefix, hash, role, expires_at) values ($1, $2, $3, $4, $5, $6)',
    [id, name, prefix, hash, role, expiresAt],
  );
}

/** Revokes a key unless it is revoked already. False when there is no such key. */
export async function endKey(db: Queryable, table: 'operator_key' | 'api_key', id: string): Promise<boolean> {
  const text = `with time as materialized (select now() as now)
    update ${table} set revoked_at = coalesce(revoked_at, time.now) from time where id = $1`;
  return (await execute(db, text, [id])) === 1;
}

/** Revokes the keys of an environment that a key has made, and those that these have made. Returns their ids. */
export async function endMadeBy(db: Queryable, environmentId: number, id: string): Promise<string[]> {
  const text = `with recursive made as (
      select id from api_key where environment_id = $1 and made_by = $2
      union select api_key.id from api_key join made on api_key.environment_id = $1 and api_key.made_by = made.id)
    update api_key set revoked_at = now()
     where environment_id = $1 and revoked_at is null and id in (select id from made) returning id`;
  return (await readRows(db, idRow, text, [environmentId, id])).map((row) => row.id);
}

const idRow = z.object({ id: z.string() });
