/** Why a file is not read: the entry's code of the refusal, and words that follow the name of the file. */
export class ReadingFault extends Error {
  readonly code: 'invalid_format' | 'too_big' | 'not_supported' | 'ambiguous';

  constructor(code: ReadingFault['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** What may still be unpacked of one file. */
export class Budget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get left(): number {
    return this.#left;
  }

  /** Throws when the file unpacks to more than it may. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new ReadingFault('too_big', 'unpacks to more than any invoice');
  }
}
