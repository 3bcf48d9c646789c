import { Deadlines } from './deadlines.ts';
import { errorOf, LacreError } from './errors.ts';
import { KEYED_PATHS } from './keyed-paths.ts';
import { pause } from './pause.ts';

export type ClientOptions = {
  /** Where the service is, without `/v1`: `https://invoices.example.com`. */
  readonly baseUrl: string;
  /** A key of one environment (`sk_test_…`, `sk_live_…`), or an access token. */
  readonly key: string;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is made again at most; 4 without it. */
  readonly maxRetries?: number | undefined;
  /** The wait before the first repetition, doubled before each further one; 1,000 without it. */
  readonly firstRetryMs?: number | undefined;
  /** How long one try may take; 60,000 without it. */
  readonly timeoutMs?: number | undefined;
};

/** A longer wait than this is not taken, also where the service requests one: the error is thrown, with `retryAfter`. */
const LONGEST_WAIT_MS = 60_000;

const KEY_HEADER = 'idempotency-key';

const KEYED = KEYED_PATHS.map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));

/** A request, which may be sent several times. */
export type Outgoing = {
  readonly url: string;
  readonly method: string;
  /** By names in lower case. */
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly signal: AbortSignal | undefined;
};

/** An answer of success; JSON is read already, as text and parsed. */
export type Answer = {
  readonly response: Response;
  readonly json: { readonly text: string; readonly body: unknown } | null;
};

/** Sends requests, and sends them again where that is safe. */
export class Transport {
  readonly baseUrl: string;
  readonly authorization: string;
  readonly fetch: typeof globalThis.fetch;
  readonly #maxRetries: number;
  readonly #firstRetryMs: number;
  readonly #deadlines: Deadlines;

  constructor(options: ClientOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.authorization = `Bearer ${options.key}`;
    this.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#maxRetries = options.maxRetries ?? 4;
    this.#firstRetryMs = options.firstRetryMs ?? 1_000;
    this.#deadlines = new Deadlines(options.timeoutMs ?? 60_000);
  }

  /**
   * The answer, when it is one of success. A request with an idempotency key has the same at every try; one is made
   * where the service takes it and the caller has given none. Throws a `LacreError`, or the reason of the caller's signal.
   */
  async send(request: Outgoing): Promise<Answer> {
    const path = request.url.slice(this.baseUrl.length).split('?', 1)[0]!;
    const keyed = request.method === 'POST' && KEYED.some((pattern) => pattern.test(path));
    if (keyed) request.headers[KEY_HEADER] ??= crypto.randomUUID();
    const safe = keyed || request.method !== 'POST' || path.endsWith('/validate');
    // Whether an earlier try may have done it without our hearing so.
    let unknown = false;
    for (let retry = 0; ; retry += 1) {
      const answer = await this.#once(request);
      if (!(answer instanceof LacreError)) return answer;
      if (unknown && request.method === 'DELETE' && answer.status === 404) return DELETED();
      const wait = this.#waitBefore(retry, answer);
      if (retry >= this.#maxRetries || wait > LONGEST_WAIT_MS || !mayRepeat(answer, safe, unknown))
        throw answer;
      unknown ||= answer.code === 'no_answer' || answer.code === 'unreadable_answer';
      await pause(wait * (1 + Math.random() / 4), request.signal);
    }
  }

  /** What the service requests, else twice as long each time. */
  #waitBefore(retry: number, { retryAfter }: LacreError): number {
    if (retryAfter !== null) return retryAfter * 1_000;
    return Math.min(LONGEST_WAIT_MS, this.#firstRetryMs * 2 ** retry);
  }

  /** One try. JSON is read whole here, so that a connection that breaks within it is tried again too. */
  async #once({ url, method, headers, body, signal }: Outgoing): Promise<Answer | LacreError> {
    const late = this.#deadlines.begin();
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    try {
      const response = await this.fetch(url, { method, headers, body, signal: either });
      if (!response.ok) return errorOf(response, await response.text());
      if (!response.headers.get('content-type')?.includes('json')) return { response, json: null };
      const text = await response.text();
      return { response, json: { text, body: parsed(text, response) } };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (cause instanceof LacreError) return cause;
      const why = late.signal.aborted ? 'The answer took too long.' : 'There was no answer.';
      return new LacreError('no_answer', why, { cause });
    } finally {
      late.end();
    }
  }
}

const DELETED = (): Answer => ({ response: new Response(null, { status: 204 }), json: null });

function parsed(text: string, { status, headers }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const requestId = headers.get('x-request-id');
    throw new LacreError('unreadable_answer', 'The answer is not JSON.', { status, requestId, cause });
  }
}

/**
 * Whether the same may be sent once more. `safe`: doing it twice is doing it once. What the service itself answers with
 * 429 or 5xx it has not done, so that may be repeated always; what nobody answered, or a proxy, only when it is safe.
 */
function mayRepeat({ code, status }: LacreError, safe: boolean, unknown: boolean): boolean {
  if (code === 'no_answer') return safe;
  if (code === 'unreadable_answer') return safe && status >= 500;
  // The first try is still running, or was: its answer is kept for us.
  if (code === 'idempotency_conflict') return unknown;
  return status === 429 || status >= 500;
}
