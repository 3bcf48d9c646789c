import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readRow, readRows } from '../../../ground/db/rows.ts';

/** What a bundle for support shows of the database: counts, times, states, and names of tables; no content of any row. */

const anyRow = z.record(z.string(), z.unknown());

const QUESTIONS = {
  parked: `select substring(parked_reason from '^\\d{4}') as code, count(*)::int from ops.records_parked group by 1 order by 2 desc limit 100`,
  verifications: `select count(*)::int as environments, (count(*) filter (where findings > 0))::int as with_findings,
      min(verified_at) as oldest, max(verified_at) as newest from ops.verification`,
  processes: 'select started_at, beat_at, issues, worker_pools from service_process order by started_at',
  webhookEndpoints: `select status::text, (failing_since is not null) as failing, count(*)::int from webhook_endpoint group by 1, 2 order by 1, 2`,
  webhookDeliveries: 'select status::text, count(*)::int from webhook_delivery group by 1 order by 1',
  emails: 'select status::text, count(*)::int from invoice_email_state group by 1 order by 1',
} as const;

/** The counts of what waits and failed, by their names. */
export function countsForSupport(client: Queryable): Promise<Record<string, unknown>> {
  return answersTo(client, QUESTIONS);
}

async function answersTo(client: Queryable, questions: Readonly<Record<string, string>>) {
  const found: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(questions))
    found[name] = await readRows(client, anyRow, `${OF_ALL} ${text}`);
  return found;
}

const jobErrorRow = z.object({
  task: z.string(),
  error: z.string(),
  count: column.whole,
  newest: column.instant,
});

/** The errors of failing jobs, by kind; the text is whatever was answered to the job, and may name anybody. */
export function errorsOfJobs(client: Queryable) {
  return readRows(
    client,
    jobErrorRow,
    `select task, last_error as error, count(*)::int, max(run_at) as newest from ops.jobs()
      where last_error is not null group by 1, 2 order by 3 desc, 1, 2 limit 500`,
  );
}

/** Settings of Postgres on which speed and durability depend; none is secret. */
const SETTINGS =
  `autovacuum autovacuum_naptime checkpoint_timeout default_statistics_target effective_cache_size fsync full_page_writes
  hot_standby idle_in_transaction_session_timeout jit lock_timeout maintenance_work_mem max_connections max_wal_size random_page_cost
  shared_buffers statement_timeout synchronous_commit track_io_timing wal_level work_mem archive_mode archive_timeout`.split(
    /\s+/,
  );

const SERVER = {
  sizes: `select relname as table, pg_total_relation_size(relid) as bytes, n_live_tup as rows, n_dead_tup as dead, seq_scan, idx_scan,
      last_autovacuum, last_autoanalyze from pg_stat_user_tables order by 2 desc limit 40`,
  sessions: `select state, wait_event_type, wait_event, count(*)::int, max(extract(epoch from now() - xact_start))::int as oldest_transaction_seconds
      from pg_stat_activity where datname = current_database() group by 1, 2, 3 order by 4 desc limit 50`,
  replication: `select state, sync_state, (pg_wal_lsn_diff(sent_lsn, replay_lsn))::bigint as bytes_behind from pg_stat_replication`,
  archiver: `select archived_count, last_archived_time, failed_count, last_failed_time from pg_stat_archiver`,
  database: `select pg_database_size(current_database()) as bytes, xact_commit, xact_rollback, deadlocks, temp_bytes, blks_hit, blks_read
      from pg_stat_database where datname = current_database()`,
} as const;

/** What Postgres says of itself. */
export async function serverForSupport(client: Queryable): Promise<Record<string, unknown>> {
  const text = 'select name, setting, unit, source from pg_settings where name = any ($1) order by name';
  const settings = await readRows(client, anyRow, text, [SETTINGS]);
  return { settings, ...(await answersTo(client, SERVER)) };
}

/** How many statements are listed. */
const SLOWEST = 20;

const statementRow = z.object({
  calls: column.whole,
  meanMs: z.number(),
  totalMs: z.number(),
  rows: column.whole,
  query: z.string(),
});

/** The statements of this role that took the longest in all; null where pg_stat_statements is not installed. */
export async function slowestStatements(client: Queryable): Promise<z.output<typeof statementRow>[] | null> {
  const place = await readRow(
    client,
    z.object({ schema: z.string() }),
    `select format('%I', nspname) as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'pg_stat_statements'`,
  );
  if (place === null) return null;
  return readRows(
    client,
    statementRow,
    `select calls, mean_exec_time as "meanMs", total_exec_time as "totalMs", rows, query from ${place.schema}.pg_stat_statements
      where userid = current_user::regrole and dbid = (select oid from pg_database where datname = current_database())
        and query ~* '^\\s*(/\\*.*\\*/)?\\s*(select|with|insert|update|delete)\\M' and strpos(query, ';') = 0
      order by total_exec_time desc limit ${SLOWEST}`,
  );
}

/** The plan of a statement for any values; null where Postgres makes none (before version 16). It is not run. */
export async function genericPlan(client: Queryable, query: string): Promise<string[] | null> {
  try {
    const lines = await readRows(
      client,
      z.object({ 'QUERY PLAN': z.string() }),
      `explain (generic_plan) ${query}`,
    );
    return lines.map((line) => line['QUERY PLAN']);
  } catch {
    return null;
  }
}
