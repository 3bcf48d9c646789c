import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the database that a test can break: what goes through it is the protocol of Postgres, unread. */
export type DatabaseProxy = {
  /** The URL of a database as it is reached through here. */
  through(url: string): string;
  /** From now on requests reach the database, but its answers are dropped. */
  deafen(): void;
  /** Breaks every connection and takes no other until `resume`. */
  cut(): void;
  resume(): void;
  /** How many connections it did not take. */
  refused(): number;
  /** Breaks the connection over which a statement comes that names this, so many times; it does not reach the database. */
  cutAt(text: string, times: number): void;
  /**
   * The connection over which a statement comes that names this is silent from then on, as if its host were gone, so many times:
   * nothing passes in either direction. `arrives`: that statement itself still reaches the database.
   */
  silenceAt(text: string, times: number, options: { arrives: boolean }): void;
  close(): Promise<void>;
};

/** Stands before the server of the given URL. */
export async function databaseProxy(serverUrl: string): Promise<DatabaseProxy> {
  const target = new URL(serverUrl);
  const open = new Set<Pair>();
  let broken = false;
  let deaf = false;
  let refused = 0;
  let trap: Trap = { text: '', times: 0, effect: 'cut' };
  const proxy: Server = createServer({ noDelay: true }, (client) => {
    if (broken) {
      refused += 1;
      client.destroy();
      return;
    }
    const server = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const pair = { client, server };
    open.add(pair);
    let silent = false;
    client.on('data', (bytes) => {
      if (silent) return;
      const trapped = trap.times > 0 && bytes.includes(trap.text);
      if (!trapped || trap.effect === 'silence after it') server.write(bytes);
      if (!trapped) return;
      trap.times -= 1;
      if (trap.effect === 'cut') client.destroy();
      else silent = true;
    });
    server.on('data', (bytes) => {
      if (!deaf && !silent) client.write(bytes);
    });
    endTogether(pair, () => open.delete(pair));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as { port: number };
  const cut = () => {
    for (const { client, server } of open) {
      client.destroy();
      server.destroy();
    }
  };
  return {
    through(url) {
      const way = new URL(url);
      way.hostname = '127.0.0.1';
      way.port = String(port);
      return way.href;
    },
    cutAt(text, times) {
      trap = { text, times, effect: 'cut' };
    },
    silenceAt(text, times, { arrives }) {
      trap = { text, times, effect: arrives ? 'silence after it' : 'silence' };
    },
    deafen() {
      deaf = true;
    },
    cut() {
      broken = true;
      cut();
    },
    resume() {
      broken = false;
      deaf = false;
    },
    refused: () => refused,
    async close() {
      cut();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

type Trap = {
  readonly text: string;
  times: number;
  readonly effect: 'cut' | 'silence' | 'silence after it';
};

type Pair = { readonly client: Socket; readonly server: Socket };

function endTogether({ client, server }: Pair, ended: () => void): void {
  for (const [one, another] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('error', () => {});
    one.on('close', () => {
      ended();
      another.destroy();
    });
  }
}
