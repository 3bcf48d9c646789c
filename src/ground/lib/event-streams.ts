import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Counter, Gauge } from 'prom-client';
import { clock } from './clock.ts';
import { SHARED_LIMITS } from './limits.ts';
import { releaseParser } from './release-parser.ts';

/**
 * Streams of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): the bytes on the wire and
 * the resources that they use, whatever they carry.
 */

/** What entitles a client to read a stream. */
export type Authority = {
  /** Streams with the same key are checked together. */
  readonly key: string;
  /** When it expires; null if that is not known. */
  readonly expiresAt: Date | null;
  /** Null while it is valid; else the final message of the stream. May throw, and is then checked again later. */
  readonly check: () => Promise<Buffer | null>;
};

/** Streams are counted by owner. */
export type StreamOwner = number | string;

const served = new Gauge({
  name: 'lacre_live_streams',
  help: 'Open subscriptions and live pages.',
});
const cut = new Counter({
  name: 'lacre_live_streams_cut_total',
  help: 'Streams that were closed because their reader was too slow.',
});

/** How long browsers wait before they reconnect: spread, so that not all come at the same moment. */
const RECONNECT_MS = { least: 1_000, spread: 2_000 };

/** The interval between two checks for expired tokens. */
const EXPIRY_CHECK_MS = 1_000;

/** One open stream. */
export class EventStream {
  readonly owner: StreamOwner;
  readonly authority: Authority;
  readonly #response: ServerResponse;
  readonly #onClosed: Set<() => void> = new Set();
  /** The sequence up to which the reader has received everything; the next connection continues there. */
  position: number;
  isOpen = true;

  constructor(
    response: ServerResponse,
    opened: { readonly owner: StreamOwner; readonly authority: Authority; readonly position: number },
  ) {
    this.#response = response;
    this.owner = opened.owner;
    this.authority = opened.authority;
    this.position = opened.position;
    // The reader may have left while its subscription was prepared.
    if (response.closed) this.isOpen = false;
    else response.once('close', () => this.#closed());
  }

  /** Sends the head, and what a reader needs to continue from here. */
  start(headers: OutgoingHttpHeaders): void {
    this.#response.cork();
    this.#response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies that buffer answers would delay events (nginx).
      'x-accel-buffering': 'no',
    });
    // Sent alone, Node keeps the head as one text; sent with a body, as all the pieces of which it was composed.
    this.#response.flushHeaders();
    const reconnectMs = Math.round(RECONNECT_MS.least + Math.random() * RECONNECT_MS.spread);
    this.#response.write(`retry: ${reconnectMs}\nid: ${this.position}\n\n`);
    this.#response.uncork();
    if (this.#response.socket !== null) releaseParser(this.#response.socket);
  }

  /**
   * Sends events up to `position`; the bytes may be shared by many streams. Closes the stream of a reader that has not read
   * the previous ones.
   */
  send(bytes: Buffer, position: number): void {
    if (!this.isOpen) return;
    this.position = position;
    if (this.#response.writableLength > SHARED_LIMITS.streamBacklog.value) {
      cut.inc();
      this.#response.destroy();
      return;
    }
    this.#response.write(bytes);
  }

  /** A heartbeat. It contains the position, so events that do not concern this reader are not read again. */
  beat(): void {
    if (this.isOpen && this.#response.writableLength === 0) this.#response.write(`id: ${this.position}\n\n`);
  }

  /** Resolves when everything has been passed to the network, or the stream has ended. */
  async drained(): Promise<void> {
    const response = this.#response;
    if (!this.isOpen || !response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const over = () => {
        response.off('drain', over).off('close', over);
        resolve();
      };
      response.on('drain', over).on('close', over);
    });
  }

  /** Ends the stream after a final message. */
  end(finalMessage?: Buffer): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const { socket } = this.#response;
    this.#response.end(finalMessage ?? '', () => socket?.destroySoon());
  }

  /** Calls back once when the reader has disconnected. */
  onClosed(callBack: () => void): void {
    if (this.#response.closed) callBack();
    else this.#onClosed.add(callBack);
  }

  #closed(): void {
    this.isOpen = false;
    for (const callBack of this.#onClosed) callBack();
    this.#onClosed.clear();
  }
}

/** The streams of a process. One timer sends all heartbeats, and one checks all authorities. */
export class EventStreams {
  readonly #open = new Set<EventStream>();
  readonly #owners = new Map<StreamOwner, number>();
  readonly #timers: NodeJS.Timeout[];
  #ending = false;

  constructor() {
    this.#timers = [
      setInterval(() => this.beat(), SHARED_LIMITS.streamHeartbeat.value),
      setInterval(() => this.checkAuthorities((stream) => isOver(stream.authority)), EXPIRY_CHECK_MS),
      setInterval(() => this.checkAuthorities(), SHARED_LIMITS.streamAuthority.value),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Why the owner cannot open a further stream: too many of its own, or in total; null if it can. */
  fullFor(owner: StreamOwner, max: number = SHARED_LIMITS.streamsOfOwner.value): 'owner' | 'process' | null {
    if ((this.#owners.get(owner) ?? 0) >= max) return 'owner';
    return this.#ending || this.#open.size >= SHARED_LIMITS.streams.value ? 'process' : null;
  }

  add(stream: EventStream): void {
    this.#open.add(stream);
    this.#owners.set(stream.owner, (this.#owners.get(stream.owner) ?? 0) + 1);
    served.set(this.#open.size);
    stream.onClosed(() => this.#remove(stream));
    if (this.#ending) stream.end();
  }

  /** Sends a heartbeat on all streams. */
  beat(): void {
    for (const stream of this.#open) stream.beat();
  }

  /** Ends the streams whose readers have lost their authority; without a filter all are checked. */
  checkAuthorities(which: (stream: EventStream) => boolean = () => true): void {
    const checked = [...this.#open].filter(which);
    for (const streams of Map.groupBy(checked, ({ authority }) => authority.key).values()) {
      // No key can have been revoked without a database; the check is repeated later.
      streams[0]!.authority.check().then(
        (finalMessage) => {
          if (finalMessage !== null) for (const stream of streams) stream.end(finalMessage);
        },
        () => {},
      );
    }
  }

  /** Ends all streams; their readers reconnect by themselves. No new ones are opened. */
  end(): void {
    this.#ending = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const stream of this.#open) stream.end();
  }

  #remove(stream: EventStream): void {
    if (!this.#open.delete(stream)) return;
    served.set(this.#open.size);
    const left = (this.#owners.get(stream.owner) ?? 1) - 1;
    if (left > 0) this.#owners.set(stream.owner, left);
    else this.#owners.delete(stream.owner);
  }
}

const isOver = ({ expiresAt }: Authority): boolean => expiresAt !== null && expiresAt <= clock.now();
