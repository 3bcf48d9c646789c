import { AsyncLocalStorage } from 'node:async_hooks';
import { connect } from 'node:net';
import type pg from 'pg';
import { LIMITS } from '../lib/limits.ts';

/** Kinds of work by how long one statement of theirs may run. */
const TIMES = {
  reading: LIMITS.readingStatement.value,
  searching: LIMITS.searchingStatement.value,
  changing: LIMITS.changingStatement.value,
  job: LIMITS.jobStatement.value,
  /** Verifying, exporting, importing, migrating, and what people do by hand. */
  maintenance: LIMITS.maintenanceStatement.value,
};

export type StatementKind = keyof typeof TIMES;

const current = new AsyncLocalStorage<number>();

/** Runs `work`, each of whose statements may take the time of its kind. Without it a statement is a reading one. */
export function statementsOf<T>(kind: StatementKind, work: () => T): T {
  return current.run(TIMES[kind], work);
}

/** The same, but where statements may take longer already they still may. */
export function statementsAtLeast<T>(kind: StatementKind, work: () => T): T {
  return (current.getStore() ?? TIMES.reading) >= TIMES[kind] ? work() : statementsOf(kind, work);
}

/**
 * A COMMIT that is cancelled while it waits for a synchronous standby reports success that no standby has; and to listen
 * is to wait. Everything else ends.
 */
const ENDLESS = /^\s*(commit|listen)\b/i;

type Session = pg.Client & { processID: number | null; secretKey: number | null; host: string; port: number };

/**
 * Sends a statement by `send`, and has the server cancel it (SQLSTATE 57014) when its time is up. That is asked over a
 * connection of its own, which the protocol has for it: it works behind a pooler in transaction mode too, where neither
 * the parameters of a session nor its process are the caller's, and costs a statement that is in time no round trip.
 */
export function timed(
  client: pg.Client,
  text: unknown,
  given: unknown[],
  send: (given: unknown[]) => unknown,
): unknown {
  if (typeof text !== 'string' || ENDLESS.test(text)) return send(given);
  let cancelling: Promise<void> | null = null;
  const timer = setTimeout(() => {
    cancelling = cancel(client as Session);
  }, current.getStore() ?? TIMES.reading);
  // What is cancelled too late would hit the next statement: nobody gets the connection before the server has read it.
  const afterwards = (next: () => void) => {
    clearTimeout(timer);
    if (cancelling === null) next();
    else void cancelling.then(next);
  };
  const callback = given.at(-1);
  if (typeof callback === 'function') {
    const answered = (...answer: unknown[]) => afterwards(() => callback(...answer));
    return send([...given.slice(0, -1), answered]);
  }
  const answer = send(given);
  if (!(answer instanceof Promise)) {
    clearTimeout(timer);
    return answer;
  }
  return answer.finally(() => new Promise<void>(afterwards));
}

/** The code by which the server knows a request to cancel (PostgreSQL, message formats: CancelRequest). */
const CANCEL_REQUEST = 80_877_102;
/** Whoever does not take it in so long takes no statements either. */
const CANCEL_MS = 2_000;

function cancel({ processID, secretKey, host, port }: Session): Promise<void> {
  if (processID === null || secretKey === null) return Promise.resolve();
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    socket.setTimeout(CANCEL_MS, () => socket.destroy());
    socket.on('connect', () => socket.write(request));
    // The server closes it once it has read the request.
    socket.on('data', () => {});
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}
