import type { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import type { Day, TimeZone } from '../../../ground/lib/calendar.ts';
import type { SeriesFacts } from '../../number-series/series.ts';
import type { KeyScope, OperatorRole } from './permissions.ts';

/** The issuer as it is stored in an invoice. */
export type Issuer = {
  readonly nif: string;
  readonly legalName: string;
  readonly givenName?: string;
  readonly surnames?: string;
  readonly line1: string;
  readonly line2: string | null;
  readonly postalCode: string;
  readonly city: string;
  readonly country: string;
};

/** The environment of an operation. */
type OfEnvironment = {
  readonly environmentId: number;
  readonly environment: EnvironmentKind;
  readonly companyId: string;
  /** How far a test clock has moved the environment's time ahead of the machine's (`environmentNow`). */
  readonly clockAheadMs: number;
  /** Where its days and years begin: the company's. */
  readonly timeZone: TimeZone;
};

/** The environment of an operation, with the data that issuing needs. */
export type Scope = OfEnvironment & {
  readonly accountId: string;
  readonly issuer: Issuer;
  readonly gates: {
    readonly mandateApproved: boolean;
    readonly onboardingFinished: boolean;
    readonly subscriptionActive: boolean;
  };
  /** Whether another company of the same NIF issues in place of this one. */
  readonly issuingEnded: boolean;
  /** The last day on which a live environment may issue: the company gives up VERI*FACTU with it. */
  readonly lastDay: Day | null;
  /** The environment's only chain that accepts new records; no chain has the number 0, which stands for none. */
  readonly openChainId: number;
  readonly installationNumber: string;
  /** Whether the account pays for more than one company (IndicadorMultiplesOT of every record). */
  readonly severalBillings: boolean;
  /** The default series; null in an environment that has had no series of the type yet. */
  readonly standardSeries: SeriesFacts | null;
  readonly rectifyingSeries: SeriesFacts | null;
  /** Changes with every change of the company's tax catalog. */
  readonly catalogVersion: number;
};

/** What an access token adds to its key. */
type AccessTokenFacts = {
  /** What distinguishes it from other tokens of its key. */
  readonly id: string;
  readonly origins: readonly string[];
  /** Whether it may run published documents only. */
  readonly onlyTrusted: boolean;
  readonly expiresAt: Date;
};

/** The caller with a merchant's key and the key's environment, read in one query. */
export type Caller = OfEnvironment & {
  readonly kind: 'merchant';
  readonly keyId: string;
  readonly keyPrefix: string;
  /** Its scopes; an access token has only those that were requested for it. */
  readonly scopes: ReadonlySet<KeyScope>;
  readonly keyExpiresAt: Date | null;
  /** Set for an access token of the key: the origins that browsers may use it from, and its expiry. */
  readonly accessToken: AccessTokenFacts | null;
};

/** The same with the data that issuing needs, which requests that only read do without. */
export type IssuingCaller = Caller & Scope;

/** The caller of a request that may issue, whose key was looked up with the data for it. */
export function issuingCaller(caller: Caller): IssuingCaller {
  if ('issuer' in caller) return caller as IssuingCaller;
  throw new Error('a request that issues was identified as one that reads');
}

/** Whether the caller holds an access token that may run published documents only. */
export function isBoundToDocuments(caller: Caller | Operator | null): boolean {
  return caller?.kind === 'merchant' && caller.accessToken?.onlyTrusted === true;
}

/** An operator: the caller with a key, or a person in the console whom the identity provider vouches for. */
export type Operator = {
  readonly kind: 'operator';
  /** Of the key, or of the identity (`opi_…`). */
  readonly keyId: string;
  /** Null without a key. */
  readonly keyPrefix: string | null;
  readonly name: string;
  readonly role: OperatorRole;
};
