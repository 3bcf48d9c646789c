import { auditInvoices } from './audit.ts';
import type { Pace } from './drive.ts';
import { issueOne, issueRequest } from './invoice.ts';
import { memoryMiB } from './processes.ts';
import type { HttpLoad } from './programs/http-load.ts';
import { type Round, runRound } from './round.ts';
import { createCompanies, startService, type Workspace } from './workspace.ts';

/** One round in which the service does its jobs itself, as it does by default. */
export type JobsInside = {
  readonly round: Round;
  /** What the jobs had done when the load ended; the rest waits in the queue and is done later. */
  readonly registered: number;
  readonly rendered: number;
  readonly highestMemoryMiB: number | null;
};

/** Loads one company of a service that also registers and renders, on a database of its own. */
export async function jobsInside(workspace: Workspace, pace: Pace): Promise<JobsInside> {
  const { url, db } = await workspace.database('jobs_inside');
  const service = await startService(workspace, url, { jobs: 'inside', profile: null });
  const [company] = await createCompanies(db, 1);
  const { key, environmentId } = company!.live;
  // Asks the census, which is then remembered.
  await issueOne(service.baseUrl, key);
  const load: HttpLoad = { ...pace, port: service.port, requests: [issueRequest(key)], expectedStatus: 201 };
  const round = await runRound('http-load', load, {
    serverPid: service.pid,
    postgresPid: workspace.postgresPid,
  });
  const { rows } = await db.pool.query<{ registered: number; rendered: number }>(
    `select (select count(*) from record_state where status = 'registered') as registered,
            (select count(*) from invoice_document where state = 'stored') as rendered`,
  );
  const highestMemoryMiB = memoryMiB(service.pid)?.highest ?? null;
  await auditInvoices(db.pool, [environmentId], round.done + 1);
  await service.stop();
  return { round, ...rows[0]!, highestMemoryMiB };
}
