import { z } from 'zod';
import { instant } from '../../ground/lib/request-fields.ts';
import { line } from '../../ground/lib/text.ts';
import { KEY_SCOPES } from './entry/permissions.ts';

/** The request for a key of one's own environment. */
export const apiKeyRequest = z
  .strictObject({
    name: line(100).describe('The name, by which people know the key.'),
    scopes: z
      .array(z.enum(KEY_SCOPES))
      .min(1)
      .max(KEY_SCOPES.length)
      .describe('The scopes: a subset of those of the key that makes it.'),
    expiresAt: instant
      .nullish()
      .describe('When the key expires: not after the key that makes it, whose expiry is the default.'),
  })
  .meta({ id: 'ApiKeyRequest', description: 'A key to be made.' });

const KEY_ID = /^key_[0-9a-f]{32}$/;

/** Whether a text has the form of the id of a merchant's key. */
export function isApiKeyId(text: string): boolean {
  return KEY_ID.test(text);
}
