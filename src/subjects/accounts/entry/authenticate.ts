import { LRUCache } from 'lru-cache';
import type { Db } from '../../../ground/db/client.ts';
import { batchLoader } from '../../../ground/lib/batch-loader.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { readToken, type TokenFacts } from '../access-tokens.ts';
import { type KeyKind, keyHash, keyKind } from '../keys.ts';
import { readCallers, readCallersOfTokens, readOperators } from '../store/read-callers.ts';
import type { Caller, Operator } from './caller.ts';

export type Authenticator = {
  /**
   * The caller of an `Authorization` header; null unless it is a merchant's key in force or an access token of one.
   * Unknown keys from addresses with many failed attempts are looked up in a separate queue.
   */
  merchant(authorization: string | undefined, isSuspect?: boolean): Promise<Caller | null>;
  /** The same for an operator's key. */
  operator(authorization: string | undefined, isSuspect?: boolean): Promise<Operator | null>;
  /**
   * The owner to whose share a request with this key is charged, as far as that is known without a query: the
   * environment of a key, or the id of an operator's key, that was in force when it was last looked up. Null for
   * anything else. It authorizes nothing.
   */
  knownOwner(authorization: string | undefined): number | string | null;
};

/**
 * Queries the database for every request, so that a revoked key and changed flags take effect at once. Requests
 * that arrive while a query is running share the next one.
 */
export function createAuthenticator(db: Pick<Db, 'pool'>, tokenSecret: Buffer): Authenticator {
  const merchants = lookUp(
    (hashes) => readCallers(db.pool, hashes),
    ({ environmentId }) => environmentId,
  );
  const byKeyId = lookUp(
    (ids) => readCallersOfTokens(db.pool, ids),
    ({ caller }) => caller.environmentId,
  );
  const operators = lookUp(
    (hashes) => readOperators(db.pool, hashes),
    ({ keyId }) => keyId,
  );
  const withToken = async (token: TokenFacts | null, isSuspect: boolean): Promise<Caller | null> => {
    const found = token && (await byKeyId.find(token.keyId, isSuspect));
    if (token === null || found === null) return null;
    const { caller, origins, onlyTrusted } = found;
    return {
      ...caller,
      scopes: new Set(token.scopes.filter((scope) => caller.scopes.has(scope))),
      accessToken: { origins, onlyTrusted, expiresAt: token.expiresAt },
    };
  };
  return {
    async merchant(authorization, isSuspect = false) {
      const sent = bearerText(authorization);
      if (sent?.startsWith('at_')) return withToken(readToken(tokenSecret, sent), isSuspect);
      const key = keyOfKind(sent, ['sk_test', 'sk_live']);
      return key === null ? null : merchants.find(keyHash(key).toString('hex'), isSuspect);
    },
    async operator(authorization, isSuspect = false) {
      const key = keyOfKind(bearerText(authorization), ['op']);
      return key === null ? null : operators.find(keyHash(key).toString('hex'), isSuspect);
    },
    knownOwner(authorization) {
      const sent = bearerText(authorization);
      if (sent?.startsWith('at_')) {
        const token = readToken(tokenSecret, sent);
        return token === null ? null : byKeyId.ownerOf(token.keyId);
      }
      const key = keyOfKind(sent, ['sk_test', 'sk_live', 'op']);
      if (key === null) return null;
      const hash = keyHash(key).toString('hex');
      return merchants.ownerOf(hash) ?? operators.ownerOf(hash);
    },
  };
}

/** The hashes of keys that were in force when last looked up; these never count as failed attempts. */
const MAX_KNOWN = 10_000;

function lookUp<Found>(
  read: (hashes: string[]) => Promise<Map<string, Found>>,
  owner: (found: Found) => number | string,
) {
  const [trusted, suspected] = [batchLoader(read), batchLoader(read)];
  const known = new LRUCache<string, number | string>({ max: MAX_KNOWN });
  let slowLane = 0;
  const suspect = async (hash: string): Promise<Found | null> => {
    if (slowLane >= LIMITS.suspectLookups.value) return null;
    slowLane += 1;
    try {
      return await suspected(hash);
    } finally {
      slowLane -= 1;
    }
  };
  return {
    ownerOf: (hash: string): number | string | null => known.get(hash) ?? null,
    async find(hash: string, isSuspect: boolean): Promise<Found | null> {
      const found = await (isSuspect && !known.has(hash) ? suspect(hash) : trusted(hash));
      if (found !== null) known.set(hash, owner(found));
      return found;
    },
  };
}

/** RFC 9110 section 11.1: the scheme's name is case-insensitive. */
function bearerText(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

function keyOfKind(text: string | undefined, kinds: readonly KeyKind[]): string | null {
  if (text === undefined) return null;
  const kind = keyKind(text);
  return kind !== null && kinds.includes(kind) ? text : null;
}
