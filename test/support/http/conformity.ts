import type { z } from 'zod';
import { CONTRACT } from '../../../rest/contract/all.ts';
import { event, eventsByType } from '../../../rest/event-schemas.ts';
import * as answers from '../../../rest/response-schemas.ts';
import type { Answer } from './http-service.ts';
import { documentsRefusal, operationOf } from './openapi.ts';

/** What each endpoint answers when it does what it was asked. */
const SUCCESSES: readonly (readonly [request: RegExp, status: number, body: z.ZodType])[] = CONTRACT.flatMap(
  ({ method, path, answer }) => {
    // `export` is no id.
    const pattern = path.replace(/\{\w+\}/g, '(?!(?:export|validate)$)[^/]+');
    return answer.schema === undefined
      ? []
      : [[new RegExp(`^${method} ${pattern}$`), answer.status, answer.schema] as const];
  },
);

function demand(condition: boolean, what: string, answer: Answer): void {
  if (!condition) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/**
 * Throws unless an answer is one of those that the documents promise for the request: the body in its schema, a
 * refusal in its envelope, and the headers that belong to either.
 */
export function conforms(method: string, path: string, answer: Answer): void {
  const { status, headers } = answer;
  demand((headers.get('x-request-id') ?? '') !== '', 'an answer without X-Request-Id', answer);
  const [target = ''] = path.split('?');
  if (target === '/graphql') conformsToGraphQL(answer);
  else if (!target.startsWith('/v1/') || method === 'HEAD') return;
  else if (status === 304) demand(answer.body === '' && headers.has('etag'), 'no 304', answer);
  else if (status >= 400) conformsToEnvelope(answer);
  else conformsToSuccess(`${method} ${target}`, answer);
  const operation = operationOf(method, target);
  if (operation === undefined) return;
  const code = status >= 400 ? answer.body.code : null;
  demand(
    documentsRefusal(operation, status, code),
    `not in the OpenAPI document of ${method} ${target}`,
    answer,
  );
}

function conformsToSuccess(request: string, answer: Answer): void {
  const { status, headers } = answer;
  for (const [pattern, expected, body] of SUCCESSES) {
    if (!pattern.test(request)) continue;
    demand(status === expected, `not ${expected}`, answer);
    demand(headers.get('content-type') === 'application/json; charset=utf-8', 'not JSON', answer);
    body.parse(answer.body);
    const events =
      body === event ? [answer.body] : /^GET \/v1\/events$/.test(request) ? answer.body.data : [];
    for (const one of events) eventsByType.get(one.type)!.parse(one);
    demand(status !== 201 || headers.has('location'), 'a 201 without Location', answer);
  }
}

function conformsToEnvelope(answer: Answer): void {
  const { status, headers, body } = answer;
  demand(headers.get('content-type') === 'application/json; charset=utf-8', 'not JSON', answer);
  answers.errorEnvelope.parse(body);
  demand(body.doc_url.endsWith(`/docs/errors#${body.code}`), 'another doc_url', answer);
  const waits = status === 503 || status === 429;
  demand(!waits || /^[1-9]\d*$/.test(headers.get('retry-after') ?? ''), 'no Retry-After', answer);
  demand(status !== 401 || headers.has('www-authenticate'), 'no WWW-Authenticate', answer);
  demand(status !== 405 || headers.has('allow'), 'no Allow', answer);
}

function conformsToGraphQL(answer: Answer): void {
  if (typeof answer.body === 'string') return;
  demand('data' in answer.body || Array.isArray(answer.body.errors), 'not of GraphQL', answer);
  for (const { message, extensions } of answer.body.errors ?? []) {
    demand(typeof message === 'string' && message !== '', 'an error without message', answer);
    const { code, status, errors, docUrl, retryAfter } = extensions ?? {};
    demand(typeof code === 'string' && Number.isInteger(status), 'an error without code and status', answer);
    demand(docUrl?.endsWith(`/docs/errors#${code}`), 'another docUrl', answer);
    answers.errorEnvelope.shape.errors.parse(errors);
    const waits = status === 503 || status === 429;
    demand(waits ? retryAfter > 0 : retryAfter === undefined, 'retryAfter in the wrong place', answer);
  }
}
