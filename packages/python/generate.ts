/**
 * What of the Python package is made from the OpenAPI document, as `npm run openapi` has written it: `models.py`, the types of all that is sent
 * and answered, and `operations.py`, a method for each operation.
 */
import { readFileSync } from 'node:fs';

type Schema = {
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
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
};

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>
  >;
};

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const NOTE = '# Made from the OpenAPI document of the service.\nfrom __future__ import annotations\n\n';
/** Words of Python that name fields. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'from',
  'class',
  'import',
  'in',
  'is',
  'not',
  'global',
  'pass',
  'with',
]);
const INDENT = '    ';

/** The generated modules, by their file names. */
export function modules(): Readonly<Record<string, string>> {
  const path = `${import.meta.dirname}/../../docs/openapi.json`;
  const document = JSON.parse(readFileSync(path, 'utf8')) as Document;
  return { 'models.py': models(document), 'operations.py': operations(document) };
}

function models({ components }: Document): string {
  const types = Object.entries(components.schemas).map(([name, schema]) => modelOf(name, schema));
  const imports = 'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union\n';
  return `${NOTE}${imports}\n${types.join('\n')}`;
}

function modelOf(name: string, schema: Schema): string {
  if (schema.properties === undefined) return `${name}: TypeAlias = ${quoted(typeOf(schema))}\n`;
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties).map(([field, of]) => {
    const type = required.has(field) ? typeOf(of) : `NotRequired[${typeOf(of)}]`;
    return [field, type] as const;
  });
  if (fields.some(([field]) => KEYWORDS.has(field))) {
    const entries = fields.map(([field, type]) => `${INDENT}${JSON.stringify(field)}: ${quoted(type)},\n`);
    return `${name} = TypedDict(${JSON.stringify(name)}, {\n${entries.join('')}})\n`;
  }
  const lines = fields.map(([field, type]) => `${INDENT}${field}: ${type}\n`);
  return `class ${name}(TypedDict):\n${docstring(schema.description)}${lines.join('') || `${INDENT}pass\n`}\n`;
}

const quoted = (type: string): string => JSON.stringify(type);

const docstring = (text: string | undefined, indent = INDENT): string =>
  text === undefined ? '' : `${indent}${JSON.stringify(text)}\n`;

/** The type of a value as Python writes it. A field that may be of a kind added later is one of any text. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf.map(typeOf));
  // What is added to a type says what of it is refused; the type is the same.
  if (schema.allOf !== undefined) return typeOf(schema.allOf[0]!);
  if (Array.isArray(schema.type))
    return unionOf(schema.type.map((type: string) => typeOf({ ...schema, type })));
  return plainType(schema);
}

function plainType({ type, items, additionalProperties }: Schema): string {
  switch (type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${items === undefined ? 'Any' : typeOf(items)}]`;
    case 'object':
      return `dict[str, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'Any'}]`;
    default:
      return 'Any';
  }
}

const unionOf = (types: readonly string[]): string => {
  const several = [...new Set(types)];
  return several.length === 1 ? several[0]! : `Union[${several.join(', ')}]`;
};

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

function operations({ paths, components }: Document): string {
  const methods: string[] = [];
  const used = new Set<string>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (isOfLink(operation)) continue;
      methods.push(methodOf(path, method, operation, components.schemas, used));
    }
  }
  const imports = [
    'from collections.abc import Mapping',
    'from typing import TYPE_CHECKING, Any, Literal, Union, cast',
    'from urllib.parse import quote',
    '',
    'from .pages import Pages',
    '',
    'if TYPE_CHECKING:',
    `${INDENT}import httpx`,
    '',
    `${INDENT}from .models import (`,
    ...[...used].sort().map((name) => `${INDENT.repeat(2)}${name},`),
    `${INDENT})`,
    '',
    '',
    'class Operations:',
    `${INDENT}"""A method for each operation of the service."""`,
    '',
    `${INDENT}def _call(`,
    ...[
      'self,',
      'method: str,',
      'path: str,',
      '*,',
      'query: Mapping[str, Any] | None = None,',
      'body: Any = None,',
      'headers: Mapping[str, str | None] | None = None,',
      'keyed: bool = False,',
    ].map((line) => INDENT.repeat(2) + line),
    `${INDENT}) -> "httpx.Response":`,
    `${INDENT.repeat(2)}raise NotImplementedError`,
    '',
  ];
  return `${NOTE}${imports.join('\n')}\n${methods.join('\n')}`;
}

/** Whether it is behind a signed link, which is opened as it is. */
const isOfLink = ({ parameters = [] }: Operation): boolean =>
  parameters.some(({ name, required }) => name === 'token' && required === true);

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const argument = (name: string): string => {
  const plain = name.replace('[]', '').replaceAll('-', '_').toLowerCase();
  return KEYWORDS.has(plain) ? `${plain}_` : plain;
};

type Answer = { readonly type: string; readonly expression: (call: string) => string };

function methodOf(
  path: string,
  method: string,
  { operationId, summary, parameters = [], requestBody, responses }: Operation,
  schemas: Document['components']['schemas'],
  used: Set<string>,
): string {
  const use = (type: string): string => {
    for (const [name] of type.matchAll(/\w+/g)) if (name in schemas) used.add(name);
    return type;
  };
  const queries = parameters.filter(({ in: place }) => place === 'query');
  const answer = answerOf(responses, schemas, use);
  const isPaged = answer.type.startsWith('Pages[');
  const filters = isPaged
    ? queries.filter(({ name }) => !/^(starting_after|ending_before)$/.test(name!))
    : queries;
  const headers = parameters.filter(({ in: place }) => place === 'header');
  const body = requestBody?.content['application/json']?.schema;
  const named = [...filters, ...headers].map(({ name, schema, required }) => {
    const type = use(typeOf(schema ?? { type: 'string' }));
    return required === true
      ? `${argument(name!)}: ${type}`
      : `${argument(name!)}: ${unionOf([type, 'None'])} = None`;
  });
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: str`);
  const isOptional = requestBody?.required === false;
  const bodies =
    body === undefined
      ? []
      : [`body: ${isOptional ? `${unionOf([use(typeOf(body)), 'None'])} = None` : use(typeOf(body))}`];
  const signature = ['self', ...places, ...bodies, ...(named.length === 0 ? [] : ['*', ...named])].join(', ');
  const url = path.includes('{')
    ? `f"${path.replace(/\{(\w+)\}/g, "{quote($1, safe='')}")}"`
    : JSON.stringify(path);
  const asked = filters.map(({ name }) => `${JSON.stringify(name)}: ${argument(name!)}`);
  const sent = [
    ...(isPaged || asked.length > 0
      ? [`query={${[...asked, ...(isPaged ? ['"starting_after": cursor'] : [])].join(', ')}}`]
      : []),
    ...(bodies.length > 0 ? [`body=${isOptional ? '{} if body is None else body' : 'body'}`] : []),
    ...(headers.length > 0
      ? [
          `headers={${headers.map(({ name }) => `${JSON.stringify(name!.toLowerCase())}: ${argument(name!)}`).join(', ')}}`,
        ]
      : []),
    ...(headers.some(({ name }) => name === 'Idempotency-Key') ? ['keyed=True'] : []),
  ];
  const call = `self._call(${[JSON.stringify(method.toUpperCase()), url, ...sent].join(', ')})`;
  return [
    `${INDENT}def ${snake(operationId)}(${signature}) -> ${answer.type}:`,
    docstring(`${summary}.`, INDENT.repeat(2)).trimEnd(),
    `${INDENT.repeat(2)}${answer.expression(call)}`,
    '',
  ].join('\n');
}

function answerOf(
  responses: Operation['responses'],
  schemas: Document['components']['schemas'],
  use: (type: string) => string,
): Answer {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  const [[media, content] = [undefined, undefined]] = Object.entries(success.content ?? {});
  if (content === undefined) return { type: 'None', expression: (call) => call };
  if (media !== 'application/json') return { type: 'bytes', expression: (call) => `return ${call}.content` };
  const type = typeOf(content.schema);
  const properties = schemas[type]?.properties ?? {};
  if (properties['next_cursor'] !== undefined) {
    const item = use(typeOf(properties['data']!.items!));
    return { type: `Pages[${item}]`, expression: (call) => `return Pages(lambda cursor: ${call}.json())` };
  }
  return { type: use(type), expression: (call) => `return cast("${type}", ${call}.json())` };
}
