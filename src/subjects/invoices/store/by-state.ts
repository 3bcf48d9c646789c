import { type InvoiceFilter, searchedWords } from '../filter.ts';
import { SETS_OF_AMOUNTS_DUE, WITHOUT_ACCOUNT } from './amount-due.ts';
import {
  accountsIn,
  type Conditions,
  conditionsOf,
  NOT_REGISTERED,
  oneOf,
  parameter,
  STATES,
  textHas,
} from './conditions.ts';
import { outOfForce, TYPES } from './force.ts';

/**
 * Lists by states of invoices, in the order of issue. The entries of a state are contiguous in an index with that
 * order, so that a page has the same cost whatever the rest of the data; lists of several states merge their first
 * rows.
 */

/**
 * Queries for `id` and `listed_at` of disjoint sets of invoices, which are few or in the order of an index, and the
 * remaining conditions on each invoice. `counted` are as many rows that fulfil these, without reading each of those invoices.
 */
type Sets = {
  readonly sets: readonly string[];
  readonly counted?: readonly string[];
  readonly conditions: Conditions;
};

/** `period` are conditions on `listed_at`, the time of issue: the index of a set passes over nothing outside of it. */
export type ByState = Sets & { readonly period: readonly string[] };

/**
 * The sets of a filter whose most selective condition is a state; null when it has no state, or one that most
 * invoices are in, or a more selective condition: then the conditions of the whole filter are used.
 */
export function byState(
  environmentId: number,
  { issuedFrom, issuedBefore, ...filter }: InvoiceFilter,
): ByState | null {
  const sets = setsOf(environmentId, filter);
  if (sets === null) return null;
  const than = (operator: string, instant: Date | undefined) =>
    instant === undefined
      ? []
      : [`listed_at ${operator} ${parameter(sets.conditions, instant.toISOString())}::timestamptz`];
  return { ...sets, period: [...than('>=', issuedFrom), ...than('<', issuedBefore)] };
}

function setsOf(environmentId: number, filter: InvoiceFilter): Sets | null {
  const { registrationStatuses = [], paymentStatuses = [], ...rest } = filter;
  const needsOtherTables = Object.entries(rest).some(
    ([name, value]) => value !== undefined && !COMBINABLE.includes(name),
  );
  if (needsOtherTables) return null;
  if (paymentStatuses.length > 0) {
    const conditions = conditionsOf(
      environmentId,
      { ...rest, registrationStatuses: filter.registrationStatuses },
      { inForce: true, text: true },
    );
    const statuses = new Set(paymentStatuses);
    const withoutAccount = `select id, issued_at as listed_at from invoice
      where environment_id = $1 and ${WITHOUT_ACCOUNT}`;
    const sets = [...accountsIn(conditions, statuses), ...(statuses.has('unpaid') ? [withoutAccount] : [])];
    return { sets, conditions };
  }
  if (registrationStatuses.length === 0 || registrationStatuses.includes('registered')) {
    return (
      amongCorrected(environmentId, filter) ??
      amongDue(environmentId, filter) ??
      amongTexts(environmentId, filter)
    );
  }
  const conditions = conditionsOf(environmentId, rest, { inForce: true, text: true });
  const states = [...new Set(registrationStatuses)].map((status) => parameter(conditions, status));
  const sets = states.map(
    // The index excludes the most frequent state.
    (
      state,
    ) => `select record.invoice_id as id, state.listed_at from ${STATES} and state.status <> 'registered'
      and state.status = ${state}::registration_status`,
  );
  const counted = states.map((state) => countedWithStatus(state, conditions));
  return { sets, counted, conditions };
}

/**
 * Every state that is listed is of one invoice. Without further conditions it does not matter which one; otherwise that is told by its
 * instant, unless others were issued at the same: an index has invoices of a series or type by instant, and no record is read.
 */
function countedWithStatus(state: string, conditions: Conditions): string {
  const ofStatus = `${NOT_REGISTERED} and status = ${state}::registration_status`;
  if (isOfEnvironmentAlone(conditions)) return `select null as id, listed_at from ${ofStatus}`;
  const matching = (at: string) =>
    `select 1 from invoice where ${conditions.texts.join(' and ')} and issued_at = ${at}`;
  const found = `select listed_at, record_id from ${ofStatus} and exists (${matching('record_state.listed_at')}) offset 0`;
  return `select null as id, listed_at from (${found}) as state where (
      select count(*) from (
        select 1 from invoice where environment_id = $1 and issued_at = state.listed_at limit 2) as issued) = 1
    or exists (${matching('state.listed_at')} and id = (select record.invoice_id from registration_record record
      where record.environment_id = $1 and record.id = state.record_id))`;
}

/** Conditions that no index supports better than a state. */
const COMBINABLE = [
  ...['kinds', 'types', 'totalFrom', 'totalTo', 'seriesId', 'seriesIds', 'statuses', 'inForce'],
  ...['dueFrom', 'dueTo', 'amountDueFrom', 'amountDueTo', 'text'],
];

/** Of the invoices of a set each is read. */
const AMONG = { registrationStatuses: true, inForce: true, text: true };

/** Of invoices that were corrected at some time, of which there are few; their types and kinds are in the same row. */
function amongCorrected(environmentId: number, filter: InvoiceFilter): Sets | null {
  const { statuses = [], types, kinds, inForce, ...rest } = filter;
  const statusSet = new Set(statuses);
  const isVoided = statusSet.size === 1 && statusSet.has('voided');
  if (inForce !== false && !isVoided) return null;
  const remaining = isVoided && inForce ? { ...rest, inForce } : rest;
  const conditions = conditionsOf(environmentId, remaining, AMONG);
  const isIssued = statusSet.size === 1 && statusSet.has('issued');
  const voidedStates = [...(isIssued ? [] : [true]), ...(isVoided ? [] : [false])];
  const ofTypes = TYPES.filter((type) => types?.includes(type) ?? true);
  const ofKinds = kinds ? [oneOf('kind', 'invoice_kind', parameter(conditions, kinds), kinds)] : [];
  return {
    sets: voidedStates.flatMap((voided) => ofTypes.map((type) => outOfForce(voided, type, ofKinds))),
    conditions,
  };
}

/** Of invoices of which an amount in a range is due. */
function amongDue(
  environmentId: number,
  { amountDueFrom, amountDueTo, ...rest }: InvoiceFilter,
): Sets | null {
  if (amountDueFrom === undefined && amountDueTo === undefined) return null;
  const conditions = conditionsOf(environmentId, rest, AMONG);
  const limits = [
    ...(amountDueFrom === undefined ? [] : [`>= ${parameter(conditions, amountDueFrom)}::bigint`]),
    ...(amountDueTo === undefined ? [] : [`<= ${parameter(conditions, amountDueTo)}::bigint`]),
  ];
  const sets = SETS_OF_AMOUNTS_DUE.map(({ rows, id, due, at }) => {
    const within = [rows, ...limits.map((limit) => `${due} ${limit}`)].join(' and ');
    return `select ${id} as id, ${at} as listed_at from ${within}`;
  });
  return { sets, conditions };
}

/** Of invoices with a text, for which all of the environment are looked through. */
function amongTexts(environmentId: number, { text = '', ...rest }: InvoiceFilter): Sets | null {
  if (searchedWords(text).length === 0) return null;
  const conditions = conditionsOf(environmentId, rest, AMONG);
  const has = ['environment_id = $1', ...textHas(conditions, text)].join(' and ');
  return { sets: [`select invoice_id as id, listed_at from invoice_text where ${has}`], conditions };
}

/** The only condition on the invoice itself is its environment, which its set has too. */
const isOfEnvironmentAlone = ({ texts }: Conditions): boolean => texts.length === 1;

/** A set with the remaining conditions on its invoices; `bounds` are conditions on `listed_at` and `id` of the set. */
export function narrowed(
  { conditions, period }: Omit<ByState, 'sets'>,
  set: string,
  bounds: readonly string[] = [],
): string {
  if (isOfEnvironmentAlone(conditions)) return within(set, [...period, ...bounds]);
  const meant = `select found.id, found.listed_at from (select id as found_id, listed_at, id from (${set}) as state) as found,
    lateral (select 1 from invoice where ${conditions.texts.join(' and ')} and id = found.found_id) as meant`;
  return [meant, ...whereOf([...period, ...bounds])].join(' ');
}

/** All sets to be counted. */
export function countedByState({ counted, ...states }: ByState): string {
  const sets =
    counted?.map((set) => within(set, states.period)) ?? states.sets.map((set) => narrowed(states, set));
  return sets.join(' union all ');
}

const whereOf = (conditions: readonly string[]) =>
  conditions.length === 0 ? [] : [`where ${conditions.join(' and ')}`];

const within = (set: string, conditions: readonly string[]) =>
  [`select id, listed_at from (${set}) as found`, ...whereOf(conditions)].join(' ');
