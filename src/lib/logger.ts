import { type Logger, pino } from 'pino';

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

/** The process's structured log, one JSON object a line on standard output. */
export function createLogger(level: string): Logger {
  return pino({ level, redact: { paths: REDACTED, censor: '[redacted]' }, base: null });
}
