import { hash, randomBytes } from 'node:crypto';
import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { newId } from '../../ground/lib/ids.ts';
import { KEY_SCOPES, type KeyScope, type OperatorRole } from './entry/permissions.ts';
import { endKey, insertApiKey, insertOperatorKey } from './store/keys.ts';

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
  return hash('sha256', key, 'buffer');
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
  const written = await insertApiKey(client, {
    ...{ id: created.id, prefix: created.prefix, hash: keyHash(created.key) },
    ...{ environmentId: owner.environmentId, environment: owner.environment, name: owner.name },
    ...{ scopes: owner.scopes ?? KEY_SCOPES, expiresAt: owner.expiresAt ?? null },
  });
  if (!written) throw new Error(`no ${owner.environment} environment ${owner.environmentId}`);
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
  const { id, prefix } = created;
  const hash = keyHash(created.key);
  await insertOperatorKey(client, { id, name, prefix, hash, role, expiresAt: expiresAt ?? null });
  return created;
}

/** Ends a key of either kind at once and for good. False when there is no such key; true also when it had ended before. */
export function revokeKey(client: Queryable, id: string): Promise<boolean> {
  return endKey(client, id.startsWith('opk_') ? 'operator_key' : 'api_key', id);
}

function makeKey(kind: KeyKind): { key: string; prefix: string } {
  const key = `${kind}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, prefix: key.slice(0, kind.length + 1 + SHOWN) };
}
