import { z } from 'zod';
import { mayBeEmpty, type Operation, type Tagged } from '../contract/operation.ts';
import * as parts from '../openapi/parts.ts';
import { type Json, query as queryParameter } from '../openapi/parts.ts';
import { answered, type refusalsAt, sent, withBody } from '../openapi/responses.ts';
import { named } from '../openapi/schemas.ts';

type Refusals = ReturnType<typeof refusalsAt>;

/** The operations as paths of the OpenAPI document. */
export function contractPaths(operations: readonly Tagged[], refusing: Refusals): Json {
  const paths: Record<string, Json> = {};
  for (const one of operations)
    paths[one.path] = { ...paths[one.path], [one.method.toLowerCase()]: documented(one, refusing) };
  return paths;
}

function documented(operation: Tagged, { refusals, openRefusals }: Refusals): Json {
  const { id, tag, summary, description, method, isOpen, isKeyed, body, answer, codes = [] } = operation;
  const parameters = parametersOf(operation);
  const own = [...codes, ...(isKeyed ? (['idempotency_conflict'] as const) : [])];
  return parts.operation(id, tag, summary, description, {
    ...(isOpen ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { ...sent(nameOf(body.schema), body.examples), required: !mayBeEmpty(operation) } }),
    responses: {
      [answer.status]: answerOf(operation),
      ...(isOpen ? openRefusals : refusals)(...(method === 'GET' ? [] : withBody), ...own),
    },
  });
}

function parametersOf({ method, ids = {}, isKeyed, state, query = {} }: Operation): Json[] {
  return [
    ...Object.entries(ids).map(([name, id]) => {
      if (!('value' in id)) return { ...parts.idOf(...id), name };
      const { description, ...schema } = parameterSchema(id.value);
      return { name, in: 'path', required: true, example: id.example, schema, description };
    }),
    ...(isKeyed ? [parts.keyHeader] : []),
    ...(state === undefined || method === 'GET' ? [] : [parts.ifMatchHeader]),
    ...Object.entries(query).map(([name, value]) => {
      const { description, ...schema } = parameterSchema(value);
      return {
        ...queryParameter(name, schema, String(description)),
        ...(value instanceof z.ZodNonOptional ? { required: true } : {}),
        ...(value instanceof z.ZodRecord ? { style: 'deepObject', explode: true } : {}),
      };
    }),
  ];
}

const UNSTATED = ['$schema', 'minLength', 'maxLength', 'pattern', 'propertyNames'];

/** Without the lengths of texts, and the bounds of what JSON can count. */
function parameterSchema(value: z.ZodType): Json {
  const schema = named(z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' }), 'sent');
  const { default: preset, ...stated } = JSON.parse(JSON.stringify(schema), (key, part) =>
    UNSTATED.includes(key) || part === Number.MAX_SAFE_INTEGER ? undefined : part,
  ) as Json;
  return preset === undefined ? stated : { ...stated, default: preset };
}

function answerOf({ answer, isKeyed, limit }: Operation): Json {
  const { status, description, schema, example, files, headers: others } = answer;
  const headers = {
    ...(status === 201 ? parts.located : {}),
    ...others,
    ...(isKeyed ? parts.replayed : {}),
    ...(limit === undefined ? {} : parts.allowance),
  };
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(schema === undefined ? {} : answered(nameOf(schema), example!)),
    ...(files === undefined ? {} : { content: files }),
  };
}

function nameOf(schema: z.ZodType): string {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error('a body has a schema without a name');
  return id;
}
