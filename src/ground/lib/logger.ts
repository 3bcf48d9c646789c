import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { standardOutput } from './log-output.ts';
import { loggableError } from './loggable-error.ts';
import { activeTrace, isTracing } from './tracing.ts';

/**
 * A log without children: what these are bound to is written beside the fields of the work, and a line
 * would have some twice. `withLogFields` adds fields instead.
 */
export type Logger = Pick<
  PinoLogger,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'level' | 'levels' | 'isLevelEnabled' | 'flush'
>;

/** What a line of the log belongs to: a request with id and caller, or a job with id, task and chain. */
export type LogFields = Record<string, string | number>;

const storage = new AsyncLocalStorage<LogFields>();

/**
 * Runs `work` so that every line that is logged in it, at any depth, carries the fields. Fields may be added while it runs.
 * They must be neither personal nor secret, because they appear on every line.
 */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  return storage.run(fields, work);
}

/** Adds to the fields of the current work; has no effect outside of any. */
export function addLogFields(fields: LogFields): void {
  const current = storage.getStore();
  if (current !== undefined) Object.assign(current, fields);
}

/** The fields of the current work. */
export function logFields(): LogFields | undefined {
  return storage.getStore();
}

/** Fields that could contain secrets or personal data: removed even if a caller logs a whole object. */
const REDACTED = [
  'authorization',
  'token',
  'key',
  'password',
  'passphrase',
  'pem',
  'pkcs12Base64',
  'identity',
  'headers.authorization',
  'req.headers.authorization',
  'req.headers.cookie',
  'recipient',
  'email',
  'taxId',
  'tax_id',
];

/**
 * The structured log of the process, one JSON object per line on standard output or `destination`. Each line carries the
 * context of its work (`withLogFields`) and, if traces are recorded, the ids of its trace and span.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    base: null,
    serializers: { err: (error: unknown) => loggableError(error) },
    mixin: () => (isTracing() ? { ...logFields(), ...activeTrace() } : { ...logFields() }),
  };
  return pino(options, destination ?? standardOutput());
}
