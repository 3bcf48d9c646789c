import { LacreError } from '@lacre/client';
import { CommanderError } from 'commander';
import type { Refusal } from '../../ground/errors/refusal.ts';

/** Every exit code of the command line: scripts rely on them, and the guide's table is made of them. */
export const EXIT_STATUSES = {
  done: { code: 0, meaning: 'Done.' },
  unexpected: { code: 1, meaning: 'An unexpected failure: a bug, or a broken machine.' },
  usage: { code: 2, meaning: 'The command line, or the settings, are invalid. Nothing was done.' },
  refused: { code: 3, meaning: 'Refused by a rule: `code` and `detail` say which. Nothing was done.' },
  not_found: { code: 4, meaning: 'The named object does not exist.' },
  unavailable: {
    code: 5,
    meaning:
      'The database, the agency or a register is unavailable or busy: `detail` names the cause. Once that is removed, the same command may be run again.',
  },
  check_failed: {
    code: 6,
    meaning:
      '`verify`, `verify-proof`, `verify-consistency`, `read`, `checkpoint`, `doctor` or `certificates alarm` found a problem.',
  },
  live: {
    code: 7,
    meaning: 'The command would change live data and `--live` was not given. Nothing was done.',
  },
  warning: {
    code: 8,
    meaning:
      '`doctor` found warnings, or `verify` could not compare with the checkpoints; nothing else is wrong.',
  },
} as const satisfies Record<string, { code: number; meaning: string }>;

export type ExitStatus = keyof typeof EXIT_STATUSES;

/** Why a command failed, as printed. */
export type Failure = {
  readonly exit: ExitStatus;
  /** The code of the error catalogue, or the name of the exit. */
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
};

/** A failure that is no refusal of a rule; a command returns it like one. */
export class CommandFailure {
  readonly failure: Failure;

  constructor(exit: ExitStatus, detail: string) {
    this.failure = { exit, code: exit, detail };
  }
}

/** The result of a check with findings: printed on standard output, with its own exit status. */
export class CheckResult {
  readonly exit: ExitStatus;
  readonly result: unknown;

  constructor(exit: ExitStatus, result: unknown) {
    this.exit = exit;
    this.result = result;
  }
}

/** A part of the service that the command needs cannot be opened. */
export class Unavailable extends Error {}

/** The settings are invalid. */
export class InvalidSettings extends Error {}

/** The codes of a field whose value refers to something that does not exist. */
const MISSING = ['not_found', 'unknown'];

export function failureOf({ code, detail, errors, status }: Refusal): Failure {
  const missing = errors.length > 0 && errors.every((issue) => MISSING.includes(issue.code));
  const exit = status === 404 || missing ? 'not_found' : status === 503 ? 'unavailable' : 'refused';
  return { exit, code, detail, errors };
}

/**
 * The failure for anything thrown; null when it is none. Commander has written its own message already, unless it was muted. `ofPart` knows
 * the errors of what the commands work on; null for others.
 */
export function failureOfError(error: unknown, ofPart: (error: unknown) => Failure | null): Failure | null {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return null;
    if (error.code === 'commander.help')
      return { exit: 'usage', code: 'usage', detail: 'the command is missing' };
    return { exit: 'usage', code: 'usage', detail: error.message.replace(/^error: /, '') };
  }
  if (error instanceof LacreError) return failureOfService(error);
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof InvalidSettings) return { exit: 'usage', code: 'usage', detail };
  const known = ofPart(error);
  if (known !== null) return known;
  const exit = error instanceof Unavailable ? 'unavailable' : 'unexpected';
  return { exit, code: exit, detail };
}

/** What a service that is reached over REST has refused, or that it was not reached. */
function failureOfService({ code, message: detail, status, errors }: LacreError): Failure {
  const away = code === 'no_answer' || code === 'unreadable_answer' || status === 429 || status >= 500;
  const exit = away ? 'unavailable' : status === 404 ? 'not_found' : 'refused';
  return { exit, code, detail, errors };
}
