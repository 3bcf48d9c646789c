import { z } from 'zod';
import { KEY_SCOPES } from './entry/permissions.ts';
import { ACCOUNT_LIMITS } from './limits.ts';

/** The request for an access token. */
export const accessTokenRequest = z
  .strictObject({
    scopes: z.array(z.enum(KEY_SCOPES)).min(1).max(KEY_SCOPES.length),
    ttlSeconds: z.int().min(1).max(ACCOUNT_LIMITS.accessTokenTime.value).nullish(),
  })
  .meta({ id: 'AccessTokenRequest' });
