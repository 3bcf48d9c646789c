import { z } from 'zod';
import type { Operation, Tagged } from '../contract/operation.ts';
import type { Json } from '../openapi/parts.ts';
import { allowance, idOf, ifMatchHeader, keyHeader, located, query, replayed } from '../openapi/parts.ts';
import { answered, type refusalsAt, sent, withBody } from '../openapi/responses.ts';
import { named } from '../openapi/schemas.ts';

type Refusals = ReturnType<typeof refusalsAt>;

/** The operations as paths of the OpenAPI document. */
export function contractPaths(operations: readonly Tagged[], refusing: Refusals): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: documented(operation, refusing) };
  }
  return paths;
}

function documented(operation: Tagged, { refusals, openRefusals }: Refusals): Json {
  const refused = operation.isOpen ? openRefusals : refusals;
  const { id, tag, summary, description, method, isKeyed, body, codes = [] } = operation;
  const parameters = parametersOf(operation);
  return {
    ...{ operationId: id, tags: [tag], summary, description },
    ...(operation.isOpen ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    responses: {
      [operation.answer.status]: answerOf(operation),
      ...refused(
        ...(method === 'GET' ? [] : withBody),
        ...codes,
        ...(isKeyed ? (['idempotency_conflict'] as const) : []),
      ),
    },
  };
}

function parametersOf({
  ids = {},
  isKeyed,
  ifMatch,
  query: parameters = {},
  required = [],
}: Operation): Json[] {
  return [
    ...Object.entries(ids).map(([name, id]) =>
      'value' in id ? { name, ...segment(id) } : { ...idOf(...id), name },
    ),
    ...(isKeyed ? [keyHeader] : []),
    ...(ifMatch === undefined ? [] : [ifMatchHeader]),
    ...Object.entries(parameters).map(([name, value]) => {
      const { description, ...schema } = parameterSchema(value);
      const parameter = query(name, schema, description as string);
      if (value instanceof z.ZodRecord) return { ...parameter, style: 'deepObject', explode: true };
      return required.includes(name) ? { ...parameter, required: true } : parameter;
    }),
  ];
}

function segment({ value, example }: { readonly value: z.ZodType; readonly example: string }): Json {
  const { description, ...schema } = parameterSchema(value);
  return { in: 'path', required: true, example, schema, description };
}

/** Without the lengths of texts, and the bounds of what JSON can count. */
function parameterSchema(value: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' }) as Json;
  const stated = JSON.parse(JSON.stringify(named(schema, 'sent')), (key, part) =>
    ['minLength', 'maxLength', 'pattern', 'propertyNames'].includes(key) ? undefined : part,
  ) as Json;
  const { maximum, default: preset, ...rest } = stated;
  const isBounded = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  return {
    ...{ ...rest, ...(isBounded ? { maximum } : {}) },
    ...(preset === undefined ? {} : { default: preset }),
  };
}

function bodyOf({ schema, examples, mayBeEmpty }: NonNullable<Operation['body']>): Json {
  const body = sent(nameOf(schema), examples);
  return mayBeEmpty ? { ...body, required: false } : body;
}

function answerOf({
  answer: { status, description, schema, example, files, headers: others },
  isKeyed,
  limit,
}: Operation): Json {
  const headers = {
    ...(status === 201 ? located : {}),
    ...others,
    ...(isKeyed ? replayed : {}),
    ...(limit === undefined ? {} : allowance),
  };
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(schema === undefined ? {} : answered(nameOf(schema), example!)),
    ...(files === undefined ? {} : { content: filesOf(files) }),
  };
}

const filesOf = (files: Json): Json =>
  Object.fromEntries(Object.entries(files).map(([type, schema]) => [type, { schema }]));

function nameOf(schema: z.ZodType): string {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error('a body has a schema without a name');
  return id;
}
