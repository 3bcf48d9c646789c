import { z } from 'zod';
import {
  EnvironmentKind,
  InvoiceKind,
  InvoiceType,
  RecordKind,
  RectificationReason,
  RegistrationStatus,
} from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readRow, readRows } from '../../../ground/db/rows.ts';
import type { ChainFacts, StoredInvoice, StoredRecord, StoredState } from '../verify-record.ts';

/**
 * Reads records for verification, many at a time, exactly as stored. The schemas here accept whatever the columns
 * can hold: manipulated data is a finding and not a bug.
 */

const VERIFIED = {
  name: 'verify-records',
  text: `select id, position, kind::text, invoice_id as "invoiceId", previous_record_id as "previousRecordId",
                previous_fingerprint as "previousFingerprint", fingerprint, generated_at as "generatedAt", xml
           from registration_record where environment_id = $1 and chain_id = $2 and position > $3 order by position limit $4`,
};
const record = z.object({
  id: z.string(),
  position: column.whole,
  kind: z.enum(RecordKind),
  invoiceId: z.string(),
  previousRecordId: z.string().nullable(),
  previousFingerprint: z.string().nullable(),
  fingerprint: z.string(),
  generatedAt: column.instant,
  xml: z.string(),
});

/** A record without its invoice and its state. */
export type BareRecord = z.infer<typeof record>;

/** Records of a chain after a position, in order. */
export function recordsAfter(
  db: Queryable,
  { environmentId, chainId }: Pick<VerifiedChain, 'environmentId' | 'chainId'>,
  position: number,
  limit: number,
): Promise<BareRecord[]> {
  return readRows(db, record, VERIFIED, [environmentId, chainId, position, limit]);
}

/** The records with their invoices and states. */
export async function completed(
  db: Queryable,
  environmentId: number,
  rows: readonly BareRecord[],
): Promise<StoredRecord[]> {
  const [invoices, states] = await Promise.all([
    invoicesOf(db, environmentId, rows),
    statesOf(db, environmentId, rows),
  ]);
  return rows.map((row) => ({
    ...row,
    invoice: invoices.get(row.invoiceId) ?? null,
    state: states.get(row.id) ?? null,
  }));
}

const INVOICES = {
  name: 'verify-invoices',
  text: `select id, number, issued_on::text as "issuedOn", total, type::text, kind::text,
                rectification_reason::text as reason, issuer->>'nif' as nif,
                coalesce(qualified_simplified, false) as "qualifiedSimplified",
                coalesce(recipient_unidentified, false) as "recipientUnidentified",
                issued_by as "issuedBy", third_party->>'tax_id' as "thirdPartyTaxId",
                case when type = 'complete' then recipient_tax_id end as "recipientTaxId",
                sums.base as "declaredBase", sums.tax as "declaredTax"
           from invoice cross join lateral (
             select coalesce(sum((detail->>'declaredBase')::bigint), 0)::bigint as base,
                    coalesce(sum(coalesce((detail->>'declaredTax')::bigint, 0)
                                 + coalesce((detail->>'surcharge')::bigint, 0)), 0)::bigint as tax
               from jsonb_array_elements(breakdown) as detail) as sums
          where environment_id = $1 and id = any($2)`,
};
const invoice = z.object({
  id: z.string(),
  number: z.string(),
  issuedOn: column.day,
  total: column.whole,
  type: z.enum(InvoiceType),
  kind: z.enum(InvoiceKind),
  reason: z.enum(RectificationReason).nullable(),
  nif: z.string().nullable(),
  qualifiedSimplified: z.boolean(),
  recipientUnidentified: z.boolean(),
  issuedBy: z.string().nullable(),
  thirdPartyTaxId: z.string().nullable(),
  recipientTaxId: z.string().nullable(),
  declaredBase: column.whole,
  declaredTax: column.whole,
});

async function invoicesOf(
  db: Queryable,
  environmentId: number,
  rows: readonly BareRecord[],
): Promise<Map<string, StoredInvoice>> {
  const ids = [...new Set(rows.map((row) => row.invoiceId))];
  const found = await readRows(db, invoice, INVOICES, [environmentId, ids]);
  return new Map(found.map(({ id, ...rest }) => [id, rest]));
}

const STATES = {
  name: 'verify-states',
  text: `select record_id as id, chain_id as "chainId", position, status::text, settled_at is not null as settled
           from record_state where environment_id = $1 and record_id = any($2)`,
};
const state = z.object({
  id: z.string(),
  chainId: column.whole,
  position: column.whole,
  status: z.enum(RegistrationStatus),
  settled: z.boolean(),
});

async function statesOf(
  db: Queryable,
  environmentId: number,
  rows: readonly BareRecord[],
): Promise<Map<string, StoredState>> {
  const ids = rows.map((row) => row.id);
  const found = await readRows(db, state, STATES, [environmentId, ids]);
  return new Map(found.map(({ id, ...rest }) => [id, rest]));
}

const verifiedChain = z.object({
  chainId: column.whole,
  environmentId: column.whole,
  environment: z.enum(EnvironmentKind),
  installationNumber: z.string(),
  lastPosition: column.whole,
  lastRecordId: z.string().nullable(),
  lastFingerprint: z.string().nullable(),
  lastGeneratedAt: column.instant.nullable(),
  lastInvoiceNumber: z.string().nullable(),
  lastIssuedOn: column.day.nullable(),
  closedAt: column.instant.nullable(),
});

/** A chain with the tail of its row. */
export type VerifiedChain = ChainFacts & Readonly<z.infer<typeof verifiedChain>>;

const CHAINS = `
  select chain.id as "chainId", environment.id as "environmentId", environment.kind::text as environment,
         installation_number as "installationNumber", last_position as "lastPosition",
         last_record_id as "lastRecordId", last_fingerprint as "lastFingerprint",
         last_generated_at as "lastGeneratedAt", last_invoice_number as "lastInvoiceNumber",
         last_invoice_issued_on::text as "lastIssuedOn", closed_at as "closedAt"
    from environment join chain on chain.environment_id = environment.id`;

/** The chains of an environment, the oldest first; null when there is no such environment. */
export async function chainsOf(db: Queryable, environmentId: number): Promise<VerifiedChain[] | null> {
  const text = `${CHAINS} where environment.id = $1 order by chain.id`;
  const chains = await readRows(db, verifiedChain, text, [environmentId]);
  if (chains.length > 0) return chains;
  const exists = await execute(db, 'select 1 from environment where id = $1', [environmentId]);
  return exists === 0 ? null : [];
}

/** One chain, or null. */
export function readChain(db: Queryable, chainId: number): Promise<VerifiedChain | null> {
  return readRow(db, verifiedChain, `${OF_ALL} ${CHAINS} where chain.id = $1`, [chainId]);
}

const lostState = z.object({ recordId: z.string(), chainId: column.whole, position: column.whole });

/** States without a record, the first 1,000. */
export function statesWithoutRecord(
  db: Queryable,
  environmentId: number,
): Promise<z.infer<typeof lostState>[]> {
  return readRows(
    db,
    lostState,
    `select record_id as "recordId", chain_id as "chainId", position from record_state state
      where environment_id = $1
        and not exists (select 1 from registration_record record
              where record.environment_id = state.environment_id and record.id = state.record_id)
      order by chain_id, position limit 1000`,
    [environmentId],
  );
}

const bareInvoice = z.object({ id: z.string(), number: z.string() });

/** Own invoices without a registration record, the first 1,000. */
export function invoicesWithoutRecord(
  db: Queryable,
  environmentId: number,
): Promise<z.infer<typeof bareInvoice>[]> {
  return readRows(
    db,
    bareInvoice,
    `select id, number from invoice where environment_id = $1 and not imported
        and not exists (select 1 from registration_record record
              where record.environment_id = invoice.environment_id and record.invoice_id = invoice.id
                and record.kind = 'registration')
      order by issued_at, id limit 1000`,
    [environmentId],
  );
}
