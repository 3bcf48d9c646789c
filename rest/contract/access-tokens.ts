import { z } from 'zod';
import { accessTokenRequest } from '../../src/subjects/accounts/access-token-request.ts';
import { KEY_SCOPES } from '../../src/subjects/accounts/entry/permissions.ts';
import { instant, oneOf, text } from '../schema-parts.ts';
import { operations } from './operation.ts';

const accessToken = z
  .strictObject({
    token: text.describe('Used like a key: `Authorization: Bearer at_…`.'),
    scopes: z.array(oneOf(KEY_SCOPES)).describe('The permissions.'),
    expires_at: instant.describe('The expiry time; a token also ends as soon as its key is revoked.'),
  })
  .meta({ id: 'AccessToken' });

const accessTokenExample = {
  token: `at_${'A'.repeat(76)}`,
  scopes: ['read'],
  expires_at: '2026-11-20T13:15:00.000Z',
};

export const accessTokenOperations = operations('Access tokens', [
  {
    id: 'createAccessToken',
    method: 'POST',
    path: '/v1/access_tokens',
    field: 'createAccessToken',
    summary: 'Create an access token',
    description:
      'A short-lived token with which a web page can query `/graphql`, so that the key stays on your servers. It can do no more than the key and expires with it. Needs the key itself: a token cannot create tokens.',
    body: {
      schema: accessTokenRequest,
      examples: {
        dashboard: {
          summary: 'A page that reads, for ten minutes',
          value: { scopes: ['read'], ttl_seconds: 600 },
        },
      },
    },
    answer: {
      status: 201,
      description: 'The token, shown only in this answer',
      schema: accessToken,
      example: accessTokenExample,
    },
    isSecret: true,
  },
]);
