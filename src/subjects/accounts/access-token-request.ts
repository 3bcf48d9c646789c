import { z } from 'zod';
import { KEY_SCOPES } from './entry/permissions.ts';
import { ACCOUNT_LIMITS } from './limits.ts';

/** The request for an access token. */
export const accessTokenRequest = z
  .strictObject({
    scopes: z
      .array(z.enum(KEY_SCOPES))
      .min(1)
      .max(KEY_SCOPES.length)
      .describe('The scopes of the token: a subset of the key’s.'),
    ttlSeconds: z
      .int()
      .min(1)
      .max(ACCOUNT_LIMITS.accessTokenTime.value)
      .nullish()
      .describe('Lifetime in seconds: default 900, never longer than the key’s.'),
  })
  .meta({ id: 'AccessTokenRequest' });
