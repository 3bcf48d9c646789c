import type pg from 'pg';

/** What must hold of every company after a round, whoever wrote: each query finds the rows that break a rule. */
const RULES: Record<string, string> = {
  'numbers have a gap or repeat': `
    select environment_id from invoice where environment_id = any($1)
     group by environment_id, series_id, series_year
    having min(series_number) <> 1 or max(series_number) <> count(*) or count(distinct series_number) <> count(*)`,
  'the counter is not the last number': `
    select counter.environment_id from series_counter counter where environment_id = any($1) and last_number <>
      (select count(*) from invoice where series_id = counter.series_id and series_year = counter.year)`,
  'a record does not hang from the one before': `
    select environment_id from (
      select environment_id, position, row_number() over chained as place,
             previous_record_id, lag(id) over chained as before_id,
             previous_fingerprint, lag(fingerprint) over chained as before_fingerprint
        from registration_record where environment_id = any($1)
      window chained as (partition by chain_id order by position)) as linked
     where position <> place or previous_record_id is distinct from before_id
        or previous_fingerprint is distinct from before_fingerprint`,
  'the tail is not the last record': `
    select chain.environment_id from chain left join registration_record last
        on last.environment_id = chain.environment_id and last.chain_id = chain.id and last.position = chain.last_position
     where chain.environment_id = any($1) and last_position > 0
       and (last.id is distinct from last_record_id or last.fingerprint <> last_fingerprint or exists (
         select from registration_record later where later.chain_id = chain.id and later.position > last_position))`,
  'an invoice lacks a row': `
    select environment_id from invoice where environment_id = any($1) and (
         (select count(*) from invoice_line line
           where line.environment_id = invoice.environment_id and line.invoice_id = invoice.id) <> 3
      or (select count(*) from tax_item item
           where item.environment_id = invoice.environment_id and item.invoice_id = invoice.id) <> 3
      or (select count(*) from registration_record record
            join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
           where record.environment_id = invoice.environment_id and record.invoice_id = invoice.id) <> 1
      or not exists (select from invoice_document document
           where document.environment_id = invoice.environment_id and document.invoice_id = invoice.id))`,
};

/**
 * Looks at all that was stored for these environments: gapless numbers, linked chains, every row of every invoice,
 * and as many invoices as were answered. Throws with the rule that is broken.
 */
export async function auditInvoices(
  pool: pg.Pool,
  environmentIds: readonly number[],
  answered: number,
): Promise<void> {
  for (const [fault, query] of Object.entries(RULES)) {
    const { rows } = await pool.query<{ environment_id: number }>(query, [environmentIds]);
    if (rows.length > 0) throw new Error(`${fault} (environment ${rows[0]!.environment_id})`);
  }
  const { rows } = await pool.query<{ stored: number }>(
    'select count(*) as stored from invoice where environment_id = any($1)',
    [environmentIds],
  );
  const { stored } = rows[0]!;
  if (stored !== answered) throw new Error(`${answered} invoices were answered, but ${stored} are stored`);
}

/** Throws unless every company has left its rendering and its registering since the queue was emptied. */
export async function auditJobs(pool: pg.Pool, answered: number, companies: number): Promise<void> {
  const { rows } = await pool.query<{ task: string; jobs: number }>(
    'select task_identifier as task, count(*) as jobs from graphile_worker.jobs group by task_identifier',
  );
  const jobs = Object.fromEntries(rows.map(({ task, jobs }) => [task, jobs]));
  if (jobs['render_documents'] !== companies || jobs['register'] !== companies) {
    throw new Error(`${answered} invoices of ${companies} companies left the jobs ${JSON.stringify(jobs)}`);
  }
}

/** Every round begins with an empty queue, no dead rows, fresh statistics and no checkpoint due. */
export async function tidyUp(pool: pg.Pool): Promise<void> {
  await pool.query('truncate graphile_worker._private_jobs');
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
}
