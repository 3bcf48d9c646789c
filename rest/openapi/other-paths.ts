import * as examples from './examples.ts';
import { allowance, located, operation } from './parts.ts';
import { answered, type refusalsAt, sent, withBody } from './responses.ts';
import type { Json } from './schemas.ts';

/** The operations on what is no invoice. */
export function otherPaths({ refusals }: ReturnType<typeof refusalsAt>): Json {
  return {
    '/v1/customer_portal/sessions': {
      post: operation(
        'createCustomerPortalSession',
        'Customer portal',
        'Create a link to a customer’s page',
        'The link can be opened any number of times until `expires_at`, each time as a separate session: redirect only that customer’s browser to it. Needs the scope `issue`.',
        {
          requestBody: sent('CustomerPortalSessionRequest', examples.portalSessionRequests),
          responses: {
            201: {
              description: 'The link',
              headers: located,
              ...answered('CustomerPortalSession', examples.customerPortalSession),
            },
            ...refusals(...withBody, 'customer_not_found', 'customer_ambiguous'),
          },
        },
      ),
    },
    '/v1/access_tokens': {
      post: operation(
        'createAccessToken',
        'Access tokens',
        'Create an access token',
        'A short-lived token with which a web page can query `/graphql`, so that the key stays on your servers. It can do no more than the key and expires with it. Needs the key itself: a token cannot create tokens.',
        {
          requestBody: sent('AccessTokenRequest', examples.accessTokenRequests),
          responses: {
            201: {
              description: 'The token, shown only in this answer',
              headers: located,
              ...answered('AccessToken', examples.accessToken),
            },
            ...refusals(...withBody),
          },
        },
      ),
    },
    '/v1/tax_ids/validate': {
      post: operation(
        'validateTaxId',
        'Tax ids',
        'Check a tax id',
        'Checks the format and the responsible register: the agency’s census for a Spanish NIF with a name, VIES for an EU VAT number. Rate limited for each key. Needs the scope `issue`.',
        {
          requestBody: sent('TaxIdRequest', examples.taxIdRequests),
          responses: {
            200: {
              description: 'The result',
              headers: allowance,
              ...answered('TaxIdValidation', examples.taxIdValidation),
            },
            ...refusals(
              ...withBody,
              'insufficient_recipient_data',
              'tax_id_type_country_mismatch',
              'tax_id_validation_unavailable',
            ),
          },
        },
      ),
    },
  };
}
