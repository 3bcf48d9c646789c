import type { Json } from './schemas.ts';

/** What every operation has beside its own: components that are referred to, and where they are. */
export const COMMON: Json = {
  parameters: {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of the answer that you hold: 304 tells that it is still the answer.',
      schema: { type: 'string' },
    },
  },
  headers: {
    RequestId: {
      description:
        'The id of the request, which stands in the logs: your own `X-Request-Id` when you sent 1 to 128 letters, digits, `.`, `_` and `-`.',
      schema: { type: 'string' },
    },
    ETag: {
      description:
        'Names the answer. That `pdf_url` was signed anew makes no other answer of it for up to a day.',
      schema: { type: 'string' },
    },
  },
  responses: {
    NotModified: {
      description: 'The answer that you hold is still the answer.',
      headers: {
        ETag: { $ref: '#/components/headers/ETag' },
        'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      },
    },
  },
};

const IF_NONE_MATCH = { $ref: '#/components/parameters/IfNoneMatch' };

type Operation = Json & { readonly parameters?: readonly Json[]; readonly responses: Record<string, Json> };

/** The paths with what every operation has: the id of its request, and of a GET its `ETag`. */
export function withCommon(paths: Json): Json {
  return Object.fromEntries(
    Object.entries(paths as Record<string, Record<string, Operation>>).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          completed(operation, method === 'get'),
        ]),
      ),
    ]),
  );
}

function completed(operation: Operation, isGet: boolean): Json {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const headers = {
      ...(response['headers'] as Json | undefined),
      ...(isGet && status === '200' ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    };
    return [status, { ...response, headers }] as const;
  });
  return {
    ...operation,
    ...(isGet ? { parameters: [...(operation.parameters ?? []), IF_NONE_MATCH] } : {}),
    responses: {
      ...Object.fromEntries(responses),
      ...(isGet ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
    },
  };
}
