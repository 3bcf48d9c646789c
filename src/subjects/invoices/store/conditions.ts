import type { RegistrationStatus } from '../../../../generated/prisma/enums.ts';
import { sameNumber } from '../../../ground/db/same-number.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { equivalentAddresses } from '../../../ground/lib/email.ts';
import { DECISIVE_FIRST, STANDING } from '../../chain/store/read-decisive.ts';
import { normaliseTaxId } from '../../tax-ids/tax-id.ts';
import { type InvoiceFilter, isSelective, searchedWords } from '../filter.ts';
import type { PaymentStatus } from '../types.ts';
import { EACH_AMOUNT_DUE, EACH_WITHOUT_ACCOUNT, WITHOUT_ACCOUNT } from './amount-due.ts';
import { DUE_DAY } from './due-days.ts';
import { CORRECTED, EACH_IN_FORCE, EACH_OUT_OF_FORCE, LIVE, REPLACED_INVOICES, VOIDED } from './force.ts';
import { accountSets, eachAccountIn, TODAY } from './payment-sets.ts';
import { hasDoubleL, hasName, nameBegins, namesWith } from './recipient-names.ts';

/**
 * The filter of a list as conditions on `invoice`. Conditions on other tables are subqueries for sets of ids and
 * never correlated: Postgres can evaluate the set first or follow the order of the list, and even without
 * statistics does neither for each invoice.
 */

/**
 * Rows that select invoices by the state of their decisive registration record, the one that `verifactu.status`
 * shows.
 */
export const STATES = `record_state state
    join registration_record record on record.environment_id = state.environment_id and record.id = state.record_id
   where state.environment_id = $1 and state.listed_at is not null`;

/** The states of those whose decisive registration record is in another state than `registered`. */
export const NOT_REGISTERED =
  "record_state where environment_id = $1 and listed_at is not null and status <> 'registered'";

const DECISIVE = `record.kind = 'registration' and not exists (
       select 1 from registration_record other
         join record_state stood on stood.environment_id = other.environment_id and stood.record_id = other.id
        where other.environment_id = $1 and other.invoice_id = record.invoice_id and other.kind = 'registration'
          and ${STANDING('other', 'stood')} > ${STANDING('record', 'state')})`;

/** Few invoices are in a state other than `registered`, and an index contains them. */
const statusIn = (states: string, statuses: readonly RegistrationStatus[]) =>
  statuses.includes('registered')
    ? `id in (select record.invoice_id from record_state state
         join registration_record record on record.environment_id = state.environment_id and record.id = state.record_id
        where state.environment_id = $1 and state.status = any (${states}::registration_status[]) and ${DECISIVE})`
    : `id in (select record.invoice_id from ${STATES} and state.status <> 'registered'
         and state.status = any (${states}::registration_status[]))`;

/**
 * The same, looked up for each invoice: Postgres evaluates it only for the invoices that it reads, because it is
 * not a join.
 */
const eachStatusIn = (states: string) => `(
  select state.status from registration_record record
    join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
   where record.environment_id = $1 and record.invoice_id = invoice.id and record.kind = 'registration'
   order by ${DECISIVE_FIRST} limit 1) = any (${states}::registration_status[])`;

const positionAt = (instant: string) => `(select journal_position_at($1, ${instant}::timestamptz))`;

/** What these invoices (`later`) correct or replace: only kinds other than the original do, and an index has those by time of issue. */
const CORRECTED_OR_REPLACED = `
  select rectifies_id from later where rectifies_id is not null
  union select unnest(rectifies_ids) from later
  union select exchange.ticket_id from later
          join invoice_exchange exchange on exchange.environment_id = $1 and exchange.exchange_id = later.id`;

/** Looked up for each entry: Postgres expects few of invoices, and would read all corrections instead. */
const LATER_WITH_ENTRIES = `select later.* from changed, lateral (
    select id, rectifies_id, rectifies_ids from invoice
     where environment_id = $1 and invoice.id = changed.id and kind <> 'original' offset 0) as later`;

const entriesSince = (position: string) => `select subject_id as id from journal_entry
     where environment_id = $1 and position >= ${position} and type like 'invoice.%'`;

/** Invoices with a journal entry since then, and the invoices that these correct or replace. */
const changedSince = (position: string) => `id in (
  with changed as materialized (${entriesSince(position)}), later as materialized (${LATER_WITH_ENTRIES})
  select id from changed union ${CORRECTED_OR_REPLACED})`;

/**
 * An invoice stands in the journal a moment after its instant of issue. Of one that was issued just before an instant its own entry may be
 * the only one since: it is among so many entries.
 */
const SOON = 1_000;

/**
 * The same but for what was issued since an instant, the one that the position is of: what entries of other types name, what may have
 * been issued just before, and what these and all that was issued since correct or replace.
 */
export const changedWithoutIssue = (position: string, instant: string) => `
  with changed as materialized (
    ${entriesSince(position)} and (type <> 'invoice.issued' or position < ${position} + ${SOON})
  ), later as materialized (
    ${LATER_WITH_ENTRIES}
    union all select id, rectifies_id, rectifies_ids from invoice
     where environment_id = $1 and kind <> 'original' and issued_at >= ${instant}::timestamptz
  )
  select id from changed union ${CORRECTED_OR_REPLACED}`;

/** The same as `changedSince` for each invoice that is read: what was issued since has changed, of what is older those that something else has changed. */
const eachChangedSince = (instant: string, position: string) =>
  `(issued_at >= ${instant}::timestamptz or id in (${changedWithoutIssue(position, instant)}))`;

/** Conditions on a row of `invoice_text`: each word stands in a text of the invoice, or begins the recipient's tax id. None without words. */
export function textHas(conditions: Conditions, given: string): string[] {
  return searchedWords(given).map((searched) => {
    const word = `without_accents(${parameter(conditions, searched)}::text)`;
    const has = `strpos(content, ${hasDoubleL(given) ? `double_l(${word})` : word}) > 0`;
    const id = normaliseTaxId(searched);
    return id === '' ? has : `(${has} or tax_id ^@ ${parameter(conditions, id)})`;
  });
}

function textOf(conditions: Conditions, filter: InvoiceFilter, each: Each): string[] {
  const words = textHas(conditions, filter.text ?? '');
  if (words.length === 0) return [];
  if (each.text ?? isSelective(filter))
    return [
      `(select ${words.join(' and ')} from invoice_text
         where environment_id = $1 and listed_at = invoice.issued_at and invoice_id = invoice.id)`,
    ];
  return [`id in (select invoice_id from invoice_text where environment_id = $1 and ${words.join(' and ')})`];
}

const CUSTOMER = `(integration_id, external_customer_id) = (
  select customer.integration_id, customer.external_customer_id from customer
   where customer.environment_id = $1 and customer.id = `;

/** Conditions and their parameters; `$1` is the environment. */
export type Conditions = { readonly texts: string[]; readonly values: unknown[] };

/** Adds a parameter; returns its placeholder. */
export function parameter({ values }: Conditions, value: unknown): string {
  return `$${values.push(value)}`;
}

/**
 * Conditions that are looked up for each invoice that is read, instead of selecting the set of all that fulfil them: those
 * that most invoices fulfil, payment statuses of many accounts, and force where few invoices are read.
 */
export type Each = {
  readonly [Name in
    | 'registrationStatuses'
    | 'changedSince'
    | 'paymentStatuses'
    | 'inForce'
    | 'recipientName'
    /** Without a word of it: where few invoices are read. */
    | 'text']?: boolean;
} & {
  /** The position of the journal at the filter's `changedSince`, if it is known: Postgres then knows how many entries there are. */
  readonly changedFrom?: number | undefined;
};

/**
 * The conditions of a filter on an invoice of the environment. The parameters are added to others of the same
 * statement, of which the first is the environment.
 */
export function conditionsOf(
  environmentId: number,
  filter: InvoiceFilter,
  each: Each = {},
  values: unknown[] = [environmentId],
): Conditions {
  const conditions: Conditions = { texts: ['environment_id = $1'], values };
  const where = (condition: (named: string) => string, value: unknown): void => {
    if (value !== undefined) conditions.texts.push(condition(parameter(conditions, value)));
  };
  where((value) => `integration_id = ${value}`, filter.integrationId);
  where((value) => `external_customer_id = ${value}`, filter.externalCustomerId);
  where((value) => `${CUSTOMER}${value})`, filter.customerId);
  where((value) => `external_id = ${value}`, filter.externalId);
  where((value) => `recipient_tax_id ^@ ${value}`, filter.recipientTaxId);
  where((value) => oneOf('external_id', 'text', value, filter.externalIds), filter.externalIds);
  where((value) => oneOf('recipient_tax_id', 'text', value, filter.recipientTaxIds), filter.recipientTaxIds);
  where((value) => oneOf('series_id', 'text', value, filter.seriesIds), filter.seriesIds);
  where(
    (value) =>
      each.recipientName
        ? nameBegins(`${value}::text`, filter.recipientName ?? '').join(' and ')
        : hasName(`any (array(${namesWith(`${value}::text`)}))`),
    filter.recipientName,
  );
  where((value) => `series_id = ${value}`, filter.seriesId);
  if (filter.number !== undefined) {
    conditions.texts.push(sameNumber('number', filter.number, parameter(conditions, filter.number)));
  }
  where((value) => `issued_at >= ${value}::timestamptz`, filter.issuedFrom?.toISOString());
  where((value) => `issued_at < ${value}::timestamptz`, filter.issuedBefore?.toISOString());
  conditions.texts.push(...dueOf(conditions, filter));
  where((value) => `${EACH_AMOUNT_DUE} >= ${value}::bigint`, filter.amountDueFrom);
  where((value) => `${EACH_AMOUNT_DUE} <= ${value}::bigint`, filter.amountDueTo);
  where((value) => `total >= ${value}::bigint`, filter.totalFrom);
  where((value) => `total <= ${value}::bigint`, filter.totalTo);
  where((value) => oneOf('type', 'invoice_type', value, filter.types), filter.types);
  where((value) => oneOf('kind', 'invoice_kind', value, filter.kinds), filter.kinds);
  where(
    (value) =>
      each.registrationStatuses ? eachStatusIn(value) : statusIn(value, filter.registrationStatuses ?? []),
    filter.registrationStatuses,
  );
  conditions.texts.push(...changeOf(conditions, filter, each));
  conditions.texts.push(...textOf(conditions, filter, each));
  if (filter.email !== undefined) conditions.texts.push(emailIs(conditions, filter.email));
  conditions.texts.push(...metadataOf(conditions, filter), ...statusOf(filter));
  conditions.texts.push(...forceOf(conditions, filter, each));
  conditions.texts.push(...paymentOf(conditions, filter, each));
  return conditions;
}

function changeOf(conditions: Conditions, { changedSince: since }: InvoiceFilter, each: Each): string[] {
  if (since === undefined) return [];
  const { changedSince: isEach = false, changedFrom } = each;
  const instant = isEach || changedFrom === undefined ? parameter(conditions, since.toISOString()) : '';
  const position = changedFrom === undefined ? positionAt(instant) : parameter(conditions, changedFrom);
  return [isEach ? eachChangedSince(instant, position) : changedSince(position)];
}

/** With one bound, the other one is the last day: what has none does not match. */
function dueOf(conditions: Conditions, { dueFrom, dueTo }: InvoiceFilter): string[] {
  if (dueFrom === undefined && dueTo === undefined) return [];
  const from = dueFrom === undefined ? [] : [`${DUE_DAY} >= ${parameter(conditions, dueFrom)}::date`];
  const to = dueTo === undefined ? "< 'infinity'" : `<= ${parameter(conditions, dueTo)}::date`;
  return [...from, `${DUE_DAY} ${to}`];
}

/** A single value is compared with `=`: only then an index also provides the order of the list. */
export function oneOf(column: string, type: string, value: string, values: readonly string[] = []): string {
  const [first, ...others] = values;
  if (others.length > 0 || first === undefined) return `${column} = any (${value}::${type}[])`;
  // The index on kinds excludes the most frequent one.
  const rare = column === 'kind' && first !== 'original' ? ` and kind <> 'original'` : '';
  return `${column} = (${value}::${type}[])[1]${rare}`;
}

function emailIs(conditions: Conditions, email: string): string {
  const addresses = equivalentAddresses(email).map((address) => `lower(${parameter(conditions, address)})`);
  return `lower(recipient_email) in (${addresses.join(', ')})`;
}

/** The rows of the invoices that have the values of each key, by an index whose entries are prefixed with the environment. */
export function withMetadata(
  conditions: Conditions,
  metadata: NonNullable<InvoiceFilter['metadata']>,
): string {
  const ofKeys = metadata.map(({ key, values }) => {
    const name = `${parameter(conditions, key)}::text`;
    const any = values.map((value) => {
      const noted = `jsonb_build_object(${name}, ${parameter(conditions, value)}::text)`;
      return `metadata_within(environment_id, metadata) @> metadata_within($1, ${noted})`;
    });
    return `(${any.join(' or ')})`;
  });
  return `invoice_metadata where environment_id = $1 and ${ofKeys.join(' and ')}`;
}

function metadataOf(conditions: Conditions, { metadata = [] }: InvoiceFilter): string[] {
  if (metadata.length === 0) return [];
  return [`id in (select invoice_id from ${withMetadata(conditions, metadata)})`];
}

/** The sets of accounts in these payment statuses (`accountSets`), on the environment's own day. */
export function accountsIn(conditions: Conditions, statuses: ReadonlySet<PaymentStatus>): string[] {
  // Postgres cannot infer the type of an unused parameter, so it is added with its first use.
  let today: string | null = null;
  return accountSets(statuses, () => {
    today ??= TODAY(parameter(conditions, clock.now().toISOString()));
    return today;
  });
}

function paymentOf(conditions: Conditions, { paymentStatuses = [] }: InvoiceFilter, each: Each): string[] {
  const statusSet = new Set(paymentStatuses);
  if (statusSet.size === 0) return [];
  if (each.paymentStatuses) {
    const today = TODAY(parameter(conditions, clock.now().toISOString()));
    const withAccount = eachAccountIn(parameter(conditions, paymentStatuses), today);
    return [statusSet.has('unpaid') ? `(${withAccount} or (${EACH_WITHOUT_ACCOUNT}))` : withAccount];
  }
  const withAccount = `id in (select id from (${accountsIn(conditions, statusSet).join(' union all ')}) as account)`;
  return [statusSet.has('unpaid') ? `(${withAccount} or (${WITHOUT_ACCOUNT}))` : withAccount];
}

function statusOf({ statuses = [] }: InvoiceFilter): string[] {
  const statusSet = new Set(statuses);
  if (statusSet.size !== 1) return [];
  return statusSet.has('voided') ? [`id in (${VOIDED})`] : [LIVE('invoice.id')];
}

function forceOf(conditions: Conditions, filter: InvoiceFilter, each: Each): string[] {
  const { inForce, issuedFrom, issuedBefore } = filter;
  if (inForce === undefined) return [];
  if (each.inForce) {
    if (inForce) return [EACH_IN_FORCE];
    const bounds = [
      ...(issuedFrom ? [`listed_at >= ${parameter(conditions, issuedFrom.toISOString())}::timestamptz`] : []),
      ...(issuedBefore
        ? [`listed_at < ${parameter(conditions, issuedBefore.toISOString())}::timestamptz`]
        : []),
    ];
    const corrected = [CORRECTED, ...bounds].join(' and ');
    return [`id in (select invoice_id from ${corrected})`, EACH_OUT_OF_FORCE];
  }
  if (!inForce) return [`id in (${VOIDED} union select id from (${REPLACED_INVOICES}) as other)`];
  return [
    LIVE('invoice.id'),
    `not exists (select 1 from (${REPLACED_INVOICES}) as other where other.id = invoice.id)`,
  ];
}
