import { stored } from '../../src/faces/graphql/stored.ts';

/** The stored query of POST /v1/customer_portal/sessions. */
export const createPortalSession =
  stored(`mutation CreateCustomerPortalSession($input: CreateCustomerPortalSessionInput!) {
  answer: createCustomerPortalSession(input: $input) {
    id
    url
    external_customer_id: externalCustomerId
    integration_id: integrationId
    created_at: createdAt
    expires_at: expiresAt
  }
}`);
