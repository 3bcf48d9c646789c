import { createHmac } from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  refreshTokenGrant,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { IdentityProviderConfig } from '../../../ground/config/identity-settings.ts';
import type { Logger } from '../../../ground/lib/logger.ts';
import { truncateText } from '../../../ground/lib/text.ts';
import { OPERATOR_ROLES, type OperatorRole } from './permissions.ts';

/** A person whom the provider vouches for, and what it says that the person may do here. */
export type VouchedPerson = {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly role: OperatorRole;
};

export type Vouched = {
  readonly person: VouchedPerson;
  /** With which the provider is asked again whether it still vouches for the person. */
  readonly refreshToken: string;
};

/**
 * `refused`: the provider does not vouch for the person, or the answer is not one to our question. `no role`: the person has none
 * of the groups of `OIDC_ROLES`. `no refresh token`: the provider gives none, so that nobody could be signed out. `unreachable`:
 * nothing is known.
 */
export type Answer = Vouched | 'refused' | 'no role' | 'no refresh token' | 'unreachable';

/** A page waits for it. */
const TIMEOUT_SECONDS = 10;

/** So that the provider gives a refresh token, and the claims by which operators are told apart. */
const SCOPE = 'openid profile email offline_access';

const LONGEST_NAME = 120;

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** The provider of `OIDC_ISSUER`, which says who operators are (OpenID Connect Core 1.0: code flow with PKCE). */
export class IdentityProvider {
  readonly #settings: IdentityProviderConfig;
  readonly #callback: URL;
  readonly #log: Logger;
  #discovered: Promise<Configuration> | null = null;

  constructor(settings: IdentityProviderConfig, callback: URL, log: Logger) {
    this.#settings = settings;
    this.#callback = callback;
    this.#log = log;
  }

  /** Where a browser signs in. `flow`: a secret that this browser alone keeps until it is back. */
  async signInUrl(flow: string): Promise<URL | 'unreachable'> {
    try {
      return buildAuthorizationUrl(await this.#configuration(), {
        ...{ redirect_uri: this.#callback.href, scope: SCOPE, response_type: 'code' },
        ...{ state: derived(flow, 'state'), nonce: derived(flow, 'nonce') },
        code_challenge: await calculatePKCECodeChallenge(derived(flow, 'verifier')),
        code_challenge_method: 'S256',
      });
    } catch (error) {
      return this.#unreachable(error);
    }
  }

  /** Whom the provider sent back, with the query of the address that the browser came to. */
  async signedIn(flow: string, query: URLSearchParams): Promise<Answer> {
    const address = new URL(this.#callback);
    address.search = query.toString();
    try {
      const configuration = await this.#configuration();
      const tokens = await authorizationCodeGrant(configuration, address, {
        ...{ pkceCodeVerifier: derived(flow, 'verifier'), expectedState: derived(flow, 'state') },
        ...{ expectedNonce: derived(flow, 'nonce'), idTokenExpected: true },
      });
      return await this.#vouched(configuration, tokens, tokens.claims()!.sub, null);
    } catch (error) {
      return isOutage(error) ? this.#unreachable(error) : this.#refused(error);
    }
  }

  /** Whether it still vouches for a person, and as whom. The token is not valid any more if the answer has another. */
  async vouchedAgain(subject: string, refreshToken: string): Promise<Answer> {
    try {
      const configuration = await this.#configuration();
      const tokens = await refreshTokenGrant(configuration, refreshToken);
      return await this.#vouched(configuration, tokens, subject, refreshToken);
    } catch (error) {
      return isRevoked(error) ? this.#refused(error) : this.#unreachable(error);
    }
  }

  async #vouched(
    configuration: Configuration,
    tokens: Tokens,
    subject: string,
    earlier: string | null,
  ): Promise<Answer> {
    const refreshToken = tokens.refresh_token ?? earlier;
    if (refreshToken === null) return 'no refresh token';
    const info = configuration.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(configuration, tokens.access_token, subject)
      : {};
    const claims: Record<string, unknown> = { ...tokens.claims(), ...info };
    const role = this.#roleOf(claims[this.#settings.roleClaim]);
    if (role === null) return 'no role';
    const named = [claims['name'], claims['preferred_username'], claims['email'], subject];
    const name = named.find((value) => typeof value === 'string' && value.trim() !== '') as string;
    const { issuer } = configuration.serverMetadata();
    return { person: { issuer, subject, name: truncateText(name.trim(), LONGEST_NAME), role }, refreshToken };
  }

  /** The highest role of the person's groups. */
  #roleOf(claim: unknown): OperatorRole | null {
    const groups: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
    const { roles } = this.#settings;
    return (
      OPERATOR_ROLES.findLast((role) => roles[role] !== undefined && groups.includes(roles[role])) ?? null
    );
  }

  /** What the provider says of itself, read once. */
  #configuration(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
    const options = { execute, timeout: TIMEOUT_SECONDS };
    this.#discovered ??= discovery(issuer, clientId, {}, ClientSecretBasic(clientSecret), options).catch(
      (error) => {
        this.#discovered = null;
        throw error;
      },
    );
    return this.#discovered;
  }

  #refused(error: unknown): 'refused' {
    this.#log.warn({ reason: reasonOf(error) }, 'the identity provider does not vouch for an operator');
    return 'refused';
  }

  #unreachable(error: unknown): 'unreachable' {
    this.#log.error({ reason: reasonOf(error) }, 'the identity provider does not answer as it should');
    return 'unreachable';
  }
}

/** A value that only who keeps the secret can know, and that says nothing about it. 43 characters, as PKCE wants them at least. */
function derived(flow: string, purpose: string): string {
  return createHmac('sha256', flow).update(`sign in: ${purpose}`).digest('base64url');
}

type ProviderError = {
  readonly error?: string;
  readonly code?: string;
  readonly status?: number;
  readonly message?: string;
  readonly cause?: unknown;
};

/** Codes and texts of the library and of the provider: no claims, no tokens. */
function reasonOf(error: unknown): string {
  const { error: told, code, message } = error as ProviderError;
  return [told, code, message].filter((part) => part !== undefined).join(': ');
}

/** Whether nothing was said about the person, because the provider is away or has failed. */
function isOutage(error: unknown): boolean {
  const { code, status, cause, error: told } = error as ProviderError;
  if (cause instanceof Response) return cause.status >= 500;
  if (told === 'server_error' || told === 'temporarily_unavailable') return true;
  return (
    (status ?? 0) >= 500 || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || error instanceof TypeError
  );
}

/** RFC 6749, section 5.2, and RFC 6750, section 3.1: the grant or the token has ended. */
function isRevoked(error: unknown): boolean {
  const { error: told, status } = error as ProviderError;
  return told === 'invalid_grant' || status === 401;
}
