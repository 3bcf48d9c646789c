import { errorText } from '../error-table.ts';
import type { Presenter } from '../presenter.ts';
import type { Store } from '../store.ts';
import type { Submitted } from '../submitted.ts';
import { type Day, dayOfAgencyDate } from '../time.ts';

/** A fault of a record: the agency's code with its words. Codes 2xxx flag the record, all others refuse it. */
export type Finding = { readonly code: number; readonly text: string };

/** What a record is judged against. */
export type CheckContext = {
  /** The NIF of the envelope's ObligadoEmision. */
  readonly issuerNif: string;
  readonly presenter: Presenter;
  readonly now: Date;
  readonly today: Day;
  readonly store: Store;
};

/** One theme of checks; it may stop being asked after its first refusal. */
export type Check = (record: Submitted, context: CheckContext) => Iterable<Finding>;

/** The finding of a code in the agency's words. */
export function finding(code: number, addition = ''): Finding {
  return { code, text: errorText(code) + addition };
}

/** Whether a finding leaves the record accepted, with errors. */
export function isAdmissible(found: Finding): boolean {
  return found.code >= 2000 && found.code < 3000;
}

/** Whether an optional S/N field holds something else. */
export function isNotYesNo(text: string | null): boolean {
  return text !== null && text !== 'S' && text !== 'N';
}

/** Whether a required text is missing or longer than its limit (counted in characters, as the schema does). */
export function isOutOfLength(text: string | null, max: number): boolean {
  return text === null || text === '' || [...text].length > max;
}

/** The day that decides which rates and prefixes are allowed: the operation's, else the issue's. */
export function effectiveDay({ operationDate, issueDay }: Submitted): Day {
  return dayOfAgencyDate(operationDate) ?? issueDay ?? '';
}
