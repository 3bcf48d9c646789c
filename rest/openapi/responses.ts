import { type Code, catalogue, entryOf } from '../../src/ground/errors/catalogue.ts';
import { EXAMPLES } from '../../src/ground/errors/examples.ts';
import type { Json } from './parts.ts';
import { place } from './schemas.ts';

type Named = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

/** The reference to a schema. */
export const schemaOf = (id: string): Json => ({ $ref: place(id) });

/** The body of a schema, with one example. */
export const answered = (id: string, example: object): Json => ({
  content: { 'application/json': { schema: schemaOf(id), example } },
});

/** A body that must be sent, with examples. */
export const sent = (id: string, examples: Named): Json => ({
  required: true,
  content: { 'application/json': { schema: schemaOf(id), examples } },
});

const anywhere: Code[] = ['invalid_request', 'internal_error', 'service_unavailable'];
export const withBody: Code[] = ['payload_too_large', 'unsupported_media_type'];

/** The refusals of an operation: a response for each status, naming its codes, with an example of each. */
function responses(list: readonly Code[], baseUrl: string): Json {
  const byStatus = new Map<number, Code[]>();
  for (const code of list) {
    const { status } = catalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    sorted.map(([status, ofStatus]) => {
      const waits = ofStatus.some((code) => entryOf(code).retryAfter !== undefined);
      const description = ofStatus.map((code) => `\`${code}\``).join(', ');
      const examples = Object.fromEntries(ofStatus.map((code) => [code, errorExample(code, baseUrl)]));
      const content = { 'application/json': { schema: schemaOf('Error'), examples } };
      return [String(status), { description, ...(waits ? { headers: retryAfter } : {}), content }];
    }),
  );
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
};

function errorExample(code: Code, baseUrl: string): Json {
  const { meaning, remediation } = catalogue[code];
  const value = { code, ...EXAMPLES[code], doc_url: `${baseUrl}/docs/errors#${code}` };
  return { summary: meaning.replaceAll('`', ''), description: remediation, value };
}

/** The parts of the document that depend on the address of the service. */
export function refusalsAt(baseUrl: string) {
  return {
    /** The responses of an operation that needs a key. */
    refusals: (...own: Code[]): Json =>
      responses(
        [...new Set<Code>([...anywhere, 'unauthorized', 'forbidden', 'rate_limited', ...own])],
        baseUrl,
      ),
    /** The responses of one that needs none. */
    openRefusals: (...own: Code[]): Json => responses([...anywhere, ...own], baseUrl),
  };
}
