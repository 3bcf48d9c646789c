import type { FastifyReply } from 'fastify';
import type { Refusal } from '../src/ground/errors/refusal.ts';
import { snakePath } from '../src/ground/lib/case.ts';
import type { Allowance } from '../src/subjects/accounts/entry/rate-limit.ts';
import { recordRefusal } from './request-observer.ts';

/** REST names of GraphQL arguments that are not simply the same word in snake_case. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['first', 'limit'],
  ['last', 'limit'],
  ['after', 'starting_after'],
  ['before', 'ending_before'],
  ['idempotencyKey', 'Idempotency-Key'],
]);

/** The naming of the fields in a refusal: that of the operation, or already that of REST. */
type Naming = 'of the operation' | 'of REST';

/** The refusal as the documented error body, with the headers that belong to it. */
export function sendRefusal(
  reply: FastifyReply,
  refusal: Refusal,
  baseUrl: string,
  naming: Naming = 'of the operation',
): FastifyReply {
  recordRefusal(reply.request, refusal);
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  if (refusal.code === 'unauthorized') reply.header('www-authenticate', 'Bearer realm="lacre"');
  const body = errorBody(refusal, baseUrl, naming);
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** The error body: always these four properties. */
export function errorBody(
  refusal: Pick<Refusal, 'code' | 'detail' | 'errors'>,
  baseUrl: string,
  naming: Naming = 'of the operation',
): object {
  const { code, detail, errors } = naming === 'of REST' ? refusal : inRestNaming(refusal);
  return { code, detail, errors, doc_url: `${baseUrl}/docs/errors#${code}` };
}

function restField(field: string): string {
  return RENAMED.get(field) ?? snakePath(field);
}

/** A detail that begins with a field's path also gets that path in REST’s naming. */
function inRestNaming({ code, detail, errors }: Pick<Refusal, 'code' | 'detail' | 'errors'>) {
  const field = errors[0]?.field;
  const named = field !== undefined && field !== '' && detail.startsWith(field);
  return {
    code,
    detail: named ? restField(field) + detail.slice(field.length) : detail,
    errors: errors.map((issue) => ({ ...issue, field: restField(issue.field) })),
  };
}

/** The headers of a limited operation, in the form of the IETF draft (ratelimit-headers, docs/contract.md#rate-limits). */
export function sendAllowance(reply: FastifyReply, allowance: Allowance | undefined): void {
  if (allowance === undefined) return;
  reply.header('ratelimit-policy', `"minute";q=${allowance.limit};w=${allowance.windowSeconds}`);
  reply.header('ratelimit', `"minute";r=${allowance.remaining};t=${allowance.resetSeconds}`);
}
