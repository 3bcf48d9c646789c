import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';

const document = z.object({ id: z.string(), number: z.string(), issuedOn: column.day });

const exchangeRow = z.object({
  id: z.string(),
  /** The documents that it was given in exchange for, in the order of issue. */
  documents: z.array(document),
  /** The exchange invoice that it takes back. */
  reversesId: z.string().nullable(),
  /** Whether one in force takes it back. */
  reversed: z.boolean(),
  /** Whether it stands for the rectificativa of a return. */
  ofReturn: z.boolean(),
  /** The exchange invoices in force of returns of its tickets, in the order of issue. */
  returns: z.array(z.string()),
});

/** What is known of an exchange invoice and of those that follow it. */
export type ExchangeFacts = Readonly<z.output<typeof exchangeRow>>;

const LIVE = (invoice: string) =>
  `not exists (select 1 from invoice_void gone where gone.environment_id = $1 and gone.invoice_id = ${invoice})`;

/** Only a rectificativa that a return has issued was issued with another invoice. */
const EXCHANGES = {
  name: 'exchanges',
  text: `
  with recursive below as (
    select exchange_id as named, ticket_id as id from invoice_exchange
     where environment_id = $1 and exchange_id = any ($2)
    union
    select below.named, later.id from below
      join invoice later on later.environment_id = $1 and later.rectifies_id = below.id and ${LIVE('later.id')}
  )
  select invoice.id, invoice.reverses_id as "reversesId",
         (select coalesce(json_agg(json_build_object('id', ticket.id, 'number', ticket.number, 'issuedOn', ticket.issued_on)
                   order by ticket.issued_at, ticket.id), '[]')
            from invoice_exchange x join invoice ticket on ticket.environment_id = $1 and ticket.id = x.ticket_id
           where x.environment_id = $1 and x.exchange_id = invoice.id) as documents,
         exists (select 1 from invoice reversal where reversal.environment_id = $1 and reversal.reverses_id = invoice.id
                    and ${LIVE('reversal.id')}) as reversed,
         exists (select 1 from invoice_exchange x
                   join invoice ticket on ticket.environment_id = $1 and ticket.id = x.ticket_id
                  where x.environment_id = $1 and x.exchange_id = invoice.id
                    and ticket.issued_with is not null) as "ofReturn",
         (select coalesce(json_agg(further.id order by further.issued_at, further.id), '[]')
            from invoice further
           where further.environment_id = $1 and further.id <> invoice.id and further.reverses_id is null
             and further.id in (
               select x.exchange_id from below
                 join invoice given on given.environment_id = $1 and given.id = below.id and given.issued_with is not null
                 join invoice_exchange x on x.environment_id = $1 and x.ticket_id = given.id
                where below.named = invoice.id)
             and ${LIVE('further.id')}
             and not exists (select 1 from invoice reversal where reversal.environment_id = $1
                                and reversal.reverses_id = further.id and ${LIVE('reversal.id')})) as returns
    from invoice where invoice.environment_id = $1 and invoice.id = any ($2)`,
};

/** The facts of exchange invoices of the environment, by the ids of those that exist. */
export async function loadExchanges(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
): Promise<Map<string, ExchangeFacts>> {
  const rows = await readRows(client, exchangeRow, EXCHANGES, [environmentId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

const GROUP = {
  name: 'issued-together',
  text: `select other.id from invoice
           join invoice other on other.environment_id = $1 and other.issued_with = invoice.issued_with
          where invoice.environment_id = $1 and invoice.id = $2
          order by other.issued_at, other.id`,
};
const idRow = z.object({ id: z.string() });

/** The invoices that were issued with one of the environment, in the order of issue; itself alone if it was issued alone. */
export async function issuedTogether(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<string[]> {
  const rows = await readRows(client, idRow, GROUP, [environmentId, invoiceId]);
  return rows.length === 0 ? [invoiceId] : rows.map(({ id }) => id);
}
