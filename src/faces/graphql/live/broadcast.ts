import { setImmediate as afterOthers, setTimeout as pause } from 'node:timers/promises';
import { firstOf } from '../../../ground/db/listed.ts';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { LARGE_BODY } from '../../../ground/lib/event-loop-scheduler.ts';
import type { EventStream } from '../../../ground/lib/event-streams.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import type { Services } from '../../../services.ts';
import type { Event } from '../../../subjects/events/event.ts';
import type { FeedSubscription } from '../../../subjects/events/feed.ts';
import { eventsAfter, listEvents } from '../../../subjects/events/read.ts';
import { type EarlierPage, EarlierPages } from './earlier-pages.ts';
import { nextFrame } from './frames.ts';
import type { LiveSource, Payload } from './source.ts';

/** Events that wait here to be told; what is beyond is read again when it is its turn. */
const MAX_WAITING = 500;

/** Events that are told in one piece: between two pieces others get their turn. */
const PIECE = 25;

/** Streams that are written to in one piece, which takes two milliseconds. */
const STREAMS_AT_ONCE = 50;

/** After something that failed, such as a database that is away. */
const AGAIN_MS = 1_000;

/** How often what could not be read is tried again before it is told with its error. */
const MAX_ATTEMPTS = 5;

type Frame = { readonly sequence: number; readonly bytes: Buffer };

/** What is told of a piece; `reached`: the last event of it that was looked at, or null when all were. */
type Made = { readonly frames: readonly Frame[]; readonly reached: number | null };

/** What one broadcast tells, and on whose account. */
export type AnnouncedEvent = {
  readonly source: LiveSource;
  readonly owner: number | string;
  /** The answer to the subscription's selection for one payload. */
  readonly answer: (payload: Payload) => Promise<Answer>;
};

/** A result of GraphQL; `passes` when it says of something that it could not be read at the moment. */
export type Answer = { readonly result: object; readonly passes: boolean };

/** What broadcasts work with. */
export type BroadcastServices = Pick<
  Services,
  'db' | 'log' | 'feed' | 'shares' | 'config' | 'unread' | 'eventLoop'
>;

/**
 * One subscription for all who made the same: each event is looked at once and its answer written once, as bytes that all
 * streams share. Who has missed something catches up by itself and then joins the others.
 */
export class Broadcast {
  readonly #services: BroadcastServices;
  readonly #told: AnnouncedEvent;
  readonly #earlier: EarlierPages;
  /** Distinguishes the pages of this broadcast from those of others. */
  readonly #id: number;
  readonly #streams = new Set<EventStream>();
  readonly #following: Promise<FeedSubscription>;
  #waiting: Event[] = [];
  /** Everything up to here has been told to all who are up to date. */
  #reached = 0;
  #announced = 0;
  #telling = false;
  #ended = false;

  constructor(
    services: BroadcastServices,
    told: AnnouncedEvent,
    { earlier, id }: { readonly earlier: EarlierPages; readonly id: number },
  ) {
    this.#services = services;
    this.#told = told;
    this.#earlier = earlier;
    this.#id = id;
    this.#following = services.feed.follow(told.source.environmentId, (events) => this.#arrived(events));
    this.#following.then(
      ({ from }) => {
        this.#reached = Math.max(this.#reached, from);
      },
      () => {},
    );
  }

  /** The sequence that whoever joins now is told from. Throws when the database cannot be asked. */
  async position(): Promise<number> {
    await this.#following;
    return this.#reached;
  }

  /** Tells a stream everything behind its position, and then what comes. */
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
    if (!this.#telling) void this.#tell();
  }

  async #tell(): Promise<void> {
    this.#telling = true;
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
        await pause(AGAIN_MS);
      }
    }
    this.#telling = false;
  }

  async #next(): Promise<readonly Event[]> {
    this.#waiting = this.#waiting.filter(({ sequence }) => sequence > this.#reached);
    if (this.#waiting[0]?.sequence === this.#reached + 1) return this.#waiting.slice(0, PIECE);
    return eventsAfter(this.#services.db, this.#told.source.environmentId, this.#reached, PIECE);
  }

  async #send(frames: readonly Frame[], position: number): Promise<void> {
    const before = this.#reached;
    this.#reached = position;
    const all = Buffer.concat(frames.map(({ bytes }) => bytes));
    // Streams that join meanwhile have caught up to this position.
    for (const [index, stream] of [...this.#streams].entries()) {
      if (index > 0 && index % STREAMS_AT_ONCE === 0)
        await this.#services.eventLoop.waitTurn(this.#told.owner);
      const has = stream.position;
      // Another process was ahead of this one, and has told it some of them.
      const unseen = has <= before ? frames : frames.filter(({ sequence }) => sequence > has);
      const bytes = unseen === frames ? all : Buffer.concat(unseen.map(({ bytes }) => bytes));
      if (bytes.length > 0) stream.send(bytes, Math.max(position, has));
      else stream.position = Math.max(position, has);
    }
  }

  async #catchUp(stream: EventStream): Promise<void> {
    const { eventLoop, unread } = this.#services;
    const { owner } = this.#told;
    // What is told to a few alone waits in memory until it is read, as answers to requests do.
    while (unread.isFull && stream.isOpen) await pause(AGAIN_MS);
    const after = stream.position;
    try {
      const page = await this.#earlier.page(`${this.#id} ${after}`, owner, () => this.#pageAfter(after));
      // All who wait for a page go on at the same moment.
      await eventLoop.waitTurn(owner);
      await this.#earlier.sending(page, async () => {
        if (page.bytes.length > 0) stream.send(page.bytes, page.position);
        else stream.position = page.position;
        await stream.drained();
      });
    } catch {
      await pause(AGAIN_MS);
    }
  }

  /** What is told of the first events after a position. A failure is logged here, once for all streams that wait. */
  async #pageAfter(after: number): Promise<EarlierPage> {
    const { db, config, log } = this.#services;
    const { environmentId, types } = this.#told.source;
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

  /** What is told of the events. `isPatient`: throws when something could not be read at the moment. */
  async #frames(events: readonly Event[], isPatient: boolean): Promise<Made> {
    const { source, owner, answer } = this.#told;
    const frames: Frame[] = [];
    if (events.length === 0) return { frames, reached: null };
    let made = 0;
    for (const payload of await source.select(events)) {
      if (made >= LIMITS.streamPiece.value) return { frames, reached: frames.at(-1)!.sequence };
      await this.#share(owner);
      const { result, passes } = await answer(payload);
      if (passes && isPatient) throw new Error('what has changed cannot be read at the moment');
      const bytes = nextFrame(result, payload.sequence);
      frames.push({ sequence: payload.sequence, bytes });
      made += bytes.length;
      if (bytes.length > LARGE_BODY) await this.#services.eventLoop.waitTurn(owner);
    }
    await afterOthers();
    return { frames, reached: null };
  }

  /** What is made for subscribers counts as the environment's reading; whoever has used its share up waits. */
  async #share(owner: number | string): Promise<void> {
    for (;;) {
      const refusal = this.#services.shares.take(owner, 'reading');
      if (refusal === null || this.#ended) return;
      await pause((refusal.retryAfter ?? 1) * 1_000);
    }
  }
}

/** The broadcasts of a process, each for as long as somebody listens. */
export class Broadcasts {
  readonly #services: BroadcastServices;
  readonly #open = new Map<string, { readonly broadcast: Broadcast; users: number }>();
  readonly #earlier: EarlierPages;
  #made = 0;

  constructor(services: BroadcastServices) {
    this.#services = services;
    this.#earlier = new EarlierPages(services.unread);
  }

  /** The broadcast of that name, which is made when there is none; `leave` when it is not needed any more. */
  enter(name: string, told: () => AnnouncedEvent): { readonly broadcast: Broadcast; leave(): void } {
    let entry = this.#open.get(name);
    if (entry === undefined) {
      this.#made += 1;
      const own = { earlier: this.#earlier, id: this.#made };
      entry = { broadcast: new Broadcast(this.#services, told(), own), users: 0 };
      this.#open.set(name, entry);
    }
    const own = entry;
    own.users += 1;
    let left = false;
    return {
      broadcast: own.broadcast,
      leave: () => {
        if (left) return;
        left = true;
        own.users -= 1;
        if (own.users > 0) return;
        this.#open.delete(name);
        own.broadcast.end();
      },
    };
  }
}
