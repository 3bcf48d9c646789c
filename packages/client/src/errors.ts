import type { components } from './schema.ts';

/** Every code that the service answers with, and those that it may add later. */
export type ErrorCode = components['schemas']['ErrorCode'];

/** What is found out here, without the service. */
export type LocalErrorCode =
  /** Nothing came back: the connection failed or broke, or the answer took too long. Whether it was done is not known. */
  | 'no_answer'
  /** Something came back that the service does not send: a proxy has answered, or it is another service. */
  | 'unreadable_answer'
  /** Nobody who knows the secret has signed what was to be verified. */
  | 'invalid_signature'
  /** It was signed at another time than about now: it may have been sent by somebody who recorded it. */
  | 'stale_signature';

/** A field that is at fault. */
export type FieldIssue = components['schemas']['FieldIssue'];

type Parts = {
  readonly status?: number;
  readonly errors?: readonly FieldIssue[];
  readonly docUrl?: string;
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
};

/** Whatever the client throws, but for the reason of a signal that you aborted yourself. Branch on `code`. */
export class LacreError extends Error {
  override readonly name = 'LacreError';
  readonly code: ErrorCode | LocalErrorCode;
  /** The HTTP status; 0 where there was none. */
  readonly status: number;
  /** The fields that are at fault, where some are. */
  readonly errors: readonly FieldIssue[];
  /** Where the code and what to do about it is explained. */
  readonly docUrl: string | null;
  /** By which the service's logs know the request. */
  readonly requestId: string | null;
  /** Seconds after which the same may be tried again, where the service has stated it. */
  readonly retryAfter: number | null;

  constructor(code: ErrorCode | LocalErrorCode, message: string, parts: Parts = {}) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = code;
    this.status = parts.status ?? 0;
    this.errors = parts.errors ?? [];
    this.docUrl = parts.docUrl ?? null;
    this.requestId = parts.requestId ?? null;
    this.retryAfter = parts.retryAfter ?? null;
  }
}

/** The error that an answer of another status than 2xx is; `text` is its body. */
export function errorOf({ status, headers }: Response, text: string): LacreError {
  const parts = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfter: secondsOf(headers.get('retry-after')),
  };
  const body = bodyOf(text);
  if (body === null) return new LacreError('unreadable_answer', `The answer was ${status}.`, parts);
  const { code, detail, errors, doc_url: docUrl } = body;
  return new LacreError(code, detail, { ...parts, errors, docUrl });
}

function bodyOf(text: string): components['schemas']['Error'] | null {
  try {
    const body = JSON.parse(text) as components['schemas']['Error'] | null;
    return typeof body?.code === 'string' && Array.isArray(body.errors) ? body : null;
  } catch {
    return null;
  }
}

/** `Retry-After` is in seconds or a date. */
function secondsOf(text: string | null): number | null {
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
