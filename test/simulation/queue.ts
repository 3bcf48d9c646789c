import type pg from 'pg';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import { tasks } from '../../src/ground/queue/tasks.ts';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import type { SimulationContext } from './context.ts';
import type { CrashingWorker } from './crashing-worker.ts';

type Job = { readonly id: string; readonly payload: unknown };

const TAKE = `
  update graphile_worker._private_jobs set locked_at = now(), locked_by = $1, attempts = attempts + 1
   where id = (select jobs.id from graphile_worker._private_jobs jobs
                 join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
                where tasks.identifier = 'register' and is_available and run_at <= now()
                order by priority, run_at, jobs.id limit 1 for update of jobs skip locked)
  returning id, payload`;

/**
 * A worker's loop as the job runner has it: takes the next job that is due, does it, puts it off or ends it, until
 * none is due. When the worker dies its job stays locked, as it would. Answers how many jobs it ended.
 */
export async function drainQueue(
  simulation: SimulationContext,
  worker: CrashingWorker,
  name: string,
): Promise<number> {
  const { pool } = simulation.services.db;
  for (let ended = 0; ; ended += 1) {
    const job = (await pool.query<Job>(TAKE, [name])).rows[0];
    if (job === undefined) return ended;
    const alive = await Promise.race([work(simulation, worker, job.payload), worker.death.then(() => false)]);
    if (!alive) return ended;
    await pool.query('delete from graphile_worker._private_jobs where id = $1 and locked_by = $2', [
      job.id,
      name,
    ]);
  }
}

/** What `jobs/register.ts` does, with a database and a way to the agency that may break off. */
async function work(
  simulation: SimulationContext,
  { db, agency }: CrashingWorker,
  payload: unknown,
): Promise<true> {
  const chain = tasks.register.payload.parse(payload);
  const { nextWakeAt } = await submitChain({ db, log: simulation.services.log, agency }, chain);
  if (nextWakeAt !== null) {
    await enqueue(db.pool, [{ task: 'register', payload: chain, runAt: nextWakeAt }]);
  }
  return true;
}

/** When the last of the appointments is that any of these chains waits for; null when none has anything to send. */
export async function latestSendTime(pool: pg.Pool, chainIds: readonly number[]): Promise<number | null> {
  const { rows } = await pool.query<{ due: number | null }>(
    `select max(extract(epoch from greatest(next_send_at, coalesce(lease_until, '-infinity')) - now()))::float as due
       from chain_dispatch where chain_id = any($1)
        and exists (select from record_state where chain_id = chain_dispatch.chain_id and status = 'pending')`,
    [chainIds],
  );
  return rows[0]?.due ?? null;
}
