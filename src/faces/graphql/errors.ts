import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import {
  hasNul,
  isDatabaseFailure,
  isLoggedAsOutage,
  isStatementTimeout,
} from '../../ground/db/condition/failures.ts';
import { isRefusedWrite } from '../../ground/db/condition/write-state.ts';
import { inSpanish, issueInSpanish } from '../../ground/errors/in-spanish.ts';
import { type FieldIssue, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Caller } from '../../subjects/accounts/entry/caller.ts';
import type { LimitedOperation } from '../../subjects/accounts/entry/rate-limit.ts';
import type { Context } from './context.ts';
import { issueOfFault } from './input-faults.ts';

/** Carries a refusal through GraphQL's own way of saying no, up to where the answer is written. */
class RefusedOperation extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** The refusal as an error, for what GraphQL itself hands on. */
export function refusedError(refusal: Refusal): Error {
  return new RefusedOperation(refusal);
}

/** The value, or GraphQL's error with the refusal in it. */
export function valueOrThrow<T>(outcome: Outcome<T>): T {
  if (outcome instanceof Refusal) throw refusedError(outcome);
  return outcome;
}

/** Counts an operation of a query from outside against the caller's limit; `rate_limited` beyond it. REST counts before it reads a body. */
export async function countRequest(
  context: Context,
  caller: Caller,
  operation: LimitedOperation,
): Promise<Outcome<null>> {
  if (!context.bounded) return null;
  const { allowance, outcome } = await context.services.rateLimits.take(caller, operation);
  context.noteAllowance?.(allowance);
  return outcome;
}

/** Whether GraphQL itself refused the query: nothing of ours has run yet. */
export function isFaultOfQuery(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  return error.originalError === undefined || error.originalError instanceof GraphQLError;
}

/**
 * What a caller learns of an error: a refusal with its code, a fault of the query itself and a text that names nothing
 * because it cannot be stored as `invalid_request`, and of a bug nothing but `internal_error`, while the log gets all of
 * it under the request's id.
 */
export function refusalOf(error: unknown, context: Pick<Context, 'log' | 'requestId' | 'services'>): Refusal {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  if (cause instanceof RefusedOperation) return cause.refusal;
  if (isFaultOfQuery(error)) {
    const { http } = error.extensions as { http?: { status?: number } };
    const code = http?.status === 405 ? 'method_not_allowed' : 'invalid_request';
    return new Refusal(code, error.message, { errors: issueOfFault(error) });
  }
  if (hasNul(cause)) return new Refusal('invalid_request', 'A text holds the character NUL.');
  if (isStatementTimeout(cause)) {
    context.log.warn({ err: cause, requestId: context.requestId }, 'a statement took too long');
    return new Refusal(
      'service_unavailable',
      'The database took too long over this. Ask for less, or again.',
    );
  }
  // The outage is logged once, by the monitor of the database.
  if (isRefusedWrite(cause)) return new Refusal('service_unavailable', WRITES_REFUSED);
  if (isDatabaseFailure(cause)) {
    if (!isLoggedAsOutage(cause, context.services.db.lineage))
      context.log.error({ err: cause, requestId: context.requestId }, 'the database is unavailable');
    return new Refusal('service_unavailable', 'The service cannot reach its database.');
  }
  context.log.error({ err: cause, requestId: context.requestId }, 'unexpected failure');
  return new Refusal('internal_error', 'Something failed unexpectedly. Nothing was persisted.');
}

const WRITES_REFUSED = 'The database accepts no writes at present; reads continue. Nothing was persisted.';

/** The error as a GraphQL answer carries it: `extensions` hold `code`, `status`, `errors`, `docUrl`, `retryAfter`. */
export function formatRefusal(
  refusal: Pick<Refusal, 'code' | 'detail' | 'errors' | 'status' | 'retryAfter'>,
  error: unknown,
  baseUrl: string,
): GraphQLFormattedError {
  const { path, locations } =
    error instanceof GraphQLError ? error : { path: undefined, locations: undefined };
  return {
    message: refusal.detail,
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions: {
      code: refusal.code,
      status: refusal.status,
      errors: refusal.errors,
      docUrl: `${baseUrl}/docs/errors#${refusal.code}`,
      ...(refusal.retryAfter === undefined ? {} : { retryAfter: refusal.retryAfter }),
    },
  };
}

/** A documented error as it is said to the caller: its text and those of its fields in the language that the request prefers. */
export function inLanguage(error: GraphQLError, { language }: Pick<Context, 'language'>): GraphQLError {
  if (language !== 'es') return error;
  const { extensions, path, nodes } = error;
  const { code, errors } = extensions as { code: Refusal['code']; errors: Refusal['errors'] };
  const said = inSpanish({ code, detail: error.message, errors });
  return new GraphQLError(said.detail, {
    ...{ nodes: nodes ?? null, path: path ?? null },
    extensions: { ...extensions, errors: said.errors },
  });
}

/** What is wrong with a field, or likely wrong, in the language that the request prefers. */
export function textOfIssue(
  issue: Pick<FieldIssue, 'code' | 'message'>,
  _args: object,
  { language }: Pick<Context, 'language'>,
): string {
  return (language === 'es' ? issueInSpanish(issue) : issue).message;
}
