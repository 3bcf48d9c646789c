import type { FastifyReply } from 'fastify';
import type { Allowance } from '../src/accounts/rate-limit.ts';
import type { Refusal } from '../src/errors/refusal.ts';
import { snakePath } from '../src/lib/case.ts';

/** What the GraphQL arguments are called in REST, where that is not the same word in snake_case. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['first', 'limit'],
  ['after', 'starting_after'],
  ['idempotencyKey', 'Idempotency-Key'],
]);

/** The refusal in the documented envelope, with the headers that belong to it. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, baseUrl: string): FastifyReply {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  if (refusal.code === 'unauthorized') reply.header('www-authenticate', 'Bearer realm="lacre"');
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(envelope(refusal, baseUrl)));
}

/** The error envelope: always these four properties. Fields are spelt as REST spells them. */
function envelope(refusal: Refusal, baseUrl: string) {
  return {
    code: refusal.code,
    detail: inRestSpelling(refusal),
    errors: refusal.errors.map(({ field, code, message }) => ({ field: restField(field), code, message })),
    doc_url: `${baseUrl}/docs/errors#${refusal.code}`,
  };
}

function restField(field: string): string {
  return RENAMED.get(field) ?? snakePath(field);
}

/** A detail that begins with a field's path begins with the same path in REST's spelling. */
function inRestSpelling({ detail, errors }: Refusal): string {
  const field = errors[0]?.field;
  if (field === undefined || field === '' || !detail.startsWith(field)) return detail;
  return restField(field) + detail.slice(field.length);
}

/** The headers of a limited operation, in the form of the IETF draft (ratelimit-headers, DECISIONS D8). */
export function sendAllowance(reply: FastifyReply, allowance: Allowance | undefined): void {
  if (allowance === undefined) return;
  reply.header('ratelimit-policy', `"minute";q=${allowance.limit};w=${allowance.windowSeconds}`);
  reply.header('ratelimit', `"minute";r=${allowance.remaining};t=${allowance.resetSeconds}`);
}
