import { errorOf } from './errors.ts';
import { pause } from './pause.ts';
import type { Transport } from './transport.ts';

/**
 * Subscribes over server-sent events. Yields when the stream has begun, and at each message with news. Ends when the
 * stream ends; throws when it cannot be opened.
 */
export async function* newsOf(
  { baseUrl, authorization, fetch }: Transport,
  query: string,
  variables: object,
  signal: AbortSignal,
): AsyncGenerator<void, void, undefined> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { authorization, accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!response.ok || !isStream || response.body === null) throw errorOf(response, await response.text());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let begun = false;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const messages = (rest + value).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      if (/^event: ?complete$/m.test(message)) return;
      if (begun && !/^event: ?next$/m.test(message)) continue;
      begun = true;
      yield;
    }
  }
}

/** Waits for news or for a time, whichever comes first. Where there is no stream, the time alone counts. */
export class Wakeups {
  readonly #open: (signal: AbortSignal) => AsyncIterator<void>;
  readonly #signal: AbortSignal | undefined;
  readonly #closing = new AbortController();
  #stream: AsyncIterator<void> | null = null;
  #next: Promise<boolean> | null = null;
  /** Whether the stream has begun. */
  isLive = false;

  constructor(open: (signal: AbortSignal) => AsyncIterator<void>, signal: AbortSignal | undefined) {
    this.#open = open;
    this.#signal = signal;
  }

  /** Rejects with the reason of the caller's signal. A stream that has ended is opened again by the next wait. */
  async wait(ms: number): Promise<void> {
    this.#stream ??= this.#open(this.#closing.signal);
    this.#next ??= this.#stream.next().then(
      ({ done }) => done !== true,
      () => false,
    );
    const over = new AbortController();
    const signals = this.#signal === undefined ? [over.signal] : [over.signal, this.#signal];
    const time = pause(ms, AbortSignal.any(signals)).then(() => null);
    const isNews = await Promise.race([this.#next, time]);
    if (isNews === null) return;
    this.#next = null;
    this.isLive = isNews;
    if (!isNews) {
      this.#stream = null;
      await time;
      return;
    }
    time.catch(() => {});
    over.abort();
  }

  close(): void {
    this.#closing.abort();
  }
}
