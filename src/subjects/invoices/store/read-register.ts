import type pg from 'pg';
import { z } from 'zod';
import {
  EnvironmentKind,
  InvoiceKind,
  InvoiceType,
  RectificationReason,
} from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readOneRow, readRows } from '../../../ground/db/rows.ts';
import { statementsAtLeast } from '../../../ground/db/statement-time.ts';
import { openSnapshot } from '../../../ground/db/transaction.ts';
import { AMENDMENT_COUNTS } from '../../chain/store/read-decisive.ts';
import { TAX_ID_TYPES } from '../../tax-ids/types.ts';
import { taxDetail } from '../../taxes/shapes.ts';
import { LIVE, REPLACED_INVOICES } from './force.ts';

/** The invoices of an environment that were issued from one instant until before another. */
export type RegisteredPeriod = { readonly environmentId: number; readonly from: Date; readonly before: Date };

const registered = z.object({
  number: z.string(),
  type: z.enum(InvoiceType),
  /** Whether it is a complete one whose recipient needs no tax id. */
  recipientUnidentified: z.boolean().optional(),
  kind: z.enum(InvoiceKind),
  reason: z.enum(RectificationReason).nullable(),
  issuedOn: column.day,
  operationOn: column.day.nullable(),
  recipientName: z.string().nullable(),
  taxId: z.string().nullable(),
  taxIdType: z.enum(TAX_ID_TYPES).nullable(),
  taxIdCountry: z.string().nullable(),
  breakdown: z.array(taxDetail),
  /** Whether a substitution or exchange in force replaces it, and does so in the book. */
  replaced: z.boolean(),
  /** Whether it was issued for a return after an exchange, or to replace an exchange invoice. */
  afterExchange: z.boolean(),
});

/** An invoice in a register book: as currently declared, including amendments. */
export type RegisteredInvoice = Readonly<z.output<typeof registered>>;

/** A register being read, as of one instant. */
export type OpenRegister = {
  /** How many invoices there are in all. */
  readonly count: number;
  /** The next invoices, oldest first; none at the end. */
  next(size: number): Promise<RegisteredInvoice[]>;
  close(): Promise<void>;
};

const PERIOD = `invoice.environment_id = $1 and invoice.issued_at >= $2 and invoice.issued_at < $3 and ${LIVE('invoice.id')}`;

/** The newest amendment of an invoice that changed its content, and that counts. */
const amended = (field: string) => `left join lateral (
  select amendment.* from invoice_amendment amendment
   where amendment.environment_id = $1 and amendment.invoice_id = invoice.id and amendment.${field} is not null
     and ${AMENDMENT_COUNTS('amendment')}
   order by amendment.amended_at desc, amendment.record_id desc limit 1)`;

const REGISTER = `
  select invoice.number, invoice.type::text, coalesce(invoice.recipient_unidentified, false) as "recipientUnidentified", invoice.kind::text, invoice.rectification_reason::text as reason,
         invoice.issued_on::text as "issuedOn", invoice.operation_on::text as "operationOn",
         coalesce(declared.recipient_name, invoice.recipient_company_name, invoice.recipient_name) as "recipientName",
         coalesce(declared.recipient_tax_id, invoice.recipient_tax_id) as "taxId",
         coalesce(declared.recipient_tax_id_type, invoice.recipient_tax_id_type) as "taxIdType",
         coalesce(declared.recipient_tax_id_country, invoice.recipient_tax_id_country) as "taxIdCountry",
         coalesce(reclassified.breakdown, invoice.breakdown) as breakdown,
         invoice.issued_with is not null as "afterExchange",
         invoice.issued_with is null and invoice.id in (select other.id from (${REPLACED_INVOICES}) as other) as replaced
    from invoice
    ${amended('recipient_name')} declared on true
    ${amended('breakdown')} reclassified on true
   where ${PERIOD}
   order by invoice.issued_at, invoice.id`;

const manyInvoices = z.object({
  companyId: z.string(),
  legalName: z.string(),
  environment: z.enum(EnvironmentKind),
  invoices: column.whole,
});

/**
 * The environments with more than `least` invoices in force of the last year, most first. Reads the sums of days that are over, which
 * every environment of that size has.
 */
export function environmentsWithMany(
  client: Queryable,
  least: number,
): Promise<Readonly<z.output<typeof manyInvoices>>[]> {
  return readRows(
    client,
    manyInvoices,
    `${OF_ALL} select company.id as "companyId", company.legal_name as "legalName", environment.kind::text as environment,
            sum(day_total.count)::int as invoices
       from day_total
       join environment on environment.id = day_total.environment_id
       join company on company.id = environment.company_id
      where not of_recipient and day_total.day > (now() at time zone 'Europe/Madrid')::date - 366
      group by company.id, company.legal_name, environment.kind
     having sum(day_total.count) > $1
      order by invoices desc`,
    [least],
  );
}

/**
 * Opens the register of a period: all of it as of this instant, by a cursor, however many invoices there are. Holds
 * one connection, and its snapshot keeps dead rows from being vacuumed, until it is closed. Takes no lock. Its
 * statements have the time limit of an export: counting a million invoices that are not in memory takes longer than
 * a request may.
 */
export function openRegister(pool: pg.Pool, period: RegisteredPeriod): Promise<OpenRegister> {
  return statementsAtLeast('maintenance', () => opened(pool, period));
}

async function opened(
  pool: pg.Pool,
  { environmentId, from, before }: RegisteredPeriod,
): Promise<OpenRegister> {
  const { client, close } = await openSnapshot(pool);
  const values = [environmentId, from.toISOString(), before.toISOString()];
  try {
    const { count } = await readOneRow(
      client,
      z.object({ count: column.whole }),
      `select count(*)::int as count from invoice where ${PERIOD}`,
      values,
    );
    await execute(client, `declare register no scroll cursor for ${REGISTER}`, values);
    return {
      count,
      next: (size) =>
        statementsAtLeast('maintenance', () =>
          readRows(client, registered, `fetch forward ${Math.trunc(size)} from register`),
        ),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
