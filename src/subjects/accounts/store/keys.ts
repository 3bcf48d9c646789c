import type { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute } from '../../../ground/db/rows.ts';
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
};

/** Inserts a merchant's key; false when there is no environment of that id and kind. */
export async function insertApiKey(db: Queryable, row: ApiKeyRow): Promise<boolean> {
  const written = await execute(
    db,
    `insert into api_key (id, environment_id, name, prefix, hash, scopes, expires_at)
     select $1, id, $3, $4, $5, $7, $8 from environment where id = $2 and kind = $6`,
    [
      ...[row.id, row.environmentId, row.name, row.prefix, row.hash],
      ...[row.environment, row.scopes, row.expiresAt],
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
  const text = `update ${table} set revoked_at = coalesce(revoked_at, now()) where id = $1`;
  return (await execute(db, text, [id])) === 1;
}
