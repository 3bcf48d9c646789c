import { CONTRACT } from './contract/all.ts';
import { contractPaths } from './kernel/paths.ts';
import { COMMON, withCommon } from './openapi/common.ts';
import { webhooks } from './openapi/event-paths.ts';
import type { Json } from './openapi/parts.ts';
import { refusalsAt } from './openapi/responses.ts';
import { schemaComponents } from './openapi/schemas.ts';

const about = (
  baseUrl: string,
): string => `Issues, corrects and reads invoices under Spain’s VERI*FACTU regime.

- **Keys**: \`Authorization: Bearer <key>\`. A key opens one environment, \`test\` or \`live\`, of one company, and does there what its scopes allow.
- **Bodies** are JSON in UTF-8 with names in snake_case. Unknown fields and parameters are refused.
- **Amounts** are whole cents. **Times** are RFC 3339 in UTC, **days** are those of the company’s time zone (Madrid, or the Canary Islands).
- **Ids** are opaque: store them, build none. **Enumerations** may grow: tolerate values that you do not know.
- **Errors** all have the same body. Branch on \`code\`; \`doc_url\` leads to [what to do about it](${baseUrl}/docs/errors).
- **Retries** are safe with an \`Idempotency-Key\`: see [Idempotency](${baseUrl}/docs/idempotency).

Begin with [First invoice](${baseUrl}/docs/first-invoice).`;

const TAGS = [
  { name: 'Invoices', description: 'Issue, correct, read, and get the PDF.' },
  { name: 'Exchanges', description: 'Complete invoices for tickets, and what is returned of them.' },
  { name: 'E-mail', description: 'Send invoices to customers.' },
  { name: 'Drafts', description: 'Drafts, and invoices that repeat.' },
  { name: 'Test clock', description: 'The time of a test environment.' },
  { name: 'Payments', description: 'Payments and refunds of an invoice.' },
  { name: 'Number series', description: 'Sources of gapless invoice numbers.' },
  { name: 'Customers', description: 'Whom you invoice, by your own ids.' },
  { name: 'Customer portal', description: 'A page for each customer of an integration.' },
  { name: 'API keys', description: 'Keys of your environment.' },
  { name: 'Access tokens', description: 'For web pages, in place of a key.' },
  { name: 'Tax ids', description: 'Validate before you issue.' },
  { name: 'Taxes', description: 'What lines may say of their taxes.' },
  { name: 'Branding', description: 'Language, colour and logo of documents.' },
  { name: 'Register books', description: 'The VAT register of issued invoices.' },
  { name: 'Events', description: 'All changes, in one order.' },
  { name: 'Invoice batches', description: 'Send many invoices at once, and follow their progress.' },
  { name: 'Webhooks', description: 'Receive events by HTTP POST.' },
];

/** The OpenAPI document, from the schemas that validate requests and describe answers. */
export function openApiDocument(baseUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lacre',
      version: '1.0.0',
      summary: 'Invoices under Spain’s VERI*FACTU regime.',
      description: about(baseUrl),
      contact: { name: 'The operator of this service', url: `${baseUrl}/docs` },
      license: { name: 'Proprietary', url: `${baseUrl}/docs` },
    },
    externalDocs: { description: 'Guides', url: `${baseUrl}/docs` },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths: withCommon(contractPaths(CONTRACT, refusalsAt(baseUrl))),
    webhooks: webhooks(),
    components: {
      ...COMMON,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of one environment: `sk_test_…` or `sk_live_…`.',
        },
      },
      schemas: schemaComponents(),
    },
  };
}
