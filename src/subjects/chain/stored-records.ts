import type { Queryable } from '../../ground/db/queryable.ts';
import type { StoredInvoice, StoredRecord, StoredState } from './verify-record.ts';

/** Reading records for verification, many at a time: what stands there, without a thought of what should. */

export type RecordRow = Omit<StoredRecord, 'invoice' | 'state'>;

/** Records of a chain beyond a position, in order. */
export async function recordsAfter(
  client: Queryable,
  chainId: number,
  position: number,
  limit: number,
): Promise<RecordRow[]> {
  const { rows } = await client.query<RecordRow>({
    name: 'verify-records',
    text: `select id, position, kind::text, invoice_id as "invoiceId", previous_record_id as "previousRecordId",
                  previous_fingerprint as "previousFingerprint", fingerprint, generated_at as "generatedAt", xml
             from registration_record where chain_id = $1 and position > $2 order by position limit $3`,
    values: [chainId, position, limit],
  });
  return rows;
}

/** The records with their invoices and states. */
export async function completed(
  client: Queryable,
  environmentId: number,
  rows: readonly RecordRow[],
): Promise<StoredRecord[]> {
  const [invoices, states] = await Promise.all([
    invoicesOf(client, environmentId, rows),
    statesOf(client, environmentId, rows),
  ]);
  return rows.map((row) => ({
    ...row,
    invoice: invoices.get(row.invoiceId) ?? null,
    state: states.get(row.id) ?? null,
  }));
}

async function invoicesOf(
  client: Queryable,
  environmentId: number,
  rows: readonly RecordRow[],
): Promise<Map<string, StoredInvoice>> {
  const found = await client.query<StoredInvoice & { id: string }>({
    name: 'verify-invoices',
    text: `select id, number, issued_on::text as "issuedOn", total, type::text, kind::text,
                  rectification_reason::text as reason, issuer->>'nif' as nif,
                  case when type = 'complete' then recipient_tax_id end as "recipientTaxId",
                  sums.base as "declaredBase", sums.tax as "declaredTax"
             from invoice cross join lateral (
               select coalesce(sum((detail->>'declaredBase')::bigint), 0)::bigint as base,
                      coalesce(sum(coalesce((detail->>'declaredTax')::bigint, 0)
                                   + coalesce((detail->>'surcharge')::bigint, 0)), 0)::bigint as tax
                 from jsonb_array_elements(breakdown) as detail) as sums
            where environment_id = $1 and id = any($2)`,
    values: [environmentId, [...new Set(rows.map((row) => row.invoiceId))]],
  });
  return new Map(found.rows.map(({ id, ...invoice }) => [id, invoice]));
}

async function statesOf(
  client: Queryable,
  environmentId: number,
  rows: readonly RecordRow[],
): Promise<Map<string, StoredState>> {
  const found = await client.query<StoredState & { id: string }>({
    name: 'verify-states',
    text: `select record_id as id, chain_id as "chainId", position, status::text, settled_at is not null as settled
             from record_state where environment_id = $1 and record_id = any($2)`,
    values: [environmentId, rows.map((row) => row.id)],
  });
  return new Map(found.rows.map(({ id, ...state }) => [id, state]));
}
