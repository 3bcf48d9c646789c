import type { EnvironmentKind } from '../../generated/prisma/enums.ts';
import type { Db } from '../db/client.ts';
import { gather } from '../lib/gather.ts';
import { readCallers, readOperators } from './caller-store.ts';
import { type KeyKind, keyHash, keyKind } from './keys.ts';

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
};

/** Who is calling with an operator's key. */
export type Operator = {
  readonly kind: 'operator';
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly name: string;
};

export type Authenticator = {
  /** The caller of an `Authorization` header, or null for anything but a merchant's key in force. */
  merchant(authorization: string | undefined): Promise<Caller | null>;
  /** The same for an operator's key. */
  operator(authorization: string | undefined): Promise<Operator | null>;
};

/**
 * Asks the database for every request, so that a revoked key ends at once and changed gates count at once. Requests
 * that arrive while a query is under way share the next one.
 */
export function createAuthenticator(db: Db): Authenticator {
  const merchants = gather((hashes) => readCallers(db, hashes));
  const operators = gather((hashes) => readOperators(db, hashes));
  return {
    async merchant(authorization) {
      const key = bearerKey(authorization, ['sk_test', 'sk_live']);
      return key === null ? null : merchants(keyHash(key).toString('hex'));
    },
    async operator(authorization) {
      const key = bearerKey(authorization, ['op']);
      return key === null ? null : operators(keyHash(key).toString('hex'));
    },
  };
}

/** RFC 9110 section 11.1: the scheme's name is read in any case. */
function bearerKey(authorization: string | undefined, kinds: readonly KeyKind[]): string | null {
  const key = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (key === undefined) return null;
  const kind = keyKind(key);
  return kind !== null && kinds.includes(kind) ? key : null;
}
