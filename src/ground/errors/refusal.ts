import { type Code, entryOf } from './catalogue.ts';

/** One field that caused a refusal: its path in the caller's spelling, a short reason and a sentence. */
export type FieldIssue = { readonly field: string; readonly code: string; readonly message: string };

/**
 * An expected refusal: a value, returned and never thrown. `detail` is meant for people and must contain nothing that the
 * caller did not send or may not see.
 */
export class Refusal {
  readonly code: Code;
  readonly detail: string;
  readonly errors: readonly FieldIssue[];
  readonly retryAfter: number | undefined;

  constructor(
    code: Code,
    detail: string,
    more: { errors?: readonly FieldIssue[]; retryAfter?: number } = {},
  ) {
    this.code = code;
    this.detail = detail;
    this.errors = more.errors ?? [];
    this.retryAfter = more.retryAfter ?? entryOf(code).retryAfter;
  }

  /** The same for a field. */
  about(field: string): Refusal {
    const { code, detail, retryAfter } = this;
    const errors = [{ field, code, message: detail }];
    return new Refusal(code, detail, { errors, ...(retryAfter === undefined ? {} : { retryAfter }) });
  }

  /** The HTTP status of the code. */
  get status(): number {
    return entryOf(this.code).status;
  }
}

/** A value, or the reason why there is none. */
export type Outcome<T> = T | Refusal;

export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Refusal;
}

/** The refusal because of a single malformed field. */
export function invalidField(field: string, code: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field}: ${message}`, { errors: [{ field, code, message }] });
}
