import { z } from 'zod';
import { LIMITS } from '../../ground/lib/limits.ts';
import { KEY_SCOPES } from './entry/permissions.ts';

/** What is sent to have a token made. */
export const accessTokenRequest = z
  .strictObject({
    scopes: z.array(z.enum(KEY_SCOPES)).min(1).max(KEY_SCOPES.length),
    ttlSeconds: z.int().min(1).max(LIMITS.accessTokenTime.value).nullish(),
  })
  .meta({ id: 'AccessTokenRequest' });
