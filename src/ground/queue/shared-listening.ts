import type pg from 'pg';

type Release = (destroy?: boolean | Error) => void | Promise<void>;
type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

/** What a runner asks of its connection in the end; another one may still listen there. */
const UNLISTEN = /^UNLISTEN /;

/** A property of an object, which its methods take themselves to belong to. */
function boundTo(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}

/** A connection on which runners listen, until it fails or the last of them leaves. */
class Session {
  readonly #client: pg.PoolClient;
  readonly #release: (destroy: boolean) => void;
  #listening: Promise<unknown> | null = null;
  #runners = 0;
  isOver = false;

  constructor(client: pg.PoolClient, release: (destroy: boolean) => void) {
    this.#client = client;
    this.#release = release;
    // Before any runner hears of it and connects again.
    client.once('error', () => {
      this.isOver = true;
    });
  }

  /** The connection as one runner sees it, and how it leaves: it may do so twice (graphile-worker 0.18.0). */
  join(): { readonly client: pg.PoolClient; leave(): void } {
    const client = this.#client;
    let left = false;
    this.#runners += 1;
    const query = (statement: string) =>
      UNLISTEN.test(statement) ? Promise.resolve() : this.#listen(statement);
    const shared = new Proxy(client, {
      get: (target, name) => (name === 'query' ? query : boundTo(target, name)),
    });
    const leave = () => {
      if (left) return;
      left = true;
      this.#runners -= 1;
      if (this.#runners > 0) return;
      this.isOver = true;
      // Its next user would be notified of every job.
      this.#release(true);
    };
    return { client: shared, leave };
  }

  /** All runners listen to the same, and a connection listens once. */
  async #listen(statement: string): Promise<void> {
    this.#listening ??= this.#client.query(statement);
    try {
      await this.#listening;
    } catch (error) {
      this.isOver = true;
      throw error;
    }
  }
}

/**
 * The same pool for the job queue, all of whose runners listen for new jobs on one connection. With one for each, half of the
 * pool would do nothing else, and every announced job would wake as many sessions of Postgres.
 */
export function shareListening(pool: pg.Pool): pg.Pool {
  let opening: Promise<Session> | null = null;
  const open = (): Promise<Session> =>
    new Promise((opened, failed) => {
      pool.connect((error, client, release) => {
        if (client === undefined) failed(error);
        else opened(new Session(client, release));
      });
    });
  const join = async (): Promise<ReturnType<Session['join']>> => {
    for (;;) {
      opening ??= open();
      const current = opening;
      const session = await current.catch((error) => {
        if (opening === current) opening = null;
        throw error;
      });
      if (!session.isOver) return session.join();
      if (opening === current) opening = null;
    }
  };
  // A listener connects with a callback, everything else with a promise or by `query`.
  const connect = (connected?: Connected) => {
    if (connected === undefined) return pool.connect();
    return void join().then(
      ({ client, leave }) => connected(undefined, client, leave),
      (error: Error) => connected(error, undefined, () => {}),
    );
  };
  return new Proxy(pool, {
    // Bound: otherwise `query` would connect by this function.
    get: (target, name) => (name === 'connect' ? connect : boundTo(target, name)),
  });
}
