import type { FastifyReply } from 'fastify';
import { inSpanish } from '../src/ground/errors/in-spanish.ts';
import type { Refusal } from '../src/ground/errors/refusal.ts';
import { snakePath } from '../src/ground/lib/case.ts';
import { preferredLanguage } from '../src/ground/lib/language.ts';
import type { Allowance } from '../src/subjects/accounts/entry/rate-limit.ts';
import { adviceFor } from './hints.ts';
import type { Parameters } from './query.ts';
import { recordRefusal } from './request-observer.ts';

/** The naming of the fields in a refusal: that of the operation, or already that of REST. */
type Naming = 'of the operation' | 'of REST';

type Names = {
  readonly naming?: Naming;
  /** Those of the query, by which the arguments of the operation are named. */
  readonly parameters?: Parameters | null;
};

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
  // A request for no route has none.
  const { parameters = null } = reply.request.routeOptions.config ?? {};
  const body = errorBody(inLanguageOf(reply, refusal), baseUrl, { naming, parameters });
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** What is said of it, with what the caller can do about it; in Spanish its meaning says that. */
function inLanguageOf(reply: FastifyReply, refusal: Refusal): Pick<Refusal, 'code' | 'detail' | 'errors'> {
  const { code, detail, errors } = refusal;
  if (preferredLanguage(reply.request.headers['accept-language']) === 'en')
    return { code, detail: `${detail}${adviceFor(refusal, reply.request)}`, errors };
  reply.header('content-language', 'es');
  return inSpanish({ code, detail, errors });
}

/** The error body: always these four properties. */
export function errorBody(
  refusal: Pick<Refusal, 'code' | 'detail' | 'errors'>,
  baseUrl: string,
  { naming = 'of the operation', parameters = null }: Names = {},
): object {
  const { code, detail, errors } = naming === 'of REST' ? refusal : inRestNaming(refusal, parameters);
  return { code, detail, errors, doc_url: `${baseUrl}/docs/errors#${code}` };
}

/** A parameter of the query is named as it was sent: as the one that has become this argument. */
function restField(field: string, parameters: Parameters | null): string {
  if (field === 'idempotencyKey') return 'Idempotency-Key';
  // A limit is counted from the end of the list if the page ends before an item.
  const argument = field === 'last' ? 'first' : field;
  const parameter = Object.entries(parameters ?? {}).find(([, { variable }]) => variable === argument);
  return parameter?.[0] ?? snakePath(field);
}

/** A detail that begins with a field's path also gets that path in REST’s naming. */
function inRestNaming(
  { code, detail, errors }: Pick<Refusal, 'code' | 'detail' | 'errors'>,
  parameters: Parameters | null,
) {
  const field = errors[0]?.field;
  const named = field !== undefined && field !== '' && detail.startsWith(field);
  return {
    code,
    detail: named ? restField(field, parameters) + detail.slice(field.length) : detail,
    errors: errors.map((issue) => ({ ...issue, field: restField(issue.field, parameters) })),
  };
}

/** The headers of a limited operation, in the form of the IETF draft (ratelimit-headers, docs/contract.md#rate-limits). */
export function sendAllowance(reply: FastifyReply, allowance: Allowance | undefined): void {
  if (allowance === undefined) return;
  reply.header('ratelimit-policy', `"minute";q=${allowance.limit};w=${allowance.windowSeconds}`);
  reply.header('ratelimit', `"minute";r=${allowance.remaining};t=${allowance.resetSeconds}`);
}
