import type { Json } from './parts.ts';

/** What all operations share: components that are referred to, and their names. */
export const COMMON: Json = {
  parameters: {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of your cached answer; 304 if it is still current.',
      schema: { type: 'string' },
    },
  },
  headers: {
    RequestId: {
      description:
        'The id of the request in the logs: your own `X-Request-Id` if you sent 1 to 128 letters, digits, `.`, `_` and `-`.',
      schema: { type: 'string' },
    },
    ETag: {
      description:
        'Identifies the content of the answer. A newly signed `pdf_url` does not change it for up to a day.',
      schema: { type: 'string' },
    },
  },
  responses: {
    NotModified: {
      description: 'Your cached answer is still current.',
      headers: {
        ETag: { $ref: '#/components/headers/ETag' },
        'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      },
    },
  },
};

const IF_NONE_MATCH = { $ref: '#/components/parameters/IfNoneMatch' };

type Operation = Json & { readonly parameters?: readonly Json[]; readonly responses: Record<string, Json> };

/** Their answers are generated while they are sent: the content has no tag yet when the headers are sent. */
const STREAMED = new Set([
  '/v1/companies/export/file',
  '/v1/invoices/export/file',
  '/v1/register_books/file',
]);

/** The paths with what every operation has: the id of its request, and for GET its `ETag`. */
export function withCommon(paths: Json): Json {
  return Object.fromEntries(
    Object.entries(paths as Record<string, Record<string, Operation>>).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          completed(operation, method === 'get' && !STREAMED.has(path)),
        ]),
      ),
    ]),
  );
}

function completed(operation: Operation, isTagged: boolean): Json {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const headers = {
      ...(response['headers'] as Json | undefined),
      ...(isTagged && status === '200' ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    };
    return [status, { ...response, headers }] as const;
  });
  return {
    ...operation,
    ...(isTagged ? { parameters: [...(operation.parameters ?? []), IF_NONE_MATCH] } : {}),
    responses: {
      ...Object.fromEntries(responses),
      ...(isTagged ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
    },
  };
}
