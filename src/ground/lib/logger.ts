import { type DestinationStream, type Logger, pino } from 'pino';
import { logFields } from './log-context.ts';
import { standardOutput } from './log-output.ts';
import { loggableError } from './loggable-error.ts';
import { activeTrace } from './tracing.ts';

export type { Logger };

/** Where a stray field could carry a secret or a person's data: cut out even if some caller logs a whole object. */
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
 * The process's structured log, one JSON object a line on standard output, or wherever `destination` leads. Each line
 * carries whose work it tells of (`log-context.ts`) and, where traces are kept, the ids of its trace and span.
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
