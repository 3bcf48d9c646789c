import type { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import type { KeyScope, OperatorRole } from './permissions.ts';

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
  /** How far a test clock has the environment's time ahead of the machine's (`environmentNow`). */
  readonly clockAheadMs: number;
};

/** What an access token brings with it beside its key. */
type AccessTokenFacts = {
  readonly origins: readonly string[];
  /** Whether it can ask published documents alone. */
  readonly onlyTrusted: boolean;
  readonly expiresAt: Date;
};

/** Who is calling with a merchant's key, and the environment that it is for: read together, in one query. */
export type Caller = Scope & {
  readonly kind: 'merchant';
  readonly keyId: string;
  readonly keyPrefix: string;
  /** What it may do: an access token no more than was asked for it. */
  readonly scopes: ReadonlySet<KeyScope>;
  readonly keyExpiresAt: Date | null;
  /** Set when it came with an access token of the key: the origins that browsers may send it from, and when it ends. */
  readonly accessToken: AccessTokenFacts | null;
};

/** Who is calling with an operator's key. */
export type Operator = {
  readonly kind: 'operator';
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly name: string;
  readonly role: OperatorRole;
};
