import { type SubscriptionForwarder, subscriptionExchange } from '@urql/core';
import { createEventSource } from 'eventsource-client';
import { openSession } from './session.ts';

/** Lacre sends something every 15 seconds. A connection that is silent for longer is lost, whatever the browser believes. */
const SILENCE_MS = 45_000;
/** The longest pause between attempts that fail; each is twice as long as the one before it. */
const MAX_PAUSE_MS = 30_000;

let live = true;
const listeners = new Set<() => void>();
function setLive(now: boolean): void {
  live = now;
  for (const listener of listeners) listener();
}

/** Whether changes arrive as they happen, for `useSyncExternalStore`. */
export const liveState = {
  get: () => live,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Waits for an answer, and for each piece of it, for a limited time. `stop` ends the waiting. */
function notSilent(signal: AbortSignal) {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const heard = () => {
    clearTimeout(timer);
    // An `AbortError` would be the caller's own wish to end.
    const abort = () => silence.abort(new DOMException('Nothing was received.', 'TimeoutError'));
    timer = setTimeout(abort, SILENCE_MS);
  };
  const stop = () => clearTimeout(timer);
  signal.addEventListener('abort', stop);
  heard();
  const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      heard();
      controller.enqueue(chunk);
    },
  });
  return { signal: AbortSignal.any([signal, silence.signal]), watch, stop };
}

/**
 * Subscriptions over server-sent events. A connection that breaks is opened again with the id of the last message, so
 * nothing is missed; one that ends because the token is over goes on with the next token.
 */
const forwardSubscription: SubscriptionForwarder = (body) => ({
  subscribe(sink) {
    let token: string | undefined;
    let refused: string | undefined;
    let failures = 0;

    const connect = async (init: RequestInit) => {
      if (failures > 0) await pause(Math.min(MAX_PAUSE_MS, 250 * 2 ** failures));
      failures += 1;
      const { signal, watch, stop } = notSilent(init.signal!);
      try {
        const session = await openSession(refused);
        token = session.token;
        const headers = { ...init.headers, Authorization: `Bearer ${token}` };
        const { status, url, redirected, body, ok } = await fetch(session.graphqlUrl, {
          ...init,
          headers,
          signal,
        });
        if (status === 401) refused = token;
        if (!ok || body === null) throw new Error(`live updates were refused: ${status}`);
        failures = 0;
        setLive(true);
        return { status, url, redirected, body: body.pipeThrough(watch) };
      } catch (error) {
        stop();
        setLive(false);
        throw error;
      }
    };

    const source = createEventSource({
      url: new URL('graphql', location.href),
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      fetch: (_url, init) => connect(init as RequestInit),
      onMessage({ event, data }) {
        if (event === 'complete') refused = token;
        if (event !== 'next') return;
        const result = JSON.parse(data);
        // Without data it says why the connection ends: the next one begins with another token.
        if (result.data) sink.next(result);
      },
    });
    return { unsubscribe: () => source.close() };
  },
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const liveExchange = subscriptionExchange({ forwardSubscription });
