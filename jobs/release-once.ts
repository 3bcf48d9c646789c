import type pg from 'pg';

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;
type Release = (destroy?: boolean | Error) => void;

/**
 * The same pool for the job queue, whose listener may release its connection twice: if it is stopped while its LISTEN still
 * waits for a database that has become unavailable (graphile-worker 0.18.0, `listenForChanges`). pg-pool then throws in a
 * promise that nothing awaits, which would end the process.
 */
export function releaseOnce(pool: pg.Pool): pg.Pool {
  const connect = (connected?: Connected) => {
    if (connected === undefined) return pool.connect();
    return pool.connect((error, client, release) => {
      let released = false;
      connected(error, client, (destroy) => {
        if (released) return;
        released = true;
        release(destroy);
      });
    });
  };
  return new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)),
  });
}
