import { z } from 'zod';
import { snakeCase } from '../../src/ground/lib/case.ts';
import { exactLine } from '../../src/ground/lib/text.ts';
import {
  customerFields,
  customerFilter,
  customerReplacement,
  isCustomerId,
} from '../../src/subjects/customers/customer-request.ts';
import { TAX_ID_TYPES } from '../../src/subjects/tax-ids/types.ts';
import { address } from '../response-schemas.ts';
import { instant, nullableText, oneOf, text } from '../schema-parts.ts';
import { listed, paging } from './lists.ts';
import { operations } from './operation.ts';

const customer = z
  .strictObject({
    id: text.describe('An opaque id.'),
    external_customer_id: text.describe('Your own id of the customer.'),
    integration_id: text.describe('The integration of the customer.'),
    name: nullableText.describe('The name of the person, or of the company.'),
    company_name: nullableText.describe('The fiscal name when it is not `name`.'),
    tax_id: nullableText.describe('The tax id, normalized.'),
    tax_id_type: oneOf(TAX_ID_TYPES).nullable().describe('The type of the tax id.'),
    tax_id_country: nullableText.describe('The country of the tax id.'),
    email: nullableText.describe('The e-mail address.'),
    address: address.nullable().describe('Null if none is kept.'),
    created_at: instant.describe('The creation time.'),
  })
  .meta({ id: 'Customer' });

const example = {
  id: 'cus_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6',
  external_customer_id: 'customer-1',
  integration_id: 'int_01a1f90c89a972d0a1dd3b1f1a6f9a10',
  name: 'Comercial Levante SL',
  company_name: null,
  tax_id: 'B12345674',
  tax_id_type: 'es_nif',
  tax_id_country: 'ES',
  email: 'compras@levante.example',
  address: {
    line1: 'Calle de la Paz 1',
    line2: null,
    postal_code: '46003',
    city: 'Valencia',
    country: 'ES',
  },
  created_at: '2026-11-20T13:05:00.000Z',
};

const ids = {
  external_customer_id: {
    value: exactLine(255).describe('Your own id of the customer, percent-encoded.'),
    example: 'customer-1',
  },
};

const ofIntegration = {
  integration_id: exactLine(60).describe('The integration; required if the environment has several.'),
};

const answer = { status: 200, description: 'The customer', schema: customer, example } as const;
/** What is kept when nothing is sent. */
const NOTHING_IN_REST = Object.fromEntries(
  Object.keys(customerFields).map((name) => [snakeCase(name), null]),
);

export const customerOperations = operations('Customers', [
  {
    id: 'listCustomers',
    method: 'GET',
    path: '/v1/customers',
    field: 'customers',
    summary: 'List customers',
    description:
      'Those of the key’s environment: whom invoices named with `external_customer_id`, orders brought, or you have saved. Needs the scope `read`.',
    query: {
      ...paging(isCustomerId, 'customer'),
      text: customerFilter.shape.text
        .unwrap()
        .unwrap()
        .describe(
          'Only customers of whose names, e-mail address, tax id or `external_customer_id` each word of the text begins a word; ignores case and accents.',
        ),
      integration_id: ofIntegration.integration_id.describe('Only customers of this integration.'),
    },
    answer: listed('CustomerPage', customer, example, 'By `external_customer_id`.'),
  },
  {
    id: 'retrieveCustomer',
    method: 'GET',
    path: '/v1/customers/{external_customer_id}',
    field: 'customer',
    summary: 'Read a customer',
    description: 'One customer of the key’s environment. Needs the scope `read`.',
    ids,
    query: ofIntegration,
    answer,
    codes: ['customer_not_found', 'customer_ambiguous'],
  },
  {
    id: 'saveCustomer',
    method: 'PUT',
    path: '/v1/customers/{external_customer_id}',
    field: 'saveCustomer',
    summary: 'Save a customer',
    description:
      'Makes the customer, or replaces all that is kept of them: a field that is not sent is removed. Invoices do the same for their recipient, where they name one. An environment without integrations gets one, `default`. Needs the scope `manage`.',
    ids,
    query: ofIntegration,
    body: {
      schema: customerReplacement,
      read: (body) => (isObject(body) ? { ...NOTHING_IN_REST, ...body } : body),
      examples: {
        company: {
          summary: 'A company',
          value: {
            ...{ name: example.name, tax_id: example.tax_id, email: example.email },
            address: { line1: 'Calle de la Paz 1', postal_code: '46003', city: 'Valencia', country: 'ES' },
          },
        },
      },
    },
    answer,
    codes: [
      ...(['customer_ambiguous', 'integration_not_found', 'invalid_tax_id'] as const),
      ...(['tax_id_type_country_mismatch', 'insufficient_recipient_data'] as const),
    ],
  },
  {
    id: 'deleteCustomer',
    method: 'DELETE',
    path: '/v1/customers/{external_customer_id}',
    field: 'deleteCustomer',
    summary: 'Delete a customer',
    description:
      'Deletes what is kept of the customer, with the links to their page. Their invoices stay and go on naming the id. Needs the scope `manage`.',
    ids,
    query: ofIntegration,
    answer: { status: 204, description: 'Deleted' },
    codes: ['customer_not_found', 'customer_ambiguous'],
  },
]);

const isObject = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && !Array.isArray(body);
