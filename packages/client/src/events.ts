import { bodyOf, type CallOptions, requestInit } from './calls.ts';
import type { EventType, LacreEvent } from './event-types.ts';
import type { Http } from './http.ts';
import { List, type Page } from './list.ts';
import { newsOf, Wakeups } from './live.ts';
import type { operations } from './schema.ts';
import type { Transport } from './transport.ts';

/** `limit` is how many are read at once. */
export type EventFilter = Omit<
  NonNullable<operations['listEvents']['parameters']['query']>,
  'starting_after' | 'ending_before'
>;

export type FollowOptions = CallOptions & {
  /** Only events of these types. */
  readonly types?: readonly EventType[] | undefined;
  /** Begin behind this sequence; without it with what happens from now on. */
  readonly afterSequence?: number | undefined;
};

/** How long to wait between two requests: with a stream that announces changes, and without. */
const POLL_INTERVAL_MS = { live: 60_000, silent: 2_000 };

const NEWS = 'subscription ($types: [String!]) { event(types: $types) { sequence } }';

/** What has changed in the environment, in one order. */
export class Events {
  readonly #http: Http;
  readonly #transport: Transport;

  constructor(http: Http, transport: Transport) {
    this.#http = http;
    this.#transport = transport;
  }

  retrieve(id: string, options?: CallOptions): Promise<LacreEvent> {
    const params = { path: { id } };
    return typed(bodyOf(this.#http.GET('/v1/events/{id}', { params, ...requestInit(options) })));
  }

  /** The newest first; with `after_sequence` in the order in which it happened. */
  list(filter: EventFilter = {}, options?: CallOptions): List<LacreEvent> {
    return new List((cursor) => {
      const query = { limit: 100, ...filter, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      return typed(bodyOf(this.#http.GET('/v1/events', { params: { query }, ...requestInit(options) })));
    });
  }

  /**
   * Every event in its order, without end: first what has happened since `afterSequence`, then what happens. Keep the
   * `sequence` of the last one that you have dealt with, and nothing is missed. Ends when the signal is aborted, by
   * throwing its reason.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<LacreEvent, void, undefined> {
    const { types = [], signal } = options;
    const type = [...types];
    let sequence = options.afterSequence ?? (await this.#newest(options));
    const variables = { types: types.length === 0 ? null : type };
    const wakeups = new Wakeups((over) => newsOf(this.#transport, NEWS, variables, over), signal);
    try {
      for (;;) {
        for await (const event of this.list({ type, after_sequence: sequence }, options)) {
          yield event;
          sequence = event.sequence;
        }
        await wakeups.wait(wakeups.isLive ? POLL_INTERVAL_MS.live : POLL_INTERVAL_MS.silent);
      }
    } finally {
      wakeups.close();
    }
  }

  async #newest(options: CallOptions): Promise<number> {
    const { data } = await this.list({ limit: 1, order: 'desc' }, options).first();
    return data[0]?.sequence ?? 0;
  }
}

/** The document describes the data of an event; `LacreEvent` states which of it belongs to which type. */
function typed<Typed extends LacreEvent | Page<LacreEvent>>(body: Promise<unknown>): Promise<Typed> {
  return body as Promise<Typed>;
}
