import type { InvoiceType } from '../../../../generated/prisma/enums.ts';

/** Which invoices are in force: neither voided, nor replaced by a substitution or an exchange that is. */

export const LIVE = (invoice: string) =>
  `not exists (select from invoice_void gone where gone.environment_id = $1 and gone.invoice_id = ${invoice})`;

export const VOIDED = 'select invoice_id from invoice_void where environment_id = $1';

/**
 * A query for the ids of replaced invoices: all predecessors of a substitution or exchange in force, up to the
 * first of the family. There are few, and the cost is proportional to them.
 */
export const REPLACED_INVOICES = `
  with recursive stood_for as (
    select ids.id from (
      select later.rectifies_id as id from invoice later
       where later.environment_id = $1 and later.kind = 'rectifying_substitution' and later.kind <> 'original'
         and later.rectifies_id is not null and ${LIVE('later.id')}
      union all
      select exchange.ticket_id from invoice later
        join invoice_exchange exchange on exchange.environment_id = $1 and exchange.exchange_id = later.id
       where later.environment_id = $1 and later.kind = 'exchange' and later.kind <> 'original' and ${LIVE('later.id')}
    ) as ids
    union
    select before.rectifies_id from stood_for
      join invoice before on before.environment_id = $1 and before.id = stood_for.id
     where before.rectifies_id is not null
  ) select id from stood_for`;

/** A scalar subquery: Postgres never collects the set of all voided ones for it. */
export const EACH_VOIDED = (invoice: string) =>
  `(select true from invoice_void gone where gone.environment_id = $1 and gone.invoice_id = ${invoice}) is not null`;

/** `REPLACED_INVOICES` for one invoice: whether a successor is a substitution in force, or it was exchanged. */
const EACH_REPLACED_BY_SUCCESSOR = `(
  with recursive behind as (
    select invoice.id as id, false as substitutes
    union
    select later.id, later.kind = 'rectifying_substitution' from behind
      join invoice later on later.environment_id = $1 and later.rectifies_id = behind.id
  )
  select true from behind where substitutes and not ${EACH_VOIDED('behind.id')} or (
    select true from invoice_exchange exchange where exchange.environment_id = $1 and exchange.ticket_id = behind.id
       and not ${EACH_VOIDED('exchange.exchange_id')} limit 1) limit 1) is not null`;

/** The same for its direct successors alone: most invoices that are out of force need no more. */
const EACH_SUCCEEDED = `((
  select true from invoice later
   where later.environment_id = $1 and later.rectifies_id = invoice.id and later.kind = 'rectifying_substitution'
     and not ${EACH_VOIDED('later.id')} limit 1) is not null or (
  select true from invoice_exchange exchange where exchange.environment_id = $1 and exchange.ticket_id = invoice.id
     and not ${EACH_VOIDED('exchange.exchange_id')} limit 1) is not null)`;

const EACH_REPLACED = `(${EACH_SUCCEEDED} or ${EACH_REPLACED_BY_SUCCESSOR})`;
export const EACH_OUT_OF_FORCE = `(${EACH_VOIDED('invoice.id')} or ${EACH_REPLACED})`;

/** The rows of all invoices that can be out of force. */
export const CORRECTED = 'corrected_invoice where environment_id = $1';

/** Nearly all invoices are decided by the first lookup. */
export const EACH_IN_FORCE = `((
  select true from ${CORRECTED} and invoice_id = invoice.id) is null or not ${EACH_OUT_OF_FORCE})`;

export const TYPES = ['complete', 'simplified'] as const satisfies readonly InvoiceType[];

/** Invoices that were corrected, either voided ones or the others; `further` are conditions on `corrected_invoice`. */
function correctedOnes(voided: boolean, types: readonly InvoiceType[], further: readonly string[]): string {
  const ofTypes = `type in (${types.map((type) => `'${type}'`).join(', ')})`;
  const is = [CORRECTED, voided ? 'voided' : 'not voided', ofTypes, ...further].join(' and ');
  return `select invoice_id as id, listed_at from ${is}`;
}

/** Those of them that are out of force: of one type an index has them in the order of `listed_at`. */
export function outOfForce(...of: Parameters<typeof correctedOnes>): string {
  const [voided] = of;
  if (voided) return correctedOnes(...of);
  return `select id, listed_at from (${correctedOnes(...of)}) as invoice where ${EACH_REPLACED}`;
}

/** The same invoices without an order: what is not voided from its successors, without lookups for each. */
export function outOfForceUnordered(...of: Parameters<typeof correctedOnes>): string {
  const [voided] = of;
  if (voided) return correctedOnes(...of);
  return `${correctedOnes(...of)} and invoice_id in (select id from (${REPLACED_INVOICES}) as other)`;
}

/** All that were corrected, whether out of force or not. */
export function correctedInvoices(types: readonly InvoiceType[], further: readonly string[]): string {
  const sets = [true, false].map((voided) => correctedOnes(voided, types, further));
  return `select from (${sets.join(' union all ')}) as corrected`;
}

const IS_GONE = "gone.environment_id = $1 and gone.voided and gone.kind <> 'original'";

/**
 * Those of them that are in force: each substitution, exchange or difference that came after them was voided. `among` are the corrected
 * invoices of which these may be.
 */
export function inForceAgain(
  types: readonly InvoiceType[],
  further: readonly string[],
  among = 'corrected_invoice',
): string {
  return `select id from (
    with recursive before as (
      select ids.id from (
        select later.rectifies_id as id from ${among} gone
          join invoice later on later.environment_id = $1 and later.id = gone.invoice_id and later.rectifies_id is not null
         where ${IS_GONE}
        union all
        select exchange.ticket_id from ${among} gone
          join invoice_exchange exchange on exchange.environment_id = $1 and exchange.exchange_id = gone.invoice_id
         where ${IS_GONE}) as ids
      union
      select earlier.rectifies_id from before
        join invoice earlier on earlier.environment_id = $1 and earlier.id = before.id
       where earlier.rectifies_id is not null
    ) ${correctedOnes(false, types, further)} and invoice_id in (select id from before)) as invoice where not ${EACH_REPLACED}`;
}
