import { type SubscriptionForwarder, subscriptionExchange } from '@urql/core';
import { createEventSource, type EventSourceMessage } from 'eventsource-client';
import { inGroups } from './in-groups.ts';
import { type Receiver, shareStream } from './one-stream.ts';
import { openSession } from './session.ts';

/** Lacre sends something every 15 seconds. A connection that is silent for longer is lost, whatever the browser believes. */
const SILENCE_MS = 45_000;
/** The longest pause between attempts that fail; each is twice as long as the one before it. */
const MAX_PAUSE_MS = 30_000;
/** Messages that follow each other more quickly are handed on together. */
const GROUP_MS = 1_000;

let live = true;
const listeners = new Set<() => void>();
function setLive(now: boolean): void {
  if (live === now) return;
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

type Result = Parameters<Parameters<ReturnType<SubscriptionForwarder>['subscribe']>[0]['next']>[0];
type Body = Parameters<SubscriptionForwarder>[0];

/**
 * A stream of server-sent events. A connection that breaks is opened again with the id of the last message, so nothing is missed; one
 * that ends because the token has expired goes on with the next token at once.
 */
function openStream(body: Body, begin: number, to: Receiver<Result>): () => void {
  let after = begin;
  let token: string | undefined;
  let refused: string | undefined;
  let failures = 0;

  const connect = async (init: RequestInit) => {
    const ended = init.signal!;
    if (failures > 0) await pause(Math.min(MAX_PAUSE_MS, 250 * 2 ** failures), ended);
    failures += 1;
    const { signal, watch, stop } = notSilent(ended);
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
      to.setLive(true);
      return { status, url, redirected, body: body.pipeThrough(watch) };
    } catch (error) {
      stop();
      if (!ended.aborted) to.setLive(false);
      throw error;
    }
  };

  const receive = ({ event, data, id }: EventSourceMessage) => {
    // The next connection begins with another token.
    if (event === 'complete') refused = token;
    if (event !== 'next') return;
    const result: Result = JSON.parse(data);
    if (result.data) {
      after = Number(id);
      to.receive({ sequence: after, message: result });
    } else if (isOfExpiredToken(result)) {
      refused = token;
      source.close();
      source = open();
    }
  };

  const open = () =>
    createEventSource({
      url: new URL('graphql', location.href),
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      initialLastEventId: String(after),
      fetch: (_url, init) => connect(init as RequestInit),
      onMessage: receive,
    });
  let source = open();
  return () => source.close();
}

function isOfExpiredToken({ errors }: Result): boolean {
  const refusals = (errors ?? []) as readonly { readonly extensions?: { readonly code?: unknown } }[];
  return refusals.some(({ extensions }) => extensions?.code === 'token_expired');
}

/** Subscriptions, whose stream all tabs of the browser share. Each begins after the sequence in its variables. */
const forwardSubscription: SubscriptionForwarder = (body) => ({
  subscribe(sink) {
    const results = inGroups<Result>((result) => sink.next(result), GROUP_MS);
    const { afterSequence, ...variables } = body.variables ?? {};
    const leave = shareStream<Result>({
      name: `lacre ${JSON.stringify({ ...body, variables })}`,
      begin: Number(afterSequence),
      open: (after, to) => openStream(body, after, to),
      receive: results.add,
      setLive,
    });
    return {
      unsubscribe() {
        leave();
        results.stop();
      },
    };
  },
});

/** Rejects when the subscription ends: its page has gone, and neither a timer nor a further attempt remains of it. */
const pause = (ms: number, ended: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(ended.reason);
    };
    const timer = setTimeout(() => {
      ended.removeEventListener('abort', end);
      resolve();
    }, ms);
    ended.addEventListener('abort', end);
  });

export const liveExchange = subscriptionExchange({ forwardSubscription });
