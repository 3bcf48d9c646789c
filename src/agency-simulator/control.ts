import { isErrorCode } from './error-table.ts';
import {
  DEFAULT_FAULT_CODE,
  MODES,
  type Mode,
  type Settings,
  SLOW_ANSWER_MS,
  type Statistics,
} from './settings.ts';

/** Ten minutes: longer than any client's patience. */
const MAX_DELAY_MS = 600_000;
/** TiempoEsperaEnvio has up to four digits. */
const MAX_WAIT_SECONDS = 9_999;
/** A clock that is further off than a month is not worth showing. */
const MAX_CLOCK_AHEAD_MS = 31 * 86_400_000;

type Setter = (value: unknown, settings: Settings) => string | null;

const integer = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;

/** Each field of `/_control`: what it changes, or why it cannot. */
const SETTERS: Readonly<Record<string, Setter>> = {
  mode(value, settings) {
    if (!MODES.includes(value as Mode)) return `mode must be one of ${MODES.join(', ')}`;
    settings.mode = value as Mode;
    return null;
  },
  delay_ms(value, settings) {
    if (!integer(value, MAX_DELAY_MS)) return `delay_ms must be an integer from 0 to ${MAX_DELAY_MS}`;
    settings.delayMs = value;
    return null;
  },
  wait_seconds(value, settings) {
    if (value !== null && !integer(value, MAX_WAIT_SECONDS))
      return `wait_seconds must be an integer from 0 to ${MAX_WAIT_SECONDS}, or null to leave it empty`;
    settings.waitSeconds = value;
    return null;
  },
  enforce_wait(value, settings) {
    if (typeof value !== 'boolean') return 'enforce_wait must be true or false';
    settings.enforceWait = value;
    return null;
  },
  clock_ahead_ms(value, settings) {
    if (typeof value !== 'number' || !integer(Math.abs(value), MAX_CLOCK_AHEAD_MS))
      return `clock_ahead_ms must be an integer from ${-MAX_CLOCK_AHEAD_MS} to ${MAX_CLOCK_AHEAD_MS}`;
    settings.clockAheadMs = value;
    return null;
  },
  fault_code(value, settings) {
    if (typeof value !== 'number' || !isErrorCode(value))
      return "fault_code must be a code of the agency's table";
    settings.faultCode = value;
    return null;
  },
  refuse_certificates(value, settings) {
    if (typeof value !== 'boolean') return 'refuse_certificates must be true or false';
    settings.refuseCertificates = value;
    return null;
  },
};

/**
 * Applies a body of `/_control` to the settings: all of it, or nothing and the reason. A `mode` states the whole
 * behaviour: `delay_ms` and `fault_code` fall back to their defaults when they are not sent with it.
 */
export function applyControl(body: string, settings: Settings): string | null {
  const fields = fieldsOf(body);
  if (typeof fields === 'string') return fields;
  const changed = { ...settings };
  if ('mode' in fields) {
    const delayMs = fields.mode === 'slow' ? SLOW_ANSWER_MS : 0;
    Object.assign(changed, { delayMs, faultCode: DEFAULT_FAULT_CODE });
  }
  for (const [name, value] of Object.entries(fields)) {
    const setter = Object.hasOwn(SETTERS, name) ? SETTERS[name] : undefined;
    const problem = setter === undefined ? `unknown field ${name}` : setter(value, changed);
    if (problem !== null) return problem;
  }
  Object.assign(settings, changed);
  return null;
}

function fieldsOf(body: string): object | string {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    return 'the body must be a JSON object';
  } catch {
    return 'the body is not JSON';
  }
}

/** The settings as `/_control` shows them. */
export function controlJson(settings: Settings, statistics: Statistics): Record<string, unknown> {
  return {
    mode: settings.mode,
    delay_ms: settings.delayMs,
    wait_seconds: settings.waitSeconds,
    enforce_wait: settings.enforceWait,
    clock_ahead_ms: settings.clockAheadMs,
    fault_code: settings.faultCode,
    refuse_certificates: settings.refuseCertificates,
    statistics: {
      envelopes: statistics.envelopes,
      records: statistics.records,
      early_envelopes: statistics.earlyEnvelopes,
    },
  };
}
