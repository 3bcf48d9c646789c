import pg from 'pg';
import { socketOf } from './break-connection.ts';
import { DATABASE_LIMITS } from './limits.ts';
import { limitStatementTime } from './statement-time.ts';

/** An orderly end of a connection. The server answers it at once; nothing is in progress on it. */
const CONNECTION_END = 2_000;

/**
 * How long nothing arrives before the host is probed (TCP keepalive, then ten probes a second apart). Only connections that wait
 * are probed: for notifications, a COMMIT or a long statement. A host that is gone is noticed after 20 s, where the system's
 * default is two hours.
 */
const SILENCE_MS = 10_000;

/**
 * A connection that waits for nothing without a limit: neither to be opened, nor for the answer to a statement, nor to be
 * ended, nor for anything from a host that is gone. Every connection of the service is one.
 */
export class ReachableClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    const options = typeof config === 'string' ? { connectionString: config } : (config ?? {});
    // A pool passes its own, which also counts the wait for a free connection.
    const given = options.connectionTimeoutMillis ?? Number.POSITIVE_INFINITY;
    super({
      ...options,
      connectionTimeoutMillis: Math.min(given, DATABASE_LIMITS.connecting.value),
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENCE_MS,
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own, which all come down to this
  override query(statement: any, ...rest: any[]): any {
    const text = typeof statement === 'string' ? statement : (statement as { text?: unknown } | null)?.text;
    const send = (args: unknown[]) => (super.query as (...args: unknown[]) => unknown).apply(this, args);
    return limitStatementTime(this, text, [statement, ...rest], send);
  }

  // biome-ignore lint/suspicious/noExplicitAny: with a callback, or answering a promise
  override end(ended?: any): any {
    const socket = socketOf(this);
    // A server that hangs does not close its side.
    const overdue = setTimeout(() => socket.destroy(), CONNECTION_END).unref();
    socket.once('close', () => clearTimeout(overdue));
    return super.end(ended);
  }
}

/**
 * A single connection that is not opened yet. One that is lost between two statements fails the next one, and does not end the
 * process.
 */
export function singleClient(url: string, config: pg.ClientConfig = {}): pg.Client {
  return new ReachableClient({ connectionString: url, ...config }).on('error', () => {});
}
