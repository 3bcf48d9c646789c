import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../ground/db/client.ts';
import { Listener } from '../../ground/db/listener.ts';
import type { Standby } from '../../ground/db/standby/standby.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { Event } from './event.ts';
import { eventsAfter } from './read.ts';
import { readHeads } from './store.ts';

/** What `announce_journal` names its announcements. */
const CHANNEL = 'lacre_journal';

/** What is announced within this time is read together: many changes a second cost few readings, and few writes to each follower. */
const GATHER_MS = 50;

/** Events that are read at once. */
const MAX_EVENTS = 200;

/** After a reading that failed. */
const AGAIN_MS = 1_000;

/** Takes the next events of an environment, in order and without gaps. */
export type OnEvents = (events: readonly Event[]) => void;

/** `from`: the sequence behind which the events begin. */
export type Following = { readonly from: number; stop(): void };

type Followed = {
  readonly environmentId: number;
  /** Whoever follows has been given everything up to here; null before the first look at the journal. */
  reached: number | null;
  /** How far the journal is known to have come. */
  announced: number;
  /** Those who follow, and those who are about to. */
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
 * Hands new events of environments to whoever follows them in this process. However many follow, the process listens on
 * one connection, and reads each event once. It listens while somebody follows, and hears what any process appends.
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

  /** Follows an environment from where its journal stands. Throws when the database cannot be asked. */
  async follow(environmentId: number, onEvents: OnEvents): Promise<Following> {
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
      // Read after the announcements were asked for: whatever is appended from here on is announced or seen by a look.
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

  /** How far an environment's journal has come at this moment. */
  async head(environmentId: number): Promise<number> {
    const [head] = await readHeads(this.#db.pool, [environmentId]);
    if (head === undefined) throw new Error(`environment ${environmentId} has no journal`);
    return head.position;
  }

  /** Stops listening; nobody is given anything any more. */
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
      onLook: () => void this.#look(),
    });
  }

  #stopListening(): void {
    void this.#listener?.stop();
    this.#listener = null;
  }

  /** What was announced while nobody listened. */
  async #look(): Promise<void> {
    try {
      for (const { environmentId, position } of await readHeads(this.#db.pool, [...this.#followed.keys()])) {
        const followed = this.#followed.get(environmentId);
        if (followed !== undefined) this.#announce(followed, position);
      }
    } catch (error) {
      this.#log.debug({ reason: (error as Error).message }, 'how far the journals have come is not known');
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
        // Whoever is told of a change and asks for it finds it.
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
