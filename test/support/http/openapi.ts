import { openApiDocument } from '../../../rest/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: examples have any shape
type Value = any;
type Body = {
  readonly schema?: { readonly $ref?: string };
  readonly example?: Value;
  readonly examples?: Readonly<Record<string, { readonly value: Value }>>;
};
type Content = { readonly content?: Readonly<Record<string, Body>> };
type Response = Content & { readonly description: string; readonly headers?: Record<string, unknown> };
type Schema = Readonly<Record<string, unknown>>;
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema?: Schema;
};
type Reference = { readonly $ref: string };
export type Operation = {
  readonly operationId: string;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly security?: readonly unknown[];
  readonly responses: Readonly<Record<string, Response>>;
};

export const document = openApiDocument('http://lacre.test');

/** What a reference of the document leads to; whatever is none, as it is. */
function resolved<T>(part: T | Reference): T {
  const reference = (part as Partial<Reference>).$ref;
  if (reference === undefined) return part as T;
  const steps = reference.slice(2).split('/');
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document) as T;
}

type Written = Omit<Operation, 'parameters' | 'responses'> & {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, Response | Reference>>;
};

/** An operation without references to what all have in common. */
function whole({ parameters = [], responses, ...rest }: Written): Operation {
  const answers = Object.entries(responses).map(([status, response]) => [status, resolved(response)]);
  return { ...rest, parameters: parameters.map(resolved), responses: Object.fromEntries(answers) };
}

/** Every operation of the document, by method and path: `GET /v1/invoices/{id}`. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries(document['paths'] as Record<string, Record<string, Written>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      whole(operation),
    ]),
  ),
);

const patterns = [...operations].map(([name, operation]) => {
  const path = name.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return { pattern: new RegExp(`^${path}$`), operation };
});

const paths = new Set([...operations.keys()].map((name) => name.split(' ')[1]));

/** The operation of a request, if there is one. */
export function operationOf(method: string, path: string): Operation | undefined {
  const request = `${method} ${path}`;
  // Literal path segments take precedence over parameters.
  const found = operations.get(request);
  if (found !== undefined || paths.has(path)) return found;
  return patterns.find(({ pattern }) => pattern.test(request))?.operation;
}

/** Whether the operation says that it may end with this status, and with this code if there is one. */
export function documentsRefusal(operation: Operation, status: number, code: string | null): boolean {
  const response = operation.responses[String(status)];
  return response !== undefined && (code === null || response.description.includes(`\`${code}\``));
}
