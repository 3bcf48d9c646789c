import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import {
  isDatabaseFailure,
  isLoggedAsOutage,
  isStatementTimeout,
} from '../src/ground/db/condition/failures.ts';
import { type FieldIssue, invalidField, Refusal } from '../src/ground/errors/refusal.ts';
import { newId } from '../src/ground/lib/ids.ts';
import type { Services } from '../src/services.ts';
import { REQUEST_LIMITS } from './limits.ts';

/** A refusal thrown where only an exception can end the request. */
export class HttpError extends Error {
  readonly refusal: Refusal;
  readonly statusCode: number;

  constructor(
    code: 'invalid_request' | 'unauthorized' | 'unsupported_media_type' | 'service_unavailable',
    detail: string,
    errors: readonly FieldIssue[] = [],
  ) {
    super(detail);
    this.refusal = new Refusal(code, detail, { errors });
    this.statusCode = this.refusal.status;
  }
}

/** The refusal sent for an error that reached the HTTP layer. */
export function refusalOfError(
  error: Error & { code?: string; statusCode?: number },
  largestBody: number = REQUEST_LIMITS.body.value,
): Refusal {
  if (error instanceof HttpError) return error.refusal;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Refusal('payload_too_large', `The body is larger than ${largestBody / (1024 * 1024)} MiB.`);
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Refusal('unsupported_media_type', 'Send application/json.');
  }
  // Before what concerns the database: a caller who leaves while its body arrives is a connection that was reset, too.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Refusal('invalid_request', 'The request is malformed.');
  }
  if (isStatementTimeout(error)) {
    return new Refusal('service_unavailable', 'The database took too long. Request less, or retry.');
  }
  if (isDatabaseFailure(error)) {
    return new Refusal('service_unavailable', 'The service cannot reach its database.');
  }
  return new Refusal('internal_error', 'Something failed unexpectedly. Nothing was persisted.');
}

/** Logs the failure, unless it is the caller's error, an intended refusal, or was logged already. */
export function logError(
  { log, db }: Pick<Services, 'log' | 'db'>,
  refusal: Refusal,
  error: Error,
  request: FastifyRequest,
): void {
  if (refusal.status < 500 || error instanceof HttpError) return;
  if (isLoggedAsOutage(error, db.lineage)) return;
  log.error({ err: error, ...request.requestLog?.fields, route: request.routeOptions.url }, 'request failed');
}

/** Refuses an `Expect` header other than `100-continue`, which is the only one in HTTP (RFC 9110, 10.1.1): 417. */
export function refuseExpectation(response: ServerResponse, requestId: string, baseUrl: string): void {
  const message = 'is met only when it is 100-continue';
  const { code, detail, errors } = invalidField('Expect', 'invalid_value', message);
  const body = JSON.stringify({ code, detail, errors, doc_url: `${baseUrl}/docs/errors#${code}` });
  response.writeHead(417, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    // The body that would have followed is not read.
    connection: 'close',
  });
  response.end(body);
}

/** The complete raw HTTP answer to what could not be parsed as HTTP, or asks for a tunnel. */
export function rawRefusal(
  baseUrl: string,
  reason = 'The request is not HTTP.',
  requestId: string = newId('req'),
): string {
  const { code, detail, errors } = new Refusal('invalid_request', reason);
  const body = JSON.stringify({ code, detail, errors, doc_url: `${baseUrl}/docs/errors#${code}` });
  return (
    'HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n' +
    `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`
  );
}
