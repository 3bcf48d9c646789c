import { z } from 'zod';
import { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import {
  column,
  type RowKey,
  readOneRow,
  readRow,
  readRowOfEach,
  readRows,
} from '../../../ground/db/rows.ts';
import { KEY_SCOPES, OPERATOR_ROLES } from '../entry/permissions.ts';

const listedKey = z.object({
  id: z.string(),
  prefix: z.string(),
  name: z.string(),
  companyId: z.string().nullable(),
  environmentId: column.whole.nullable(),
  environment: z.enum(EnvironmentKind).nullable(),
  /** The scopes of a merchant's key, in the order of the contract; empty for an operator's key. */
  scopes: z.array(z.enum(KEY_SCOPES)),
  /** The role of an operator's key. */
  role: z.enum(OPERATOR_ROLES).nullable(),
  createdAt: column.instant,
  expiresAt: column.instant.nullable(),
  revokedAt: column.instant.nullable(),
});

/** The data of a key that may be shown; an operator's key belongs to no company. */
export type ListedKey = Readonly<z.infer<typeof listedKey>>;

const COLUMNS = `k.id, k.prefix, k.name, e.company_id as "companyId", e.id as "environmentId",
    e.kind as environment, k.scopes, k.role, k.created_at as "createdAt", k.expires_at as "expiresAt",
    k.revoked_at as "revokedAt"`;

const KEYS = `(
    select id, prefix, name, environment_id, scopes, null as role, created_at, expires_at, revoked_at from api_key
    union all
    select id, prefix, name, null, array[]::text[], role, created_at, expires_at, revoked_at from operator_key) k
  left join environment e on e.id = k.environment_id`;

/** The keys of a company, those of operators (`null`), or all (`undefined`), newest first. */
export function listKeys(db: Queryable, companyId: string | null | undefined): Listed<ListedKey> {
  return listed(db, {
    ...{ shape: listedKey, columns: COLUMNS, from: KEYS, id: 'k.id' },
    where: '$2 or e.company_id = $1 or ($1::text is null and k.environment_id is null)',
    values: [companyId ?? null, companyId === undefined],
    ...{ order: ['k.created_at', 'k.id'], direction: 'desc' },
  });
}

/** The keys of an environment, newest first. */
export function listOwnKeys(db: Queryable, environmentId: number): Listed<ListedKey> {
  return listed(db, {
    ...{ shape: listedKey, columns: COLUMNS, from: OWN_KEYS, id: 'k.id' },
    ...{ where: 'k.environment_id = $1', values: [environmentId] },
    ...{ order: ['k.created_at', 'k.id'], direction: 'desc' },
  });
}

const OWN_KEYS = '(select *, null as role from api_key) k join environment e on e.id = k.environment_id';

const countRow = z.object({ count: column.whole });

/** How many keys of an environment are in force. */
export async function countKeysInForce(db: Queryable, environmentId: number): Promise<number> {
  const text = `select count(*)::int as count from api_key
    where environment_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`;
  return (await readOneRow(db, countRow, text, [environmentId])).count;
}

/** All keys of a company, or all keys including the operators', newest first. */
export function allKeys(db: Queryable, companyId: string | null): Promise<ListedKey[]> {
  const text = `select ${COLUMNS} from ${KEYS} where $1::text is null or e.company_id = $1
    order by k.created_at desc, k.id desc`;
  return readRows(db, listedKey, text, [companyId]);
}

/** Keys of either kind by their ids. */
export function readKeysById(db: Queryable, keys: readonly RowKey[]): Promise<Map<string, ListedKey>> {
  return readRowOfEach(db, listedKey, `select ${COLUMNS} from ${KEYS} where k.id = wanted.id`, keys);
}

/** One key of either kind, or null. */
export function findKey(db: Queryable, id: string): Promise<ListedKey | null> {
  return readRow(db, listedKey, `select ${COLUMNS} from ${KEYS} where k.id = $1`, [id]);
}

const nameRow = z.object({ id: z.string(), name: z.string() });

/** The names of operators, by the ids of their keys and identities. */
export async function readOperatorNames(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const text = `select id, name from operator_key where id = any ($1)
    union all select id, name from operator_identity where id = any ($1)`;
  return new Map((await readRows(db, nameRow, text, [ids])).map(({ id, name }) => [id, name]));
}
