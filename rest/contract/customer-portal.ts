import { z } from 'zod';
import { portalSessionRequest } from '../../src/subjects/customers/portal-session-request.ts';
import { instant, text } from '../schema-parts.ts';
import { operations } from './operation.ts';

const customerPortalSession = z
  .strictObject({
    id: text.describe('An opaque id.'),
    url: z
      .url()
      .describe(
        'Opens the customer’s page any number of times until `expires_at`; give it to that customer only.',
      ),
    external_customer_id: text.describe('The customer.'),
    integration_id: text.describe('The integration of the customer.'),
    created_at: instant.describe('When the link was made.'),
    expires_at: instant.describe('When the link and its sessions expire.'),
  })
  .meta({ id: 'CustomerPortalSession' });

const customerPortalSessionExample = {
  id: 'cps_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6',
  url: 'https://invoices.example.com/portal/6nHk1v0Yk3v9w2Qm8Tz4Rb7Xc5Lp0Ss1',
  external_customer_id: 'customer-1',
  integration_id: 'int_01a1f90c89a972d0a1dd3b1f1a6f9a10',
  created_at: '2026-11-20T13:05:00.000Z',
  expires_at: '2026-11-20T14:05:00.000Z',
};

export const portalOperations = operations('Customer portal', [
  {
    id: 'createCustomerPortalSession',
    method: 'POST',
    path: '/v1/customer_portal/sessions',
    field: 'createCustomerPortalSession',
    summary: 'Create a link to a customer’s page',
    description:
      'The link can be opened any number of times until `expires_at`, each time as a separate session: redirect only that customer’s browser to it. Needs the scope `issue`.',
    body: {
      schema: portalSessionRequest,
      examples: {
        customer: {
          summary: 'The page of a customer of the only integration',
          value: { external_customer_id: 'customer-1', return_url: 'https://shop.example/account' },
        },
      },
    },
    answer: {
      status: 201,
      description: 'The link',
      schema: customerPortalSession,
      example: customerPortalSessionExample,
    },
    isSecret: true,
    // The session is the page at its URL.
    location: 'url',
    codes: ['customer_not_found', 'customer_ambiguous'],
  },
]);
