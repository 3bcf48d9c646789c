import { z } from 'zod';
import { apiKeyRequest, isApiKeyId } from '../../src/subjects/accounts/api-key-request.ts';
import { KEY_SCOPES } from '../../src/subjects/accounts/entry/permissions.ts';
import { instant, oneOf, text } from '../schema-parts.ts';
import { listed, paging } from './lists.ts';
import { operations, within } from './operation.ts';

const shown = {
  id: text.describe('An opaque id.'),
  name: text.describe('The name.'),
  scopes: z.array(oneOf(KEY_SCOPES)).describe('The scopes.'),
  expires_at: instant.nullable().describe('When it expires; null if it does not.'),
  created_at: instant.describe('The creation time.'),
};

const newApiKey = z
  .strictObject({ ...shown, key: text.describe('The key itself, shown only in this answer.') })
  .meta({ id: 'NewApiKey' });

const apiKey = z
  .strictObject({
    ...shown,
    prefix: text.describe('The visible part of the key, by which people recognise it.'),
    revoked_at: instant.nullable().describe('When it was revoked; null if it was not.'),
  })
  .meta({ id: 'ApiKey' });

const common = {
  id: 'key_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6',
  name: 'web shop',
  scopes: ['read', 'issue'],
  expires_at: null,
  created_at: '2026-11-20T13:05:00.000Z',
};

export const apiKeyOperations = operations('API keys', [
  {
    id: 'listApiKeys',
    method: 'GET',
    path: '/v1/api_keys',
    field: 'apiKeys',
    summary: 'List API keys, newest first',
    description:
      'Those of the key’s environment, revoked ones too. Access tokens are refused. Needs the scope `manage`.',
    query: paging(isApiKeyId, 'API key'),
    answer: listed('ApiKeyPage', apiKey, { ...common, prefix: 'sk_test_Ab3dEf', revoked_at: null }),
  },
  {
    id: 'createApiKey',
    method: 'POST',
    path: '/v1/api_keys',
    field: 'createApiKey',
    summary: 'Create an API key',
    description:
      'A key of the same environment, which may do no more than the key that makes it and expires no later. Access tokens are refused. Needs the scope `manage`.',
    body: {
      schema: apiKeyRequest,
      examples: {
        shop: { summary: 'For a shop', value: { name: 'web shop', scopes: ['read', 'issue'] } },
      },
    },
    ...within('apiKey', Object.keys(shown)),
    answer: {
      status: 201,
      description: 'The key, shown only in this answer',
      schema: newApiKey,
      example: { ...common, key: `sk_test_${'A'.repeat(43)}` },
    },
    isSecret: true,
  },
  {
    id: 'revokeApiKey',
    method: 'DELETE',
    path: '/v1/api_keys/{id}',
    field: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'From now on and permanently; a key may revoke itself. Access tokens are refused. Needs the scope `manage`.',
    ids: { id: ['API key', common.id] },
    query: {
      with_made: z
        .boolean()
        .default(false)
        .describe('Whether to revoke the keys too that it has made, and these.'),
    },
    answer: { status: 204, description: 'Revoked' },
    codes: ['not_found'],
  },
]);
