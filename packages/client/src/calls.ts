export type CallOptions = {
  /** Ends the call, and its repetitions; what is thrown then is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

export type KeyedOptions = CallOptions & {
  /** A fresh key for each thing that you mean. Without it the client makes one for the call and all its tries. */
  readonly idempotencyKey?: string | undefined;
};

/** The options that are passed to the HTTP client. */
export function requestInit({ signal, idempotencyKey }: KeyedOptions = {}): {
  signal?: AbortSignal;
  headers?: Record<string, string>;
} {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(idempotencyKey === undefined ? {} : { headers: { 'Idempotency-Key': idempotencyKey } }),
  };
}

export async function bodyOf<Body>(answer: Promise<{ readonly data: Body }>): Promise<Body> {
  return (await answer).data;
}
