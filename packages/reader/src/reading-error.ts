/** Why a file cannot be read: the code of the refusal's issue, and a text that follows the file's name. */
export class ReadingError extends Error {
  readonly code: 'invalid_format' | 'too_big' | 'not_supported' | 'ambiguous';

  constructor(code: ReadingError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The number of bytes that may still be inflated for one file. */
export class Budget {
  #remaining: number;

  constructor(bytes: number) {
    this.#remaining = bytes;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Throws when the file inflates to more than the limit. */
  take(bytes: number): void {
    this.#remaining -= bytes;
    if (this.#remaining < 0) throw new ReadingError('too_big', 'unpacks to more than any invoice');
  }
}
