import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { createLogger, type Logger } from '../../../src/ground/lib/logger.ts';

/**
 * Everything that is logged during a run of the tests, by whichever process, and what must stand in none of it. The
 * end of the run holds the one against the other (leaks.ts).
 */

/** The variable that names the run's folder of logs; without it, as in the benchmark, nothing is kept. */
export const RUN_LOG = 'TEST_RUN_LOG';

/** What kind of thing must not be logged. */
export type SecretKind = 'personal' | 'key' | 'token' | 'cookie' | 'password' | 'link';

const folder = process.env[RUN_LOG];
const mine = `${process.pid}-${randomBytes(4).toString('hex')}`;
const file = (what: string) => join(folder ?? '', `${what}-${mine}`);

const destination: DestinationStream | null =
  folder === undefined ? null : pino.destination({ dest: file('log'), sync: true });

/** The service's own logger at its most talkative; what is said is kept for the end of the run, and `heard`. */
export function testLog(onLine?: (line: string) => void, level = 'trace'): Logger {
  if (destination === null && onLine === undefined) return createLogger('silent');
  const write = (line: string) => {
    destination?.write(line);
    onLine?.(line);
  };
  const log = createLogger('trace', { write });
  if (onLine === undefined || level === 'trace') return log;
  // Listeners get only the requested levels; everything is recorded.
  return createLogger('trace', {
    write(line) {
      destination?.write(line);
      if ((JSON.parse(line) as { level: number }).level >= log.levels.values[level]!) onLine(line);
    },
  });
}

/** Keeps what a program wrote. What is no line of its log may be meant for a person's eyes, as the demo's keys are. */
export function recordOutput(text: string): void {
  if (folder !== undefined) appendFileSync(file('output'), text.endsWith('\n') ? text : `${text}\n`);
}

const noted = new Set<string>();

/** Notes that a value must not be logged by anybody in this run. */
export function mustNotBeLogged(kind: SecretKind, ...values: readonly (string | null | undefined)[]): void {
  if (folder === undefined) return;
  const fresh = values.filter(
    (value) => typeof value === 'string' && value !== '' && !noted.has(value),
  ) as string[];
  for (const value of fresh) noted.add(value);
  const lines = fresh.map((value) => `${JSON.stringify([kind, value])}\n`);
  if (lines.length > 0) appendFileSync(file('values'), lines.join(''));
}

/** Fields of requests and answers that hold something of a person's or a company's, in both spellings. */
const PERSONAL =
  /^(name|company_?name|legal_?name|tax_?id|nif|vat_?id|email|phone|line[12]|notes|description|holder_?name)$/i;
const SECRET = /^(key|token|secret|passphrase|password|pkcs12_?base64)$/i;
const LINK = /^(url|pdf_?url|download_?url)$/i;
/** What of a link is its secret: the token in its query, or the last step of its path. */
const SECRET_OF_LINK = /token=([\w.-]{20,})|\/portal\/([\w-]{20,})/;

/** Notes what is personal or secret in a body that was sent or received. */
export function noteBody(body: unknown): void {
  if (folder === undefined) return;
  const unseen: unknown[] = [body];
  while (unseen.length > 0) {
    const value = unseen.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [field, inside] of Object.entries(value)) {
      // The schema's own names are not personal data.
      if (field === '__schema') continue;
      if (typeof inside === 'string') noteField(field, inside);
      else unseen.push(inside);
    }
  }
}

function noteField(field: string, text: string): void {
  if (PERSONAL.test(field)) mustNotBeLogged('personal', text);
  else if (SECRET.test(field)) mustNotBeLogged('token', text);
  else if (LINK.test(field)) {
    const [, token, step] = SECRET_OF_LINK.exec(text) ?? [];
    mustNotBeLogged('link', token, step);
  }
}
