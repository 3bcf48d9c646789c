import { stored } from '../../src/faces/graphql/stored.ts';

/** The stored query of POST /v1/access_tokens. */
export const createAccessToken = stored(`mutation CreateAccessToken($scopes: [KeyScope!]!, $ttlSeconds: Int) {
  answer: createAccessToken(scopes: $scopes, ttlSeconds: $ttlSeconds) {
    token
    scopes
    expires_at: expiresAt
  }
}`);
