import { LRUCache } from 'lru-cache';
import type { Db } from '../../../ground/db/client.ts';
import type { Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { batchLoader, loaderWithin } from '../../../ground/lib/batch-loader.ts';
import type { LinkSecrets } from '../../../ground/lib/keyring.ts';
import { isExpiredToken, readToken } from '../access-tokens.ts';
import { KEY_PATTERN, type KeyKind, keyHash } from '../keys.ts';
import {
  environmentsOfHashes,
  environmentsOfKeys,
  readCallers,
  readCallersOfTokens,
  readOperators,
  readReaders,
} from '../store/read-callers.ts';
import type { Caller, IssuingCaller, Operator } from './caller.ts';
import type { FailedAttempts } from './failed-attempts.ts';

/** Whether many attempts have failed where a request comes from: asked of those with an unknown key alone. */
type IsSuspect = () => boolean;

const NOBODY: IsSuspect = () => false;

export type Authenticator = {
  /**
   * The caller of an `Authorization` header; null unless it is a merchant's key in force or an access token of one.
   * Unknown keys from addresses with many failed attempts are looked up in a separate queue.
   */
  merchant(authorization: string | undefined, isSuspect?: IsSuspect): Promise<IssuingCaller | null>;
  /** The same for a request that only reads: without the data that issuing needs, as far as they cost another query. */
  reader(authorization: string | undefined, isSuspect?: IsSuspect): Promise<Caller | null>;
  /** The same for an operator's key. */
  operator(authorization: string | undefined, isSuspect?: IsSuspect): Promise<Operator | null>;
  /**
   * The owner to whose share a request with this key is charged, as far as that is known without a query: the
   * environment of a key, or the id of an operator's key, that was in force when it was last looked up. Null for
   * anything else. It authorizes nothing.
   */
  knownOwner(authorization: string | undefined): number | string | null;
  /** Whether an `Authorization` header has an access token of ours that has expired. */
  isExpiredToken(authorization: string | undefined): boolean;
};

/**
 * Queries the database for every request, so that a revoked key and changed flags take effect at once. Requests
 * that arrive while a query is running share the next one.
 */
export function createAuthenticator(
  db: Pick<Db, 'pool' | 'lineage'>,
  secrets: Pick<LinkSecrets, 'all'>,
): Authenticator {
  const { pool, lineage } = db;
  const merchants = lookUpMerchants(lineage, {
    environmentsOf: (hashes) => environmentsOfHashes(pool, hashes),
    read: (hashes) => readCallers(pool, hashes),
    owner: ({ environmentId }) => environmentId,
  });
  const readers = lookUp(
    (hashes) => readReaders(pool, hashes),
    ({ environmentId }) => environmentId,
    merchants.known,
  );
  const byKeyId = lookUpMerchants(lineage, {
    environmentsOf: (ids) => environmentsOfKeys(pool, ids),
    read: (ids) => readCallersOfTokens(pool, ids),
    owner: ({ caller }) => caller.environmentId,
  });
  const operators = lookUp(
    (hashes) => readOperators(pool, hashes),
    ({ keyId }) => keyId,
  );
  const withToken = async (sent: string, isSuspect: IsSuspect): Promise<IssuingCaller | null> => {
    const token = readToken(secrets, sent);
    const found = token && (await byKeyId.find(token.keyId, isSuspect));
    if (token === null || found === null) return null;
    const { caller, origins, onlyTrusted } = found;
    return {
      ...caller,
      scopes: new Set(token.scopes.filter((scope) => caller.scopes.has(scope))),
      accessToken: {
        id: keyHash(sent).toString('base64url'),
        origins,
        onlyTrusted,
        expiresAt: token.expiresAt,
      },
    };
  };
  const merchantBy =
    <Found extends Caller>({ find }: Pick<LookUp<Found, number>, 'find'>) =>
    async (
      authorization: string | undefined,
      isSuspect: IsSuspect = NOBODY,
    ): Promise<Found | IssuingCaller | null> => {
      const sent = bearerText(authorization);
      if (sent?.startsWith('at_')) return withToken(sent, isSuspect);
      const key = keyOfKind(sent, ['sk_test', 'sk_live']);
      return key === null ? null : find(keyHash(key).toString('hex'), isSuspect);
    };
  return {
    merchant: merchantBy(merchants),
    reader: merchantBy(readers),
    async operator(authorization, isSuspect: IsSuspect = NOBODY) {
      const key = keyOfKind(bearerText(authorization), ['op']);
      return key === null ? null : operators.find(keyHash(key).toString('hex'), isSuspect);
    },
    isExpiredToken(authorization) {
      const sent = bearerText(authorization);
      return sent?.startsWith('at_') === true && isExpiredToken(secrets, sent);
    },
    knownOwner(authorization) {
      const sent = bearerText(authorization);
      if (sent?.startsWith('at_')) {
        const token = readToken(secrets, sent);
        return token === null ? null : byKeyId.ownerOf(token.keyId);
      }
      const key = keyOfKind(sent, ['sk_test', 'sk_live', 'op']);
      if (key === null) return null;
      const hash = keyHash(key).toString('hex');
      return merchants.ownerOf(hash) ?? operators.ownerOf(hash);
    },
  };
}

type Known = { readonly merchant: IssuingCaller; readonly reader: Caller; readonly operator: Operator };

/**
 * The caller with an `Authorization` header from the address: null without a key in force of one of the kinds.
 * After too many failures from one address the answer is `rate_limited`; a key in force still works.
 */
export async function identify<Kind extends keyof Known>(
  { authenticator, attempts }: { readonly authenticator: Authenticator; readonly attempts: FailedAttempts },
  authorization: string | undefined,
  address: string,
  kinds: readonly Kind[],
): Promise<Outcome<Known[Kind] | null>> {
  if (authorization === undefined) return null;
  let refusal: Refusal | null | undefined;
  const refused = () => {
    if (refusal === undefined) refusal = attempts.refusal(address);
    return refusal;
  };
  const isSuspect = () => refused() !== null;
  for (const kind of kinds) {
    const known = await authenticator[kind](authorization, isSuspect);
    if (known !== null) return known as Known[Kind];
  }
  const outcome = refused();
  attempts.note(address);
  return outcome;
}

/** The hashes of keys that were in force when last looked up; these never count as failed attempts. */
const MAX_KNOWN = 10_000;

type Owners<Owner extends number | string> = LRUCache<string, Owner>;

type LookUp<Found, Owner extends number | string> = {
  readonly known: Owners<Owner>;
  ownerOf(hash: string): Owner | null;
  find(hash: string, isSuspect: IsSuspect): Promise<Found | null>;
};

function lookUp<Found, Owner extends number | string>(
  read: (hashes: string[]) => Promise<Map<string, Found>>,
  owner: (found: Found) => Owner,
  known: Owners<Owner> = new LRUCache({ max: MAX_KNOWN }),
): LookUp<Found, Owner> {
  const [trusted, suspected] = [batchLoader(read), batchLoader(read)];
  return {
    known,
    ownerOf: (hash) => known.get(hash) ?? null,
    async find(hash, isSuspect) {
      const found = await (!known.has(hash) && isSuspect() ? suspected(hash) : trusted(hash));
      if (found !== null) known.set(hash, owner(found));
      return found;
    },
  };
}

/**
 * Where environments are divided among servers, the environment of a key is found first, unless it is known, and each is asked for its
 * callers by itself: one whose server is away fails no other. A key never changes its environment.
 */
function lookUpMerchants<Found>(
  lineage: Pick<Db['lineage'], 'divided'>,
  {
    environmentsOf,
    read,
    owner,
  }: {
    environmentsOf: (keys: string[]) => Promise<Map<string, number>>;
    read: (keys: string[]) => Promise<Map<string, Found>>;
    owner: (found: Found) => number;
  },
): LookUp<Found, number> {
  const together = lookUp(read, owner);
  const { known, ownerOf } = together;
  const environments = lookUp(environmentsOf, (environmentId) => environmentId);
  const load = loaderWithin((_, keys) => read(keys));
  return {
    known,
    ownerOf,
    async find(key, isSuspect) {
      if (!lineage.divided) return together.find(key, isSuspect);
      const environmentId = known.get(key) ?? (await environments.find(key, isSuspect));
      const found = environmentId === null ? null : await load(environmentId, key);
      if (environmentId !== null && found !== null) known.set(key, environmentId);
      return found;
    },
  };
}

/** RFC 9110 section 11.1: the scheme's name is case-insensitive. */
function bearerText(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

function keyOfKind(text: string | undefined, kinds: readonly KeyKind[]): string | null {
  const kind = KEY_PATTERN.exec(text ?? '')?.[1] as KeyKind | undefined;
  return text !== undefined && kind !== undefined && kinds.includes(kind) ? text : null;
}
