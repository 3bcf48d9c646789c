import { z } from 'zod';
import { EnvironmentKind, RecordKind, RegistrationStatus } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRows } from '../../../ground/db/rows.ts';
import { TIME_ZONES } from '../../../ground/lib/calendar.ts';

/** From the first instant up to, but not including, the second. */
export type Span = readonly [from: Date, until: Date];

const issuer = z.object({
  nif: z.string(),
  name: z.string(),
  kind: z.enum(EnvironmentKind),
  timeZone: z.enum(TIME_ZONES),
});

export type ExportedIssuer = Readonly<z.infer<typeof issuer>>;

/** The issuer whose records an environment holds; it must exist. */
export function issuerOf(db: Queryable, environmentId: number): Promise<ExportedIssuer> {
  return readOneRow(
    db,
    issuer,
    `select c.nif, c.legal_name as name, e.kind::text, e.time_zone as "timeZone" from environment e join company c on c.id = e.company_id
      where e.id = $1`,
    [environmentId],
  );
}

const exportedChain = z.object({ id: column.whole, installationNumber: z.string(), count: column.whole });

/** Chains with records that were generated in the period, oldest first. */
export function chainsWithin(
  db: Queryable,
  environmentId: number,
  span: Span,
): Promise<z.infer<typeof exportedChain>[]> {
  return readRows(
    db,
    exportedChain,
    `select chain.id, installation_number as "installationNumber", count(*)::int as count
       from chain join registration_record record on record.environment_id = $1 and record.chain_id = chain.id
      where chain.environment_id = $1 and generated_at >= $2 and generated_at < $3
      group by chain.id, installation_number order by chain.id`,
    [environmentId, ...span],
  );
}

const exportedRecord = z.object({
  id: z.string(),
  position: column.whole,
  kind: z.enum(RecordKind),
  invoiceId: z.string(),
  xml: z.string(),
  status: z.enum(RegistrationStatus),
  settledAt: column.instant.nullable(),
  receipt: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
});

export type ExportedRecord = z.infer<typeof exportedRecord>;

type ChainKey = { readonly environmentId: number; readonly chainId: number };

/** Records of a chain after a position that were generated in the period, in order, `limit` at most. */
export function recordsWithin(
  db: Queryable,
  { environmentId, chainId }: ChainKey,
  { after, limit }: { readonly after: number; readonly limit: number },
  span: Span,
): Promise<ExportedRecord[]> {
  return readRows(
    db,
    exportedRecord,
    `select record.id, record.position, record.kind::text, record.invoice_id as "invoiceId", record.xml,
            state.status::text, state.settled_at as "settledAt", state.receipt, state.error_code as "errorCode",
            state.error_message as "errorMessage"
       from registration_record record
       join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
      where record.environment_id = $1 and record.chain_id = $2 and record.position > $3
        and generated_at >= $4 and generated_at < $5
      order by record.position limit $6`,
    [environmentId, chainId, after, ...span, limit],
  );
}
