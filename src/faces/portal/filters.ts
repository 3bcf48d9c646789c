import { type Day, isExistingDay } from '../../ground/lib/calendar.ts';
import { line } from '../../ground/lib/text.ts';
import type { Query } from '../web/request.ts';

/** What the list can be narrowed to by state, in the order in which it is offered. */
export const STATES = [
  'registered',
  'pending',
  'registered_with_errors',
  'rejected',
  'skipped',
  'voided',
] as const;

/** Where the registration of an invoice stands. */
export type RegistrationState = Exclude<(typeof STATES)[number], 'voided'>;

/** The filter as the visitor wrote it. */
export type FilterQuery = {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly state: string;
};

/** The filter as the query has it. */
export type ListFilter = {
  readonly text?: string;
  readonly issuedOn?: { readonly from?: Day; readonly to?: Day };
  readonly registrationStatus?: readonly RegistrationState[];
  readonly status?: readonly ('issued' | 'voided')[];
};

export type FilterError = 'invalid_date' | 'reversed' | 'invalid_text' | 'invalid_state';
export type FilterErrors = { readonly [Field in keyof FilterQuery]?: FilterError };

const TEXT = line(200);

/** Years in which invoices may have been issued; others only come from a slip of the finger. */
const SENSIBLE_DAY = /^(19|20|21)\d\d-/;

/** Reads the filter of a list from its address: as it was written, and what it means or what is wrong with it. */
export function readFilter(query: Query): {
  readonly query: FilterQuery;
  readonly filter: ListFilter;
  readonly faults: FilterErrors | null;
} {
  const filterQuery: FilterQuery = {
    text: query('text').trim(),
    from: query('from').trim(),
    to: query('to').trim(),
    state: query('state'),
  };
  const faults: { -readonly [Field in keyof FilterErrors]: FilterErrors[Field] } = {};
  if (filterQuery.text !== '' && !TEXT.safeParse(filterQuery.text).success) faults.text = 'invalid_text';
  if (filterQuery.from !== '' && !isDay(filterQuery.from)) faults.from = 'invalid_date';
  if (filterQuery.to !== '' && !isDay(filterQuery.to)) faults.to = 'invalid_date';
  else if (filterQuery.from !== '' && filterQuery.to !== '' && filterQuery.to < filterQuery.from)
    faults.to ??= 'reversed';
  const state = STATES.find((known) => known === filterQuery.state);
  if (filterQuery.state !== '' && state === undefined) faults.state = 'invalid_state';
  if (Object.keys(faults).length > 0) return { query: filterQuery, filter: {}, faults };
  const { text, from, to } = filterQuery;
  const issuedOn = { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
  const filter: ListFilter = {
    ...(text === '' ? {} : { text }),
    ...(from === '' && to === '' ? {} : { issuedOn }),
    ...(state === undefined ? {} : stateFilter(state)),
  };
  return { query: filterQuery, filter, faults: null };
}

function stateFilter(state: (typeof STATES)[number]): Pick<ListFilter, 'registrationStatus' | 'status'> {
  return state === 'voided' ? { status: ['voided'] } : { registrationStatus: [state], status: ['issued'] };
}

function isDay(text: string): boolean {
  return SENSIBLE_DAY.test(text) && isExistingDay(text);
}

/** The filter as an address carries it, without what was left open. */
export function filterParameters(filterQuery: FilterQuery): URLSearchParams {
  return new URLSearchParams(Object.entries(filterQuery).filter(([, value]) => value !== ''));
}
