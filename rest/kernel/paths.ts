import { z } from 'zod';
import { allowance, idOf, keyHeader, located, query, replayed } from '../openapi/parts.ts';
import { answered, type refusalsAt, sent, withBody } from '../openapi/responses.ts';
import { type Json, named } from '../openapi/schemas.ts';
import type { Operation, Tagged } from './operation.ts';

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

function documented(operation: Tagged, { refusals }: Refusals): Json {
  const { id, tag, summary, description, method, isKeyed, body, codes = [] } = operation;
  const parameters = parametersOf(operation);
  return {
    ...{ operationId: id, tags: [tag], summary, description },
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    responses: {
      [operation.answer.status]: answerOf(operation),
      ...refusals(
        ...(method === 'GET' ? [] : withBody),
        ...codes,
        ...(isKeyed ? (['idempotency_conflict'] as const) : []),
      ),
    },
  };
}

function parametersOf({ ids = {}, isKeyed, query: parameters = {} }: Operation): Json[] {
  return [
    ...Object.entries(ids).map(([name, [of, example]]) => ({ ...idOf(of, example), name })),
    ...(isKeyed ? [keyHeader] : []),
    ...Object.entries(parameters).map(([name, value]) => {
      const { description, ...schema } = parameterSchema(value);
      return query(name, schema, description as string);
    }),
  ];
}

/** Without the bounds of what JSON can count, which say nothing. */
function parameterSchema(value: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' }) as Json;
  const { maximum, default: preset, ...rest } = named(schema, 'sent') as Json;
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
  answer: { status, description, schema, example, headers: others },
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
  };
}

function nameOf(schema: z.ZodType): string {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error('a body has a schema without a name');
  return id;
}
