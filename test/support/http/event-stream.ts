import { vi } from 'vitest';

/** A message of a stream of server-sent events. */
export type Message = { readonly id: string; readonly event: string; readonly data: string };

/** A stream as a test reads it. */
export type ReadStream = {
  readonly status: number;
  readonly headers: Headers;
  /** The received messages with data; GraphQL results are parsed. */
  readonly messages: Message[];
  /** The id of the last message, with or without data. */
  lastId(): string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  results(): any[];
  /** The body of what was refused before a stream began. */
  text(): string;
  readonly isOver: () => boolean;
  /** Waits until this many results have arrived. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  received(count: number): Promise<any[]>;
  ended(): Promise<void>;
  close(): void;
};

const TIMEOUT = { timeout: 60_000, interval: 10 };

/** Reads a stream until it ends or is closed. */
export async function readStream(url: string, init: RequestInit): Promise<ReadStream> {
  const abort = new AbortController();
  const response = await fetch(url, { ...init, signal: abort.signal });
  const messages: Message[] = [];
  let text = '';
  let rest = '';
  let lastId = '';
  let over = false;
  const take = (chunk: string) => {
    text += chunk;
    rest += chunk;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line): [string, string] => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
        }),
      );
      lastId = fields.get('id') ?? lastId;
      if (fields.has('data'))
        messages.push({ id: lastId, event: fields.get('event') ?? '', data: fields.get('data')! });
    }
  };
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) take(decoder.decode(bytes, { stream: true }));
  })()
    .catch(() => {})
    .finally(() => {
      over = true;
    });
  const results = () => messages.filter(({ event }) => event === 'next').map(({ data }) => JSON.parse(data));
  return {
    ...{ status: response.status, headers: response.headers, messages, results },
    lastId: () => lastId,
    text: () => text,
    isOver: () => over,
    async received(count) {
      await vi.waitFor(() => {
        if (results().length < count) throw new Error(`${results().length} of ${count} results: ${text}`);
      }, TIMEOUT);
      return results();
    },
    ended: () => reading,
    close: () => abort.abort(),
  };
}

type Subscription = {
  readonly key: string;
  readonly query: string;
  readonly variables?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Subscribes at a service, as its own tests do: by POST, with the query in the body. */
export function subscribe(
  { url }: { readonly url: string },
  { key, query, variables, headers = {} }: Subscription,
): Promise<ReadStream> {
  return readStream(`${url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
}
