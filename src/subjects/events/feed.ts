import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../ground/db/client.ts';
import { Listener } from '../../ground/db/listener.ts';
import type { Standby } from '../../ground/db/standby/standby.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { Event } from './event.ts';
import { eventsAfter } from './read.ts';
import { readHeads } from './store.ts';

/** The channel on which `announce_journal` notifies. */
const CHANNEL = 'lacre_journal';

/**
 * Notifications within this time are handled by one read: many changes a second cause few reads, and few writes to
 * each subscriber.
 */
const GATHER_MS = 50;

/** Events that are read at a time. */
const MAX_EVENTS = 200;

/** The delay after a failed read. */
const AGAIN_MS = 1_000;

/** Receives the next events of an environment, in order and without gaps. */
export type OnEvents = (events: readonly Event[]) => void;

/** `from`: the sequence after which the events begin. */
export type FeedSubscription = { readonly from: number; stop(): void };

type Followed = {
  readonly environmentId: number;
  /** The sequence that subscribers have received; null before the first read of the journal. */
  reached: number | null;
  /** The highest known sequence of the journal. */
  announced: number;
  /** The current subscribers, and those being added. */
  holders: number;
  readonly followers: Set<OnEvents>;
  reading: Promise<void> | null;
};

type Feeding = {
  readonly db: Pick<Db, 'pool' | 'sessions'>;
  readonly standby: Pick<Standby, 'note'> | null;
  readonly log: Logger;
};

/**
 * Delivers new events of environments to the subscribers in this process. However many there are, the process
 * listens on one connection and reads each event once. It listens while there is a subscriber, and is notified of
 * entries appended by any process.
 */
export class EventFeed {
  readonly #db: Pick<Db, 'pool' | 'sessions'>;
  readonly #standby: Pick<Standby, 'note'> | null;
  readonly #log: Logger;
  readonly #followed = new Map<number, Followed>();
  #listener: Listener | null = null;
  #closed = false;

  constructor({ db, standby, log }: Feeding) {
    this.#db = db;
    this.#standby = standby;
    this.#log = log;
  }

  /** Subscribes to an environment from the current end of its journal. Throws when the database is unavailable. */
  async follow(environmentId: number, onEvents: OnEvents): Promise<FeedSubscription> {
    const followed = this.#followedOf(environmentId);
    followed.holders += 1;
    const stop = () => {
      followed.followers.delete(onEvents);
      followed.holders -= 1;
      if (followed.holders > 0 || this.#followed.get(environmentId) !== followed) return;
      this.#followed.delete(environmentId);
      if (this.#followed.size === 0) this.#stopListening();
    };
    this.#listen();
    try {
      // Read after LISTEN has started: any later entry is either notified or found by a read.
      const head = await this.head(environmentId);
      followed.reached ??= head;
      followed.followers.add(onEvents);
      this.#announce(followed, head);
      return { from: followed.reached, stop };
    } catch (error) {
      stop();
      throw error;
    }
  }

  /** The current end of an environment's journal. */
  async head(environmentId: number): Promise<number> {
    const [head] = await readHeads(this.#db.pool, [environmentId]);
    if (head === undefined) throw new Error(`environment ${environmentId} has no journal`);
    return head.position;
  }

  /** Stops listening; subscribers get nothing any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#followed.clear();
    const listener = this.#listener;
    this.#listener = null;
    await listener?.stop();
  }

  #followedOf(environmentId: number): Followed {
    let followed = this.#followed.get(environmentId);
    if (followed === undefined) {
      followed = {
        environmentId,
        reached: null,
        announced: 0,
        holders: 0,
        followers: new Set(),
        reading: null,
      };
      this.#followed.set(environmentId, followed);
    }
    return followed;
  }

  #listen(): void {
    if (this.#closed) return;
    this.#listener ??= new Listener({
      ...{ url: this.#db.sessions.options.connectionString!, channel: CHANNEL, log: this.#log },
      onMessage: (payload) => {
        const [environmentId, position] = payload.split(' ').map(Number);
        const followed = this.#followed.get(environmentId ?? 0);
        if (followed !== undefined) this.#announce(followed, position ?? 0);
      },
      onCheck: () => void this.#check(),
    });
  }

  #stopListening(): void {
    void this.#listener?.stop();
    this.#listener = null;
  }

  /** Reads what was appended while the connection was lost. */
  async #check(): Promise<void> {
    try {
      for (const { environmentId, position } of await readHeads(this.#db.pool, [...this.#followed.keys()])) {
        const followed = this.#followed.get(environmentId);
        if (followed !== undefined) this.#announce(followed, position);
      }
    } catch (error) {
      this.#log.debug(
        { reason: (error as Error).message },
        'the positions of the journals could not be read',
      );
    }
  }

  #announce(followed: Followed, position: number): void {
    followed.announced = Math.max(followed.announced, position);
    const isFollowed = this.#followed.get(followed.environmentId) === followed;
    if (!isFollowed || followed.reached === null || followed.announced <= followed.reached) return;
    followed.reading ??= this.#readOn(followed).finally(() => {
      followed.reading = null;
      this.#announce(followed, 0);
    });
  }

  async #readOn(followed: Followed): Promise<void> {
    await pause(GATHER_MS);
    while (
      followed.announced > followed.reached! &&
      this.#followed.get(followed.environmentId) === followed
    ) {
      try {
        const events = await eventsAfter(this.#db, followed.environmentId, followed.reached!, MAX_EVENTS);
        // Whoever is notified of a change and queries it finds it.
        await this.#standby?.note(followed.environmentId);
        followed.reached = events.at(-1)?.sequence ?? followed.announced;
        for (const onEvents of [...followed.followers]) onEvents(events);
      } catch (error) {
        this.#log.debug({ reason: (error as Error).message }, 'new events could not be read');
        await pause(AGAIN_MS);
      }
    }
  }
}
