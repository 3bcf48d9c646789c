import { createHash, randomBytes } from 'node:crypto';
import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { newId } from '../../ground/lib/ids.ts';
import { KEY_SCOPES, type KeyScope, type OperatorRole } from './permissions.ts';

/** 256 random bits. Nobody can guess one, so a plain SHA-256 keeps it safe: there is nothing to try. */
const SECRET_BYTES = 32;
/** Characters of the secret that people may see, to tell keys apart; more than 200 bits stay unknown. */
const SHOWN = 6;

const PATTERN = /^(sk_test|sk_live|op)_[A-Za-z0-9_-]{43}$/;

export type KeyKind = 'sk_test' | 'sk_live' | 'op';

/** A key at the only moment at which it is known whole. */
export type NewKey = { readonly id: string; readonly key: string; readonly prefix: string };

/** Which kind of key the text is by its form, or null when it can be none of ours. */
export function keyKind(text: string): KeyKind | null {
  return (PATTERN.exec(text)?.[1] as KeyKind | undefined) ?? null;
}

/** What is stored of a key. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

type NewApiKey = {
  readonly environmentId: number;
  readonly environment: EnvironmentKind;
  readonly name: string;
  /** All of them when left out. */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** It is in force until then; for ever when left out. */
  readonly expiresAt?: Date | undefined;
};

/** Creates a merchant's key for an environment, which must be of that kind. The key is shown here and never again. */
export async function createApiKey(client: Queryable, owner: NewApiKey): Promise<NewKey> {
  const created = { id: newId('key'), ...makeKey(`sk_${owner.environment}`) };
  const { rowCount } = await client.query(
    `insert into api_key (id, environment_id, name, prefix, hash, scopes, expires_at)
     select $1, id, $3, $4, $5, $7, $8 from environment where id = $2 and kind = $6`,
    [
      ...[
        created.id,
        owner.environmentId,
        owner.name,
        created.prefix,
        keyHash(created.key),
        owner.environment,
      ],
      ...[owner.scopes ?? KEY_SCOPES, owner.expiresAt ?? null],
    ],
  );
  if (rowCount !== 1) throw new Error(`no ${owner.environment} environment ${owner.environmentId}`);
  return created;
}

/** Creates an operator's key, which may do everything unless its role says less. It is shown here and never again. */
export async function createOperatorKey(
  client: Queryable,
  name: string,
  {
    role = 'admin',
    expiresAt,
  }: { readonly role?: OperatorRole | undefined; readonly expiresAt?: Date | undefined } = {},
): Promise<NewKey> {
  const created = { id: newId('opk'), ...makeKey('op') };
  await client.query(
    'insert into operator_key (id, name, prefix, hash, role, expires_at) values ($1, $2, $3, $4, $5, $6)',
    [created.id, name, created.prefix, keyHash(created.key), role, expiresAt ?? null],
  );
  return created;
}

/** Ends a key of either kind at once and for good. False when there is no such key; true also when it had ended before. */
export async function revokeKey(client: Queryable, id: string): Promise<boolean> {
  const table = id.startsWith('opk_') ? 'operator_key' : 'api_key';
  const { rowCount } = await client.query(
    `update ${table} set revoked_at = coalesce(revoked_at, now()) where id = $1`,
    [id],
  );
  return rowCount === 1;
}

/** What may be seen of a key; an operator's belongs to no company. */
export type ListedKey = {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly companyId: string | null;
  readonly environmentId: number | null;
  readonly environment: EnvironmentKind | null;
  /** What a merchant's key may do, in the order of the contract; none of an operator's. */
  readonly scopes: readonly KeyScope[];
  /** Of an operator's key. */
  readonly role: OperatorRole | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
};

const LISTED = `select k.id, k.prefix, k.name, e.company_id as "companyId", e.id as "environmentId",
    e.kind as environment, k.scopes, k.role, k.created_at as "createdAt", k.expires_at as "expiresAt",
    k.revoked_at as "revokedAt"
  from (select id, prefix, name, environment_id, scopes, null as role, created_at, expires_at, revoked_at from api_key
        union all
        select id, prefix, name, null, array[]::text[], role, created_at, expires_at, revoked_at from operator_key) k
  left join environment e on e.id = k.environment_id`;

/** The keys of a company, or all with the operators', the newest first. */
export async function listKeys(
  client: Queryable,
  companyId: string | null,
  most: number | null = null,
): Promise<ListedKey[]> {
  const { rows } = await client.query<ListedKey>(
    `${LISTED} where $1::text is null or e.company_id = $1 order by k.created_at desc, k.id limit $2`,
    [companyId, most],
  );
  return rows;
}

/** The keys of operators, the newest first. */
export async function listOperatorKeys(client: Queryable, most: number | null = null): Promise<ListedKey[]> {
  const { rows } = await client.query<ListedKey>(
    `${LISTED} where k.environment_id is null order by k.created_at desc, k.id limit $1`,
    [most],
  );
  return rows;
}

/** One key of either kind, or null. */
export async function findKey(client: Queryable, id: string): Promise<ListedKey | null> {
  const { rows } = await client.query<ListedKey>(`${LISTED} where k.id = $1`, [id]);
  return rows[0] ?? null;
}

function makeKey(kind: KeyKind): { key: string; prefix: string } {
  const key = `${kind}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, prefix: key.slice(0, kind.length + 1 + SHOWN) };
}
