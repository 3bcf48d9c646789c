import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { document, documentsRefusal, operationOf } from '../support/http/openapi.ts';

/** What a client made from the OpenAPI document would see of an answer. */
export type Seen = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
  readonly body: any;
};

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(closed(document), 'openapi');
/** Answers may get further fields, but those that this version has are all described. */
function closed<T>(whole: T): T {
  return JSON.parse(JSON.stringify(whole), (_name, node) =>
    node?.type === 'object' && node.properties !== undefined && node.additionalProperties === undefined
      ? { ...node, additionalProperties: false }
      : node,
  );
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(reference: string): ValidateFunction {
  const known = validators.get(reference) ?? ajv.compile({ $ref: `openapi${reference}` });
  validators.set(reference, known);
  return known;
}

/**
 * Where an answer is not one of those that the document has for the request: another status, code, kind or header, or a
 * body that its schema does not allow. Null when it is.
 */
export function undocumented(method: string, path: string, answer: Seen): string | null {
  const { status, headers, body } = answer;
  const operation = operationOf(method, path);
  if (operation === undefined)
    return status === 404 || status === 405 ? null : `a ${status} for no operation`;
  const code = status >= 400 ? body.code : null;
  if (!documentsRefusal(operation, status, code)) return `${status} ${code ?? ''} is not in the document`;
  const { content, headers: declared = {} } = operation.responses[String(status)]!;
  const missing = Object.keys(declared).find((name) => ALWAYS.has(name) && !headers.has(name));
  if (missing !== undefined) return `no ${missing}`;
  if (content === undefined) return body === '' ? null : 'a body where none is declared';
  const type = (headers.get('content-type') ?? '').split(';')[0]!;
  const { schema } = content[type] ?? {};
  if (schema === undefined) return `content of type ${type}`;
  if (schema.$ref === undefined) return null;
  const validate = validatorOf(schema.$ref);
  return validate(body) ? null : `${ajv.errorsText(validate.errors)} (${schema.$ref})`;
}

/** Headers that an answer of which they are declared always has. */
const ALWAYS = new Set(['X-Request-Id', 'ETag', 'Location', 'Retry-After', 'RateLimit', 'RateLimit-Policy']);
