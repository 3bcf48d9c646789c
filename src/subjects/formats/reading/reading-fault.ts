/** Why a file cannot be read: the code of the refusal's issue, and a text that follows the file's name. */
export class ReadingFault extends Error {
  readonly code: 'invalid_format' | 'too_big' | 'not_supported' | 'ambiguous';

  constructor(code: ReadingFault['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The number of bytes that may still be inflated for one file. */
export class Budget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get left(): number {
    return this.#left;
  }

  /** Throws when the file inflates to more than the limit. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new ReadingFault('too_big', 'unpacks to more than any invoice');
  }
}
