import { hash, randomBytes } from 'node:crypto';
import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { newId } from '../../ground/lib/ids.ts';
import { KEY_SCOPES, type KeyScope, type OperatorRole } from './entry/permissions.ts';
import { endKey, insertApiKey, insertOperatorKey } from './store/keys.ts';

/** 256 random bits cannot be guessed, so a plain SHA-256 suffices as the stored hash. */
const SECRET_BYTES = 32;
/** Characters of the secret that are shown to distinguish keys; more than 200 bits remain secret. */
const SHOWN = 6;

/** The form of keys, with their kind. */
export const KEY_PATTERN = /^(sk_test|sk_live|op)_[A-Za-z0-9_-]{43}$/;

export type KeyKind = 'sk_test' | 'sk_live' | 'op';

/** A new key, at the only moment at which its secret is known. */
export type NewKey = { readonly id: string; readonly key: string; readonly prefix: string };

/** The stored columns of a key. */
export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

type NewApiKey = {
  readonly environmentId: number;
  readonly environment: EnvironmentKind;
  readonly name: string;
  /** All scopes when left out. */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** The key is in force until then; without expiry when left out. */
  readonly expiresAt?: Date | undefined;
  /** The key that makes it; an operator does when left out. */
  readonly madeBy?: string | undefined;
};

/** Creates a merchant's key for an environment, which must be of that kind. Only this answer contains the key. */
export async function createApiKey(client: Queryable, owner: NewApiKey): Promise<NewKey> {
  const created = { id: newId('key'), ...makeKey(`sk_${owner.environment}`) };
  const written = await insertApiKey(client, {
    ...{ id: created.id, prefix: created.prefix, hash: keyHash(created.key) },
    ...{ environmentId: owner.environmentId, environment: owner.environment, name: owner.name },
    ...{ scopes: owner.scopes ?? KEY_SCOPES, expiresAt: owner.expiresAt ?? null },
    madeBy: owner.madeBy ?? null,
  });
  if (!written) throw new Error(`there is no ${owner.environment} environment ${owner.environmentId}`);
  return created;
}

/** Creates an operator's key with the role `admin` unless another is given. Only this answer contains the key. */
export async function createOperatorKey(
  client: Queryable,
  name: string,
  {
    role = 'admin',
    expiresAt,
  }: { readonly role?: OperatorRole | undefined; readonly expiresAt?: Date | undefined } = {},
): Promise<NewKey> {
  const created = { id: newId('opk'), ...makeKey('op') };
  const { id, prefix } = created;
  const hash = keyHash(created.key);
  await insertOperatorKey(client, { id, name, prefix, hash, role, expiresAt: expiresAt ?? null });
  return created;
}

/**
 * Revokes a key of either kind permanently, from now on. False when there is no such key; true also when it had
 * been revoked before.
 */
export function revokeKey(client: Queryable, id: string): Promise<boolean> {
  return endKey(client, id.startsWith('opk_') ? 'operator_key' : 'api_key', id);
}

function makeKey(kind: KeyKind): { key: string; prefix: string } {
  const key = `${kind}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, prefix: key.slice(0, kind.length + 1 + SHOWN) };
}
