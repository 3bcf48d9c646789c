import { ServerChanged } from '../lineage.ts';
import { UnknownCommit } from '../transaction.ts';

/** SQLSTATE classes that concern the server, its connections or its load, and never the written data. */
const SERVER_CLASSES = ['08', '25', '40', '53', '55', '57', '58'];
const SOCKET_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'];
/** Messages of pg and Prisma, without a code, about a connection that was lost or never established. */
const CONNECTION_MESSAGES =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|can't reach database/i;

/** SQLSTATE with which Citus passes on that the connection of the coordinator to a worker was lost, in the words of libpq. */
const INTERNAL = 'XX000';
const WORKER_MESSAGES =
  /server closed the connection unexpectedly|connection not open|no connection to the server|could not (send|receive) data|failure on connection|connection to the remote node|could not commit transaction for shard|^SSL (SYSCALL )?error|SSL connection has been closed/i;

/** Whether an error means that the database is unavailable or overloaded, so that a later retry may succeed. */
export function isDatabaseFailure(error: unknown): boolean {
  if (error instanceof UnknownCommit || error instanceof ServerChanged) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isDatabaseFailure)) return true;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (SOCKET_CODES.includes(code) || /^P10(01|02|08|17)$/.test(code)))
    return true;
  if (code === INTERNAL) return WORKER_MESSAGES.test(error.message);
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code))
    return SERVER_CLASSES.includes(code.slice(0, 2));
  return (
    CONNECTION_MESSAGES.test(error.message) || (error.cause !== undefined && isDatabaseFailure(error.cause))
  );
}

/** SQLSTATE of a statement that was cancelled (PostgreSQL, appendix A: query_canceled). */
const CANCELLED = '57014';

/** Whether a statement was cancelled because of its time limit (statement-time.ts), in whichever way it was sent. */
export function isStatementTimeout(error: unknown): boolean {
  return hasState(error, CANCELLED);
}

/** SQLSTATE of bytes that are not valid text (PostgreSQL, appendix A: character_not_in_repertoire). */
const NO_TEXT = '22021';

/**
 * Whether Postgres refused a text because of NUL, the only character that it cannot store and JavaScript can. It came from
 * the caller, and nothing stored has such a name.
 */
export function hasNul(error: unknown): boolean {
  return hasState(error, NO_TEXT);
}

/** Whether an error of pg, or of Prisma, which has that of pg within its own, is of a SQLSTATE. */
function hasState(error: unknown, state: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, originalCode, cause, meta } = error as Record<string, unknown>;
  if (code === state || originalCode === state || hasState(cause, state)) return true;
  return hasState((meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError, state);
}

/**
 * Whether the problem has been logged already: an outage of the database, or of a server among which environments are divided, is
 * logged once (startup/lineage.ts, startup/watch-causes.ts).
 */
export function isLoggedAsOutage(
  error: unknown,
  { away, workerAway }: { readonly away: number | null; readonly workerAway: boolean },
): boolean {
  return (away !== null || workerAway) && isDatabaseFailure(error);
}
