/**
 * What of the PHP package is made from the OpenAPI document: `Types.php`, the types of all that is sent and answered as PHPDoc states them,
 * and `Operations.php`, a method for each operation.
 */
import {
  type Argument,
  nameOf,
  type Operation,
  readOpenApi,
  type Schema,
  type Schemas,
} from '../shared/operations.ts';

const HEAD =
  '<?php\n\n// Made from the OpenAPI document of the service.\n\ndeclare(strict_types=1);\n\nnamespace Lacre;\n\n';

/** The generated files, by their names. */
export function sources(): Readonly<Record<string, string>> {
  const { schemas, operations } = readOpenApi();
  return { 'Types.php': types(schemas), 'Operations.php': methods(operations) };
}

function types(schemas: Schemas): string {
  const aliases = Object.entries(schemas).map(
    ([name, schema]) => ` * @phpstan-type ${name} ${typeOf(schema)}\n`,
  );
  return `${HEAD}/**\n * Arrays with the fields of the API, for readers and for checkers of types (PHPStan, Psalm).\n *\n${aliases.join('')} */\nfinal class Types\n{\n}\n`;
}

/** The type of a value as PHPDoc writes it. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map(literal));
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf.map(typeOf));
  // What is added to a type says what of it is refused; the type is the same.
  if (schema.allOf !== undefined) return typeOf(schema.allOf[0]!);
  if (Array.isArray(schema.type))
    return unionOf(schema.type.map((type: string) => typeOf({ ...schema, type })));
  return plainType(schema);
}

function plainType(schema: Schema): string {
  const { type, items, properties, additionalProperties } = schema;
  if (properties !== undefined) return shapeOf(schema, properties);
  switch (type) {
    case 'string':
      return 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'int|float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'null';
    case 'array':
      return `list<${items === undefined ? 'mixed' : typeOf(items)}>`;
    case 'object':
      return `array<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'mixed'}>`;
    default:
      return 'mixed';
  }
}

function shapeOf({ required = [] }: Schema, properties: NonNullable<Schema['properties']>): string {
  const fields = Object.entries(properties).map(([name, of]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${key}${required.includes(name) ? '' : '?'}: ${typeOf(of)}`;
  });
  return fields.length === 0 ? 'array<string, mixed>' : `array{${fields.join(', ')}}`;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

const unionOf = (types: readonly string[]): string => [...new Set(types)].join('|');

function methods(operations: readonly Operation[]): string {
  const written = operations.map(methodOf);
  const named = new Set(written.flatMap(({ used }) => used));
  const imports = [...named].sort().map((name) => ` * @phpstan-import-type ${name} from Types\n`);
  const base = `    /**
     * The body of the answer, if it is one of success. \`$keyed\`: the service takes an idempotency key, which is the same at every try.
     *
     * @param array<string, mixed> $query
     * @param ?array<mixed> $body
     * @param array<string, ?string> $headers
     * @throws LacreException
     */
    abstract protected function call(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        array $headers = [],
        bool $keyed = false,
    ): string;

    private static function json(string $body): mixed
    {
        try {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        } catch (\\JsonException $cause) {
            throw new LacreException('unreadable_answer', 'The answer is not JSON.', 200, previous: $cause);
        }
    }
`;
  return `${HEAD}/**\n * A method for each operation of the service.\n *\n${imports.join('')} */\nabstract class Operations\n{\n${base}\n${written.map(({ text }) => text).join('\n')}}\n`;
}

const camel = (name: string): string =>
  name
    .replace('[]', '')
    .toLowerCase()
    .replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());

/** The type that PHP itself checks. */
function nativeOf(schema: Schema): string {
  if (schema.type === 'array' || schema.type === 'object') return 'array';
  if (schema.type === 'integer') return 'int';
  if (schema.type === 'boolean') return 'bool';
  return 'string';
}

function methodOf({
  id,
  summary,
  method,
  path,
  places,
  body,
  filters,
  headers,
  isKeyed,
  answer,
}: Operation): {
  readonly text: string;
  readonly used: readonly string[];
} {
  const isPaged = answer.kind === 'pages';
  const optionalFirst = (one: Argument, other: Argument) => Number(other.required) - Number(one.required);
  const named = [...filters, ...headers].sort(optionalFirst).map(({ name, required, schema }) => ({
    ...{ name: camel(name), doc: typeOf(schema), native: nativeOf(schema), required },
  }));
  const bodies =
    body === null
      ? []
      : [{ name: 'body', doc: typeOf(body.schema), native: 'array', required: !body.isOptional }];
  const arguments_ = [
    ...places.map((name) => ({ name: camel(name), doc: 'string', native: 'string', required: true })),
    ...[...bodies, ...named].sort((one, other) => Number(other.required) - Number(one.required)),
  ];
  const signature = arguments_.map(({ name, native, required }) =>
    required ? `${native} $${name}` : `?${native} $${name} = null`,
  );
  const result = resultOf(answer);
  const docs = [
    ...arguments_
      .filter(({ doc, native }) => doc !== native)
      .map(({ name, doc, required }) => `@param ${doc}${required ? '' : '|null'} $${name}`),
    ...(result.doc === null ? [] : [`@return ${result.doc}`]),
    '@throws LacreException',
  ];
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `' . rawurlencode($${camel(name)}) . '`);
  const asked = [
    ...filters.map(({ name }) => `'${name}' => $${camel(name)}`),
    ...(isPaged ? ["'starting_after' => $cursor"] : []),
  ];
  const sent = [
    `'${method}'`,
    `'${url}'`.replace(/ \. ''$/, ''),
    ...(asked.length === 0 ? [] : [`query: [${asked.join(', ')}]`]),
    ...(body === null ? [] : [`body: $body${body.isOptional ? ' ?? []' : ''}`]),
    ...(headers.length === 0
      ? []
      : [`headers: [${headers.map(({ name }) => `'${name.toLowerCase()}' => $${camel(name)}`).join(', ')}]`]),
    ...(isKeyed ? ['keyed: true'] : []),
  ];
  const text = `    /**\n     * ${summary}.\n     *\n${docs.map((line) => `     * ${line}\n`).join('')}     */
    public function ${id}(${signature.join(', ')}): ${result.native}
    {
        ${result.expression(`$this->call(${sent.join(', ')})`)};
    }
`;
  return { text, used: [...new Set(docs.join(' ').match(/(?<![$\w'])[A-Z]\w+/g) ?? [])].filter(isAlias) };
}

/** Of what stands in PHPDoc, what is no class. */
const isAlias = (name: string): boolean => name !== 'LacreException' && name !== 'Pages';

function resultOf(answer: Operation['answer']): {
  readonly native: string;
  readonly doc: string | null;
  readonly expression: (call: string) => string;
} {
  switch (answer.kind) {
    case 'nothing':
      return { native: 'void', doc: null, expression: (call) => call };
    case 'bytes':
      return { native: 'string', doc: null, expression: (call) => `return ${call}` };
    case 'json':
      return {
        native: 'array',
        doc: typeOf(answer.schema),
        expression: (call) => `return self::json(${call})`,
      };
    case 'pages':
      return {
        native: 'Pages',
        doc: `Pages<${typeOf(answer.schema)}>`,
        expression: (call) => `return new Pages(fn (?string $cursor): array => self::json(${call}))`,
      };
  }
}
