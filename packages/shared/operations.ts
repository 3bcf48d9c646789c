/** What the generators of the clients read of the OpenAPI document, as `npm run openapi` has written it. */
import { readFileSync } from 'node:fs';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
};

type Documented = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>
  >;
};

export type Schemas = Readonly<Record<string, Schema>>;

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: { readonly schemas: Schemas };
};

/** What is given by name. */
export type Argument = { readonly name: string; readonly required: boolean; readonly schema: Schema };

export type Operation = {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  /** The names within the path, in their order. */
  readonly places: readonly string[];
  readonly body: { readonly schema: Schema; readonly isOptional: boolean } | null;
  /** Of the query, without the cursors of pages. */
  readonly filters: readonly Argument[];
  readonly headers: readonly Argument[];
  /** Whether it takes an idempotency key. */
  readonly isKeyed: boolean;
  /** Nothing, a file, JSON, or a list that is read page by page, of whose items the schema is. */
  readonly answer:
    | { readonly kind: 'nothing' | 'bytes' }
    | { readonly kind: 'json' | 'pages'; readonly schema: Schema };
};

/** The schemas and operations, in the order of the document. */
export function readOpenApi(): { readonly schemas: Schemas; readonly operations: readonly Operation[] } {
  const path = `${import.meta.dirname}/../../docs/openapi.json`;
  const { paths, components } = JSON.parse(readFileSync(path, 'utf8')) as Document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, documented]) => !isOfLink(documented))
      .map(([method, documented]) => operationOf(path, method, documented, components.schemas)),
  );
  return { schemas: components.schemas, operations };
}

const parametersOf = ({ parameters = [] }: Documented): readonly Parameter[] =>
  parameters.filter((each): each is Parameter => 'name' in each);

/** Whether it is behind a signed link, which is opened as it is. */
const isOfLink = (documented: Documented): boolean =>
  parametersOf(documented).some(({ name, required }) => name === 'token' && required === true);

function operationOf(path: string, method: string, documented: Documented, schemas: Schemas): Operation {
  const { operationId, summary, requestBody, responses } = documented;
  const parameters = parametersOf(documented);
  const answer = answerOf(responses, schemas);
  const named = (place: string): readonly Argument[] =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name, required = false, schema = { type: 'string' } }) => ({ name, required, schema }));
  const queries = named('query');
  const headers = named('header');
  const schema = requestBody?.content['application/json']?.schema;
  return {
    ...{ id: operationId, summary, method: method.toUpperCase(), path, answer, headers },
    places: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    body: schema === undefined ? null : { schema, isOptional: requestBody?.required === false },
    filters:
      answer.kind === 'pages'
        ? queries.filter(({ name }) => !/^(starting_after|ending_before)$/.test(name))
        : queries,
    isKeyed: headers.some(({ name }) => name === 'Idempotency-Key'),
  };
}

function answerOf(responses: Documented['responses'], schemas: Schemas): Operation['answer'] {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  const [[media, content] = [undefined, undefined]] = Object.entries(success.content ?? {});
  if (content === undefined) return { kind: 'nothing' };
  if (media !== 'application/json') return { kind: 'bytes' };
  const { schema } = content;
  const { properties = {} } = schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {});
  return properties['next_cursor'] === undefined
    ? { kind: 'json', schema }
    : { kind: 'pages', schema: properties['data']!.items! };
}

/** The name of a schema that is referred to. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
