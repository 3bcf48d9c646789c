import type { FastifyReply, FastifyRequest } from 'fastify';
import { share } from '../src/ground/lib/shared-answer.ts';
import type { Services } from '../src/services.ts';
import { pathsOf } from './openapi/paths.ts';
import { refusalsAt } from './openapi/responses.ts';
import { type Json, schemaComponents } from './openapi/schemas.ts';
import { sendText } from './operation.ts';

const about = (
  baseUrl: string,
): string => `Issues, corrects and reads invoices under Spain’s VERI*FACTU regime.

- **Keys**: \`Authorization: Bearer <key>\`. A key opens one environment, \`test\` or \`live\`, of one company, and does there what its scopes allow.
- **Bodies** are JSON in UTF-8 with names in snake_case. Unknown fields and parameters are refused.
- **Amounts** are whole cents. **Times** are RFC 3339 in UTC, **days** are those of Madrid.
- **Ids** are opaque: store them, build none. **Enumerations** may grow: tolerate values that you do not know.
- **Refusals** come in one envelope. Branch on \`code\`; \`doc_url\` leads to its [cure](${baseUrl}/docs/errors).
- **Retries** are safe with an \`Idempotency-Key\`: see [Idempotency](${baseUrl}/docs/idempotency).

Begin with [First invoice](${baseUrl}/docs/first-invoice).`;

const TAGS = [
  { name: 'Invoices', description: 'Issue, correct, read, and get the PDF.' },
  { name: 'Number series', description: 'Where numbers come from, without gaps.' },
  { name: 'Customer portal', description: 'A page for each customer of an integration.' },
  { name: 'Access tokens', description: 'For web pages, in place of a key.' },
  { name: 'Tax ids', description: 'Ask before you issue.' },
  { name: 'Events', description: 'What has changed, in one order.' },
  { name: 'Webhooks', description: 'Have events posted to you.' },
];

/** The OpenAPI document, from the schemas that validate requests and hold answers. */
export function openApiDocument(baseUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Lacre', version: '1.0.0', description: about(baseUrl) },
    externalDocs: { description: 'Guides', url: `${baseUrl}/docs` },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths: pathsOf(refusalsAt(baseUrl)),
    components: {
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

/** GET /v1/openapi.json. */
export function openApiHandler(services: Services) {
  const document = share(JSON.stringify(openApiDocument(services.config.baseUrl)));
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendText(reply, 200, document);
}
