import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { firstOf } from '../../../ground/db/listed.ts';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { LARGE_BODY } from '../../../ground/lib/event-loop-scheduler.ts';
import type { EventStream } from '../../../ground/lib/event-streams.ts';
import type { Services } from '../../../services.ts';
import type { Event } from '../../../subjects/events/event.ts';
import type { FeedSubscription } from '../../../subjects/events/feed.ts';
import { eventsAfter, listEvents } from '../../../subjects/events/read.ts';
import { type EarlierPage, EarlierPages } from './earlier-pages.ts';
import { nextFrame } from './frames.ts';
import type { LiveSource, Payload } from './source.ts';

/** Events that wait in memory to be sent; further ones are read from the journal when it is their turn. */
const MAX_WAITING = 500;

/**
 * Messages that are built before they are sent: five events of the longest invoices, or a thousand ordinary ones. What is built
 * for readers that do not read stays small.
 */
export const MESSAGES_AT_ONCE = { bytes: 1024 * 1024 };

/** Events that are sent at once; other work gets its turn before the next ones. */
const PIECE = 25;

/** Streams that are written to at once, which takes two milliseconds. */
const STREAMS_AT_ONCE = 50;

/** The pause after a failure, for example of the database. */
const RETRY_MS = 1_000;

/** How often reading is attempted before an event is sent with the error. */
const MAX_ATTEMPTS = 5;

type Frame = { readonly sequence: number; readonly bytes: Buffer };

/** What is sent of some events; `reached`: the last of them that it covers, or null if it covers all. */
type Frames = { readonly frames: readonly Frame[]; readonly reached: number | null };

/** A subscription that is executed once for all subscribers with the same rights. */
export type SharedSubscription = {
  readonly source: LiveSource;
  /** Whose share of the process pays for it. */
  readonly owner: number | string;
  /** The answer to the subscription's selection for one payload. */
  readonly answer: (payload: Payload) => Promise<Answer>;
};

/** A result of GraphQL; `isTemporary` if it contains an error that reading again may remove. */
export type Answer = { readonly result: object; readonly isTemporary: boolean };

/** The services that broadcasts use. */
export type BroadcastServices = Pick<
  Services,
  'db' | 'log' | 'feed' | 'shares' | 'config' | 'unread' | 'eventLoop'
>;

/**
 * Sends one subscription to all streams that subscribed to the same: each event is executed and serialized once, as bytes
 * that all streams share. A stream that has missed events catches up alone and then joins the others.
 */
export class Broadcast {
  readonly #services: BroadcastServices;
  readonly #subscription: SharedSubscription;
  readonly #earlier: EarlierPages;
  /** Distinguishes the pages of this broadcast from those of others. */
  readonly #id: number;
  readonly #streams = new Set<EventStream>();
  readonly #following: Promise<FeedSubscription>;
  #waiting: Event[] = [];
  /** The sequence up to which the streams that are up to date have been sent everything. */
  #reached = 0;
  /** The newest sequence that the feed has announced. */
  #announced = 0;
  #isSending = false;
  #ended = false;

  constructor(
    services: BroadcastServices,
    subscription: SharedSubscription,
    { earlier, id }: { readonly earlier: EarlierPages; readonly id: number },
  ) {
    this.#services = services;
    this.#subscription = subscription;
    this.#earlier = earlier;
    this.#id = id;
    const { environmentId } = subscription.source;
    this.#following = services.feed.follow(environmentId, (events) => this.#arrived(events));
    this.#following.then(
      ({ from }) => {
        this.#reached = Math.max(this.#reached, from);
      },
      () => {},
    );
  }

  /** The sequence after which a stream that joins now receives events. Rejects if the database is unavailable. */
  async position(): Promise<number> {
    await this.#following;
    return this.#reached;
  }

  /** Sends a stream everything after its position, and then every new event. */
  async join(stream: EventStream): Promise<void> {
    while (stream.isOpen && stream.position < this.#reached) await this.#catchUp(stream);
    if (stream.isOpen) this.#streams.add(stream);
  }

  leave(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  end(): void {
    this.#ended = true;
    this.#following.then(
      (following) => following.stop(),
      () => {},
    );
  }

  #arrived(events: readonly Event[]): void {
    this.#announced = events.at(-1)!.sequence;
    if (this.#waiting.length + events.length > MAX_WAITING) this.#waiting = [];
    else this.#waiting.push(...events);
    if (!this.#isSending) void this.#sendAnnounced();
  }

  async #sendAnnounced(): Promise<void> {
    this.#isSending = true;
    let attempts = 0;
    while (!this.#ended && this.#reached < this.#announced) {
      try {
        attempts += 1;
        const events = await this.#next();
        const { frames, reached } = await this.#frames(events, attempts < MAX_ATTEMPTS);
        await this.#send(frames, reached ?? events.at(-1)?.sequence ?? this.#announced);
        attempts = 0;
      } catch (error) {
        this.#services.log.warn({ err: error }, 'a change could not be sent to the subscribers');
        await pause(RETRY_MS);
      }
    }
    this.#isSending = false;
  }

  async #next(): Promise<readonly Event[]> {
    this.#waiting = this.#waiting.filter(({ sequence }) => sequence > this.#reached);
    if (this.#waiting[0]?.sequence === this.#reached + 1) return this.#waiting.slice(0, PIECE);
    return eventsAfter(this.#services.db, this.#subscription.source.environmentId, this.#reached, PIECE);
  }

  async #send(frames: readonly Frame[], position: number): Promise<void> {
    const before = this.#reached;
    this.#reached = position;
    const all = Buffer.concat(frames.map(({ bytes }) => bytes));
    // Streams that join meanwhile have caught up to this position.
    for (const [index, stream] of [...this.#streams].entries()) {
      if (index > 0 && index % STREAMS_AT_ONCE === 0)
        await this.#services.eventLoop.waitTurn(this.#subscription.owner);
      const has = stream.position;
      // The client received some of them from another process, which was ahead of this one.
      const newFrames = has <= before ? frames : frames.filter(({ sequence }) => sequence > has);
      const bytes = newFrames === frames ? all : Buffer.concat(newFrames.map(({ bytes }) => bytes));
      if (bytes.length > 0) stream.send(bytes, Math.max(position, has));
      else stream.position = Math.max(position, has);
    }
  }

  async #catchUp(stream: EventStream): Promise<void> {
    const { eventLoop, unread } = this.#services;
    const { owner } = this.#subscription;
    // What is sent to a few streams only waits in memory until it is read, as answers to requests do.
    while (unread.isFull && stream.isOpen) await pause(RETRY_MS);
    const after = stream.position;
    try {
      const page = await this.#earlier.page(`${this.#id} ${after}`, owner, () => this.#pageAfter(after));
      // All streams that wait for a page continue at the same moment.
      await eventLoop.waitTurn(owner);
      await this.#earlier.sending(page, async () => {
        if (page.bytes.length > 0) stream.send(page.bytes, page.position);
        else stream.position = page.position;
        await stream.drained();
      });
    } catch {
      await pause(RETRY_MS);
    }
  }

  /** The frames of the first events after a position. A failure is logged here, once for all streams that wait. */
  async #pageAfter(after: number): Promise<EarlierPage> {
    const { db, config, log } = this.#services;
    const { environmentId, types } = this.#subscription.source;
    const until = this.#reached;
    try {
      const list = listEvents({ db, keptDays: config.eventsKeptDays }, environmentId, {
        ...{ types, afterSequence: after },
        ...{ createdFrom: null, createdTo: null, order: 'asc' },
      });
      const page = await list.page(firstOf(PIECE, null));
      if (isRefusal(page)) throw new Error(page.detail);
      const events = page.rows.filter(({ sequence }) => sequence <= until);
      const { frames, reached } = await this.#frames(events, false);
      const isAll = !page.hasMore || events.length < page.rows.length;
      const position = reached ?? (isAll ? until : (events.at(-1)?.sequence ?? until));
      return { bytes: Buffer.concat(frames.map(({ bytes }) => bytes)), position, readers: 0 };
    } catch (error) {
      log.warn({ err: error }, 'earlier changes could not be sent to subscribers');
      throw error;
    }
  }

  /** The frames of events. `mayWait`: throws instead of sending a temporary error. */
  async #frames(events: readonly Event[], mayWait: boolean): Promise<Frames> {
    const { source, owner, answer } = this.#subscription;
    const frames: Frame[] = [];
    if (events.length === 0) return { frames, reached: null };
    let total = 0;
    for (const payload of await source.select(events)) {
      if (total >= MESSAGES_AT_ONCE.bytes) return { frames, reached: frames.at(-1)!.sequence };
      await this.#takeShare(owner);
      const { result, isTemporary } = await answer(payload);
      if (isTemporary && mayWait) throw new Error('what has changed cannot be read at the moment');
      const bytes = nextFrame(result, payload.sequence);
      frames.push({ sequence: payload.sequence, bytes });
      total += bytes.length;
      if (bytes.length > LARGE_BODY) await this.#services.eventLoop.waitTurn(owner);
    }
    await nextTurn();
    return { frames, reached: null };
  }

  /** Building frames counts as the environment's reading: an environment that has used its share waits. */
  async #takeShare(owner: number | string): Promise<void> {
    for (;;) {
      const refusal = this.#services.shares.take(owner, 'reading');
      if (refusal === null || this.#ended) return;
      await pause((refusal.retryAfter ?? 1) * 1_000);
    }
  }
}

/** The broadcasts of a process, each for as long as it has subscribers. */
export class Broadcasts {
  readonly #services: BroadcastServices;
  readonly #open = new Map<string, { readonly broadcast: Broadcast; users: number }>();
  readonly #earlier: EarlierPages;
  #created = 0;

  constructor(services: BroadcastServices) {
    this.#services = services;
    this.#earlier = new EarlierPages(services.unread);
  }

  /** The broadcast of that name, created if there is none; the caller must `leave` it. */
  enter(
    name: string,
    subscription: () => SharedSubscription,
  ): { readonly broadcast: Broadcast; leave(): void } {
    let entry = this.#open.get(name);
    if (entry === undefined) {
      this.#created += 1;
      const own = { earlier: this.#earlier, id: this.#created };
      entry = { broadcast: new Broadcast(this.#services, subscription(), own), users: 0 };
      this.#open.set(name, entry);
    }
    const own = entry;
    own.users += 1;
    let hasLeft = false;
    return {
      broadcast: own.broadcast,
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        own.users -= 1;
        if (own.users > 0) return;
        this.#open.delete(name);
        own.broadcast.end();
      },
    };
  }
}
