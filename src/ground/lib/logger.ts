import { type DestinationStream, type Logger, pino } from 'pino';
import { logFields } from './log-context.ts';
import { standardOutput } from './log-output.ts';
import { loggableError } from './loggable-error.ts';
import { activeTrace } from './tracing.ts';

export type { Logger };

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
    mixin: () => ({ ...logFields(), ...activeTrace() }),
  };
  return pino(options, destination ?? standardOutput());
}
