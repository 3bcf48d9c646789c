import { AsyncLocalStorage } from 'node:async_hooks';
import { connect } from 'node:net';
import type pg from 'pg';
import { breakConnection } from './break-connection.ts';
import { DATABASE_LIMITS } from './limits.ts';

/** Kinds of work, by the time limit of their statements. */
const TIMES = {
  reading: DATABASE_LIMITS.readingStatement.value,
  searching: DATABASE_LIMITS.searchingStatement.value,
  changing: DATABASE_LIMITS.changingStatement.value,
  job: DATABASE_LIMITS.jobStatement.value,
  /** Verifying, exporting, importing, migrating, and commands of operators. */
  maintenance: DATABASE_LIMITS.maintenanceStatement.value,
};

export type StatementKind = keyof typeof TIMES;

const current = new AsyncLocalStorage<StatementKind>();

/** Runs `work`, each of whose statements has the time limit of its kind. Without it a statement counts as a read. */
export function statementsOf<T>(kind: StatementKind, work: () => T): T {
  return current.run(kind, work);
}

/** The same, but keeps a longer limit if there is one already. */
export function statementsAtLeast<T>(kind: StatementKind, work: () => T): T {
  return TIMES[currentKind()] >= TIMES[kind] ? work() : statementsOf(kind, work);
}

/** The kind of statements at this point. */
export function currentKind(): StatementKind {
  return current.getStore() ?? 'reading';
}

/**
 * A COMMIT that is cancelled while it waits for a synchronous standby reports success although no standby has it. Its
 * connection is closed instead, and its outcome is then unknown.
 */
const COMMIT = /^\s*commit\b/i;

/** When the connection of a COMMIT is closed: not before other statements of its kind would be cancelled. */
function commitTime(): number {
  return Math.max(DATABASE_LIMITS.commit.value, TIMES[currentKind()]);
}

/**
 * How long the answer to a statement may take after its cancellation was requested. A server cancels within milliseconds, and
 * within a second when its processors are busy; one that hangs, or is gone, never does.
 */
export const CANCELLATION_MS = 4_000;

type Session = pg.Client & { processID: number | null; secretKey: number | null; host: string; port: number };

/**
 * Sends a statement with `send`, and has the server cancel it (SQLSTATE 57014) after its time limit. The protocol requires
 * a separate connection for that: it also works behind a pooler in transaction mode, where neither session parameters nor
 * the process belong to the caller, and it costs no round trip for a statement that ends in time. The connection of a
 * statement that is not answered then either is closed.
 */
export function limitStatementTime(
  client: pg.Client,
  text: unknown,
  args: unknown[],
  send: (args: unknown[]) => unknown,
): unknown {
  if (typeof text !== 'string') return send(args);
  const giveUp = () => void breakConnection(client);
  let cancelling: Promise<void> | null = null;
  const cancelSoon = () => {
    cancelling = cancel(client as Session);
    timer = setTimeout(giveUp, CANCELLATION_MS);
  };
  let timer = COMMIT.test(text)
    ? setTimeout(giveUp, commitTime())
    : setTimeout(cancelSoon, TIMES[currentKind()]);
  // A late cancellation would hit the next statement: the connection is not released before the server has read the
  // request.
  const afterwards = (next: () => void) => {
    clearTimeout(timer);
    if (cancelling === null) next();
    else void cancelling.then(next);
  };
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    const answered = (...answer: unknown[]) => afterwards(() => callback(...answer));
    return send([...args.slice(0, -1), answered]);
  }
  const answer = send(args);
  if (!(answer instanceof Promise)) {
    clearTimeout(timer);
    return answer;
  }
  return answer.finally(() => new Promise<void>(afterwards));
}

/** The code of a request to cancel (PostgreSQL, message formats: CancelRequest). */
const CANCEL_REQUEST = 80_877_102;
/** A server that does not accept it in this time does not accept statements either. */
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
    // The server closes the connection once it has read the request.
    socket.on('data', () => {});
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}
