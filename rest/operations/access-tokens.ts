import { stored } from '../../src/faces/graphql/stored.ts';

/** What POST /v1/access_tokens asks. */
export const createAccessToken = stored(`mutation CreateAccessToken($scopes: [KeyScope!]!, $ttlSeconds: Int) {
  answer: createAccessToken(scopes: $scopes, ttlSeconds: $ttlSeconds) {
    token
    scopes
    expires_at: expiresAt
  }
}`);
