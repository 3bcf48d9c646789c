import { z } from 'zod';
import { firstOf, type Listed, listed } from '../../../ground/db/listed.ts';
import type { Matching } from '../../../ground/db/many-at-once.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, type RowKey, readRowOfEach, readRows } from '../../../ground/db/rows.ts';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { CHAIN_COLUMNS, type ChainHealth, chainHealthRow } from './read-views.ts';

/** Lists for operators: the views of the schema `ops`. */

/** The first rows of a list. */
export async function firstRows<Row>(list: Listed<Row>, count: number): Promise<Row[]> {
  const page = await list.page(firstOf(count, null));
  if (isRefusal(page)) throw new Error('a page without a cursor was refused');
  return [...page.rows];
}

const NEEDS_ATTENTION = `stopped_at is not null or paused_at is not null or parked > 0 or incident_since is not null
       or (hold is not null and closed_at is null)`;

/**
 * Chains that need attention (`troubled`), or all with pending records; for one company, all of its live ones that
 * are open or have pending records. Those that have waited longest come first.
 */
export function listChains(
  client: Queryable,
  { troubled, companyId = null }: { readonly troubled: boolean; readonly companyId?: string | null },
): Listed<ChainHealth> {
  const condition = troubled ? NEEDS_ATTENTION : companyId === null ? 'pending > 0' : 'true';
  return chainsWith(client, `(${condition}) and ($1::text is null or company_id = $1)`, [companyId]);
}

/** Chains that accept no records until they have been compared with the agency. */
export function listHeldChains(client: Queryable): Listed<ChainHealth> {
  return chainsWith(client, "hold = 'restored' and closed_at is null", []);
}

function chainsWith(client: Queryable, where: string, values: readonly unknown[]): Listed<ChainHealth> {
  return listed(client, {
    ofAll: true,
    ...{ shape: chainHealthRow, columns: CHAIN_COLUMNS, from: 'ops.pending_per_chain', id: 'chain_id::text' },
    ...{ where, values },
    ...{ order: ["coalesce(oldest_pending_at, 'infinity')", 'chain_id'], direction: 'asc' },
  });
}

const parkedRecordRow = z.object({
  recordId: z.string(),
  environmentId: column.whole,
  companyId: z.string(),
  legalName: z.string(),
  chainId: column.whole,
  position: column.whole,
  kind: z.enum(['registration', 'cancellation']),
  invoiceId: z.string(),
  number: z.string(),
  generatedAt: column.instant,
  attempts: column.whole,
  parkedReason: z.string(),
});

export type ParkedRecord = z.output<typeof parkedRecordRow>;

/** The oldest first. */
export function listParkedRecords(client: Queryable): Listed<ParkedRecord> {
  return listed(client, {
    ofAll: true,
    shape: parkedRecordRow,
    columns: `record_id as "recordId", environment_id as "environmentId", company.id as "companyId",
              company.legal_name as "legalName", chain_id as "chainId", position, parked.kind,
              invoice_id as "invoiceId", number, generated_at as "generatedAt", attempts,
              parked_reason as "parkedReason"`,
    from: `ops.records_parked parked
             join environment on environment.id = parked.environment_id
             join company on company.id = environment.company_id`,
    ...{ where: 'true', values: [], id: 'record_id' },
    ...{ order: ['generated_at', 'chain_id', 'position'], direction: 'asc' },
  });
}

/** Which chains or records are meant, by what held them up; null: any. */
export type CauseFilter = {
  /** A part of the reason, in any case. */
  readonly cause: string | null;
  readonly companyId: string | null;
};

/** Live chains that failed or stopped and match, as many as `limit`; those that have waited longest come first. */
export async function findFailedChains(
  client: Queryable,
  { cause, companyId }: CauseFilter,
  limit: number,
): Promise<Matching<number>> {
  const rows = await readRows(
    client,
    z.object({ id: column.whole, matching: column.whole }),
    `${OF_ALL} select chain_id as id, (count(*) over ())::int as matching from ops.pending_per_chain
      where (stopped_at is not null or consecutive_failures > 0)
        and ($1::text is null or strpos(lower(stopped_reason), lower($1)) > 0)
        and ($2::text is null or company_id = $2)
      order by oldest_pending_at nulls last, chain_id limit $3`,
    [cause, companyId, limit],
  );
  return matchingOf(rows);
}

/** Parked records that match, as many as `limit`, the oldest first. */
export async function findParkedRecords(
  client: Queryable,
  { cause, companyId }: CauseFilter,
  limit: number,
): Promise<Matching<string>> {
  const rows = await readRows(
    client,
    z.object({ id: z.string(), matching: column.whole }),
    `${OF_ALL} select record_id as id, (count(*) over ())::int as matching from ops.records_parked
      where ($1::text is null or strpos(lower(parked_reason), lower($1)) > 0)
        and ($2::text is null or environment_id in (select id from environment where company_id = $2))
      order by generated_at, chain_id, position limit $3`,
    [cause, companyId, limit],
  );
  return matchingOf(rows);
}

function matchingOf<Id>(rows: readonly { readonly id: Id; readonly matching: number }[]): Matching<Id> {
  return { ids: rows.map(({ id }) => id), matching: rows[0]?.matching ?? 0 };
}

const failedRecordRow = z.object({
  recordId: z.string(),
  environmentId: column.whole,
  companyId: z.string(),
  legalName: z.string(),
  chainId: column.whole,
  position: column.whole,
  kind: z.enum(['registration', 'cancellation']),
  invoiceId: z.string(),
  number: z.string(),
  status: z.enum(['rejected', 'registered_with_errors']),
  code: z.string().nullable(),
  message: z.string().nullable(),
  settledAt: column.instant.nullable(),
});

/**
 * A record that the agency rejected or flagged and that has not been corrected since, with the agency's own
 * message.
 */
export type FailedRecord = z.output<typeof failedRecordRow>;

/** Rejected records before flagged ones, newest first; `companyId` null is all companies. */
export function listFailedRecords(client: Queryable, companyId: string | null): Listed<FailedRecord> {
  return listed(client, {
    ofAll: true,
    shape: failedRecordRow,
    columns: `failed.record_id as "recordId", failed.environment_id as "environmentId", company.id as "companyId",
              company.legal_name as "legalName", failed.chain_id as "chainId", failed.position, failed.kind,
              failed.invoice_id as "invoiceId", invoice.number, failed.status, failed.error_code as code,
              failed.error_message as message, failed.settled_at as "settledAt"`,
    from: `ops.records_failed failed
             join invoice on invoice.environment_id = failed.environment_id and invoice.id = failed.invoice_id
             join environment on environment.id = failed.environment_id
             join company on company.id = environment.company_id`,
    ...{ where: '$1::text is null or company.id = $1', values: [companyId], id: 'failed.record_id' },
    order: ["(failed.status = 'rejected')", "coalesce(failed.settled_at, '-infinity')", 'failed.record_id'],
    direction: 'desc',
  });
}

const verificationStateRow = z.object({
  environmentId: column.whole,
  environment: z.enum(['test', 'live']),
  companyId: z.string(),
  verifiedAt: column.instant.nullable(),
  records: column.whole.nullable(),
  findings: column.whole,
  lastSoundAt: column.instant.nullable(),
});

export type VerificationState = z.output<typeof verificationStateRow>;

const VERIFICATION_COLUMNS = `environment_id as "environmentId", environment, company_id as "companyId",
  verified_at as "verifiedAt", records, findings, last_sound_at as "lastSoundAt"`;

/** Verifications with findings first, then the oldest; `companyId` null is all companies. */
export function listVerifications(client: Queryable, companyId: string | null): Listed<VerificationState> {
  return listed(client, {
    ofAll: true,
    ...{ shape: verificationStateRow, columns: VERIFICATION_COLUMNS, from: 'ops.verification' },
    ...{ where: '$1::text is null or company_id = $1', values: [companyId], id: 'environment_id::text' },
    order: ['-findings', "coalesce(verified_at, '-infinity')", 'environment_id'],
    direction: 'asc',
  });
}

/** The results of the last verifications of environments in which something was issued. */
export function readVerificationsOf(
  client: Queryable,
  keys: readonly RowKey[],
): Promise<Map<string, VerificationState>> {
  const text = `select ${VERIFICATION_COLUMNS} from ops.verification where environment_id = wanted.environment_id`;
  return readRowOfEach(client, verificationStateRow, text, keys);
}
