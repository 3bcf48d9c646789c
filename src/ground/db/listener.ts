import type pg from 'pg';
import type { Logger } from '../lib/logger.ts';
import { breakConnection } from './break-connection.ts';
import { singleClient } from './reachable-client.ts';

/** A healthy database answers so small a statement sooner. */
const TIMEOUT_MS = 3_000;

/** The interval between two checks of the connection: a server that was replaced may never answer again. */
const CHECK_MS = 5_000;

/** The delay before the next attempt to connect. */
const RECONNECT_MS = 500;

type Options = {
  /** Keeps one session while it is held (`Db.sessions`). */
  readonly url: string;
  readonly channel: string;
  readonly log: Logger;
  readonly onMessage: (payload: string) => void;
  /** Called when it listens, also after an interruption, and at each check: earlier announcements may have been missed. */
  readonly onCheck: () => void;
};

/**
 * A separate connection on which a process receives announcements on one channel (NOTIFY). A lost connection is replaced
 * until `stop`.
 */
export class Listener {
  readonly #options: Options;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: Options) {
    this.#options = options;
    void this.#connect();
  }

  /** Ends permanently. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const { url, channel, onMessage } = this.#options;
    const client = singleClient(url, {
      application_name: 'lacre listener',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection was ended')));
    client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      this.#check(client);
    } catch (error) {
      this.#lost(client, error as Error);
    }
  }

  #check(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#options.onCheck();
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.#check(client),
        (error: Error) => this.#lost(client, error),
      );
    }, CHECK_MS).unref();
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#stopped || this.#client !== client) return;
    this.#client = null;
    // An outage of the database is logged once for all connections (startup/lineage.ts).
    this.#options.log.debug({ reason: error.message }, 'the listening connection was lost');
    // Its server may never answer to an orderly termination.
    void breakConnection(client);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), RECONNECT_MS).unref();
  }
}
