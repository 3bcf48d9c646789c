import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { logFields } from './log-context.ts';
import { standardOutput } from './log-output.ts';
import { loggableError } from './loggable-error.ts';
import { activeTrace, isTracing } from './tracing.ts';

/**
 * A log without children: what these are bound to is written beside the fields of the work (`log-context.ts`), and a line
 * would have some twice. `withLogFields` adds fields instead.
 */
export type Logger = Pick<
  PinoLogger,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'level' | 'levels' | 'isLevelEnabled' | 'flush'
>;

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
 * context of its work (`log-context.ts`) and, if traces are recorded, the ids of its trace and span.
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
