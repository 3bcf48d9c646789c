import { LRUCache } from 'lru-cache';
import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Db } from '../../ground/db/client.ts';
import { batchLoader } from '../../ground/lib/batch-loader.ts';
import { readToken, type TokenFacts } from './access-tokens.ts';
import { type KeyKind, keyHash, keyKind } from './keys.ts';
import type { KeyScope, OperatorRole } from './permissions.ts';
import { readCallers, readCallersOfTokens, readOperators } from './store/read-callers.ts';

/** The issuer as an invoice keeps it. */
export type Issuer = {
  readonly nif: string;
  readonly legalName: string;
  readonly line1: string;
  readonly line2: string | null;
  readonly postalCode: string;
  readonly city: string;
  readonly country: string;
};

export type SeriesFacts = { readonly id: string; readonly prefix: string; readonly yearly: boolean };

/** The environment that an operation works in, with what issuing needs to know of it. */
export type Scope = {
  readonly environmentId: number;
  readonly environment: EnvironmentKind;
  readonly accountId: string;
  readonly companyId: string;
  readonly issuer: Issuer;
  readonly gates: {
    readonly mandateApproved: boolean;
    readonly onboardingFinished: boolean;
    readonly subscriptionActive: boolean;
  };
  /** The one chain of the environment that takes new records. */
  readonly openChainId: number;
  readonly installationNumber: string;
  /** Whether the account bills for more than one company (IndicadorMultiplesOT of every record). */
  readonly severalBillings: boolean;
  readonly standardSeries: SeriesFacts;
  readonly rectifyingSeries: SeriesFacts;
  /** Another number after every change of the company's tax catalog. */
  readonly catalogVersion: number;
};

/** Who is calling with a merchant's key, and the environment that it is for: read together, in one query. */
export type Caller = Scope & {
  readonly kind: 'merchant';
  readonly keyId: string;
  readonly keyPrefix: string;
  /** What it may do: an access token no more than was asked for it. */
  readonly scopes: ReadonlySet<KeyScope>;
  readonly keyExpiresAt: Date | null;
  /** Set when it came with an access token of the key: the origins that browsers may send it from. */
  readonly accessToken: { readonly origins: readonly string[] } | null;
};

/** Who is calling with an operator's key. */
export type Operator = {
  readonly kind: 'operator';
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly name: string;
  readonly role: OperatorRole;
};

export type Authenticator = {
  /**
   * The caller of an `Authorization` header, or null for anything but a merchant's key in force, or an access token of
   * one. Whoever is suspect, and has not been known before, is looked up in a line of its own.
   */
  merchant(authorization: string | undefined, isSuspect?: boolean): Promise<Caller | null>;
  /** The same for an operator's key. */
  operator(authorization: string | undefined, isSuspect?: boolean): Promise<Operator | null>;
};

/**
 * Asks the database for every request, so that a revoked key ends at once and changed gates count at once. Requests
 * that arrive while a query is under way share the next one.
 */
export function createAuthenticator(db: Db, tokenSecret: Buffer): Authenticator {
  const merchants = lookUp((hashes) => readCallers(db.pool, hashes));
  const byKeyId = lookUp((ids) => readCallersOfTokens(db.pool, ids));
  const operators = lookUp((hashes) => readOperators(db.pool, hashes));
  const withToken = async (token: TokenFacts | null, isSuspect: boolean): Promise<Caller | null> => {
    const caller = token && (await byKeyId(token.keyId, isSuspect));
    return (
      caller && { ...caller, scopes: new Set(token!.scopes.filter((scope) => caller.scopes.has(scope))) }
    );
  };
  return {
    async merchant(authorization, isSuspect = false) {
      const sent = bearerText(authorization);
      if (sent?.startsWith('at_')) return withToken(readToken(tokenSecret, sent), isSuspect);
      const key = keyOfKind(sent, ['sk_test', 'sk_live']);
      return key === null ? null : merchants(keyHash(key).toString('hex'), isSuspect);
    },
    async operator(authorization, isSuspect = false) {
      const key = keyOfKind(bearerText(authorization), ['op']);
      return key === null ? null : operators(keyHash(key).toString('hex'), isSuspect);
    },
  };
}

/** The hashes of keys that were in force when they were last asked for: these are nobody's attempts. */
const MOST_KNOWN = 10_000;
/** Some five statements' worth; beyond that a suspect waits for a second and more, and is not looked up at all. */
const MOST_SUSPECTS = 500;

function lookUp<Found>(read: (hashes: string[]) => Promise<Map<string, Found>>) {
  const [trusted, suspected] = [batchLoader(read), batchLoader(read)];
  const known = new LRUCache<string, true>({ max: MOST_KNOWN });
  let suspects = 0;
  const suspect = async (hash: string): Promise<Found | null> => {
    if (suspects >= MOST_SUSPECTS) return null;
    suspects += 1;
    try {
      return await suspected(hash);
    } finally {
      suspects -= 1;
    }
  };
  return async (hash: string, isSuspect: boolean): Promise<Found | null> => {
    const found = await (isSuspect && !known.has(hash) ? suspect(hash) : trusted(hash));
    if (found !== null) known.set(hash, true);
    return found;
  };
}

/** RFC 9110 section 11.1: the scheme's name is read in any case. */
function bearerText(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

function keyOfKind(text: string | undefined, kinds: readonly KeyKind[]): string | null {
  if (text === undefined) return null;
  const kind = keyKind(text);
  return kind !== null && kinds.includes(kind) ? text : null;
}
