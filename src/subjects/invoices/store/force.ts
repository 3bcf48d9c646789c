import type { InvoiceType } from '../../../../generated/prisma/enums.ts';

/** Which invoices are in force: neither voided, nor replaced by a substitution or an exchange that is. */

export const LIVE = (invoice: string) =>
  `not exists (select 1 from invoice_void gone where gone.environment_id = $1 and gone.invoice_id = ${invoice})`;

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

/**
 * Invoices out of force that were corrected, either voided ones or the others: of one type an index has them in the order of `listed_at`.
 * `further` are conditions on `corrected_invoice`.
 */
export function outOfForce(voided: boolean, type: InvoiceType, further: readonly string[]): string {
  const is = [CORRECTED, voided ? 'voided' : 'not voided', `type = '${type}'`, ...further].join(' and ');
  const corrected = `select invoice_id as id, listed_at from ${is}`;
  return voided ? corrected : `select id, listed_at from (${corrected}) as invoice where ${EACH_REPLACED}`;
}
