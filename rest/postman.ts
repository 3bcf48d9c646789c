type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly example?: string;
};
type Operation = {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly security?: readonly [];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json'?: {
        readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
      };
    };
  };
};
export type Document = {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/**
 * The OpenAPI document as a Postman collection, format 2.1: a folder for each group, a request for each operation, and one
 * for each example of a body. The address and the key are variables.
 */
export function postmanCollection({ info, tags, paths }: Document, baseUrl: string): object {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return {
    info: {
      ...{ name: info.title, description: info.description },
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'key', value: 'sk_test_…' },
    ],
    item: tags.map(({ name, description }) => ({
      ...{ name, description },
      item: operations.filter(({ operation }) => operation.tags[0] === name).flatMap(requestsOf),
    })),
  };
}

type Placed = { readonly path: string; readonly method: string; readonly operation: Operation };

function requestsOf({ path, method, operation }: Placed): object[] {
  const { summary, description, security } = operation;
  const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  const request = (body?: object) => ({
    ...{ method, description, url: urlOf(path, operation) },
    ...(security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
    header: headersOf(operation, body !== undefined),
    ...(body === undefined
      ? {}
      : {
          body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
        }),
  });
  if (examples.length === 0) return [{ name: summary, request: request() }];
  return examples.map((example) => ({
    name: examples.length === 1 ? summary : `${summary}: ${example.summary}`,
    request: request(example.value),
  }));
}

/** The operation's own parameters: the one that all GETs share is omitted. */
const ownOf = ({ parameters = [] }: Operation, where: string): Parameter[] =>
  parameters.filter((parameter) => parameter.$ref === undefined && parameter.in === where);

function urlOf(path: string, operation: Operation): object {
  const steps = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  return {
    raw: `{{baseUrl}}/${steps}`,
    host: ['{{baseUrl}}'],
    path: steps.split('/'),
    variable: ownOf(operation, 'path').map(({ name, description, example }) => ({
      ...{ key: name, value: example ?? '', description },
    })),
    // Disabled: users enable those that they need.
    query: ownOf(operation, 'query').map(({ name, description }) => ({
      ...{ key: name, value: '', description, disabled: true },
    })),
  };
}

function headersOf(operation: Operation, hasBody: boolean): object[] {
  const keyed = ownOf(operation, 'header').some(({ name }) => name === 'Idempotency-Key');
  return [
    ...(hasBody ? [{ key: 'Content-Type', value: 'application/json' }] : []),
    // Postman generates a new one for each request.
    ...(keyed ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
  ];
}
