import { z } from 'zod';
import { LIMITS } from '../../ground/lib/limits.ts';
import { KEY_SCOPES } from './entry/permissions.ts';

/** The request for an access token. */
export const accessTokenRequest = z
  .strictObject({
    scopes: z.array(z.enum(KEY_SCOPES)).min(1).max(KEY_SCOPES.length),
    ttlSeconds: z.int().min(1).max(LIMITS.accessTokenTime.value).nullish(),
  })
  .meta({ id: 'AccessTokenRequest' });
