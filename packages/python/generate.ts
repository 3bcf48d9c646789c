/**
 * What of the Python package is made from the OpenAPI document: `models.py`, the types of all that is sent and answered, and a method for each
 * operation: `operations.py`, and the same to be awaited in `async_operations.py`.
 */
import { nameOf, type Operation, readOpenApi, type Schema, type Schemas } from '../shared/operations.ts';

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
  const { schemas, operations } = readOpenApi();
  return {
    'models.py': models(schemas),
    'operations.py': methods(SYNCHRONOUS, operations, schemas),
    'async_operations.py': methods(ASYNCHRONOUS, operations, schemas),
  };
}

function models(schemas: Schemas): string {
  const types = Object.entries(schemas).map(([name, schema]) => modelOf(name, schema));
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
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
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

/** What calls are written like. */
type Way = {
  readonly className: string;
  readonly about: string;
  readonly def: 'def' | 'async def';
  readonly pages: string;
  /** The answer of a call. */
  readonly answer: (call: string) => string;
  /** What reads a page, given the arguments of a call. */
  readonly page: (sent: string) => string;
  /** What of the class is not made of the document. */
  readonly more: readonly string[];
};

const SYNCHRONOUS: Way = {
  ...{ className: 'Operations', about: 'A method for each operation of the service.' },
  ...{ def: 'def', pages: 'Pages', answer: (call) => call },
  page: (sent) => `self._call(${sent}).json()`,
  more: [],
};

const ASYNCHRONOUS: Way = {
  ...{ className: 'AsyncOperations', about: 'A method for each operation of the service, to be awaited.' },
  ...{ def: 'async def', pages: 'AsyncPages', answer: (call) => `(await ${call})` },
  page: (sent) => `self._page(${sent})`,
  more: [
    'async def _page(self, method: str, path: str, *, query: Mapping[str, Any]) -> Any:',
    `${INDENT}return (await self._call(method, path, query=query)).json()`,
    '',
  ],
};

function methods(way: Way, operations: readonly Operation[], schemas: Schemas): string {
  const used = new Set<string>();
  const written = operations.map((operation) => methodOf(way, operation, schemas, used));
  const head = [
    'from collections.abc import Mapping',
    'from typing import TYPE_CHECKING, Any, Literal, Union, cast',
    'from urllib.parse import quote',
    '',
    `from .pages import ${way.pages}`,
    '',
    'if TYPE_CHECKING:',
    `${INDENT}import httpx`,
    '',
    `${INDENT}from .models import (`,
    ...[...used].sort().map((name) => `${INDENT.repeat(2)}${name},`),
    `${INDENT})`,
    '',
    '',
    `class ${way.className}:`,
    `${INDENT}"""${way.about}"""`,
    '',
    `${INDENT}${way.def} _call(`,
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
    ...way.more.map((line) => (line === '' ? '' : `${INDENT}${line}`)),
  ];
  return `${NOTE}${head.join('\n')}\n${written.join('\n')}`;
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const argument = (name: string): string => {
  const plain = name.replace('[]', '').replaceAll('-', '_').toLowerCase();
  return KEYWORDS.has(plain) ? `${plain}_` : plain;
};

const dictOf = (entries: readonly string[]): string => `{${entries.join(', ')}}`;

function methodOf(way: Way, operation: Operation, schemas: Schemas, used: Set<string>): string {
  const { id, summary, method, path, places, body, filters, headers, isKeyed, answer } = operation;
  const use = (schema: Schema): string => {
    const type = typeOf(schema);
    for (const [name] of type.matchAll(/\w+/g)) if (name in schemas) used.add(name);
    return type;
  };
  const named = [...filters, ...headers].map(({ name, schema, required }) =>
    required
      ? `${argument(name)}: ${use(schema)}`
      : `${argument(name)}: ${unionOf([use(schema), 'None'])} = None`,
  );
  const bodies =
    body === null
      ? []
      : [`body: ${body.isOptional ? `${unionOf([use(body.schema), 'None'])} = None` : use(body.schema)}`];
  const parameters = [
    ...['self', ...places.map((name) => `${name}: str`), ...bodies],
    ...(named.length === 0 ? [] : ['*', ...named]),
  ];
  const url = path.includes('{')
    ? `f"${path.replace(/\{(\w+)\}/g, "{quote($1, safe='')}")}"`
    : JSON.stringify(path);
  const asked = [
    ...filters.map(({ name }) => `${JSON.stringify(name)}: ${argument(name)}`),
    ...(answer.kind === 'pages' ? ['"starting_after": cursor'] : []),
  ];
  const stated = headers.map(({ name }) => `${JSON.stringify(name.toLowerCase())}: ${argument(name)}`);
  const sent = [
    ...[JSON.stringify(method), url],
    ...(asked.length > 0 ? [`query=${dictOf(asked)}`] : []),
    ...(body === null ? [] : [`body=${body.isOptional ? '{} if body is None else body' : 'body'}`]),
    ...(stated.length > 0 ? [`headers=${dictOf(stated)}`] : []),
    ...(isKeyed ? ['keyed=True'] : []),
  ].join(', ');
  const { type, expression } = resultOf(way, answer, use, sent);
  // A list is not awaited: it reads nothing until it is gone through.
  const def = answer.kind === 'pages' ? 'def' : way.def;
  return [
    `${INDENT}${def} ${snake(id)}(${parameters.join(', ')}) -> ${type}:`,
    docstring(`${summary}.`, INDENT.repeat(2)).trimEnd(),
    `${INDENT.repeat(2)}${expression}`,
    '',
  ].join('\n');
}

function resultOf(
  { answer: answered, page, pages, def }: Way,
  answer: Operation['answer'],
  use: (schema: Schema) => string,
  sent: string,
): { readonly type: string; readonly expression: string } {
  const call = `self._call(${sent})`;
  switch (answer.kind) {
    case 'nothing':
      return { type: 'None', expression: def === 'def' ? call : `await ${call}` };
    case 'bytes':
      return { type: 'bytes', expression: `return ${answered(call)}.content` };
    case 'json': {
      const type = use(answer.schema);
      return { type, expression: `return cast("${type}", ${answered(call)}.json())` };
    }
    case 'pages':
      return {
        type: `${pages}[${use(answer.schema)}]`,
        expression: `return ${pages}(lambda cursor: ${page(sent)})`,
      };
  }
}
