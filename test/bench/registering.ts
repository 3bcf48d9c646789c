import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../src/ground/db/client.ts';
import { spawnSimulator } from '../../src/startup/simulator-process.ts';
import { companyNif } from '../support/agency/registration.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { eventually, runProgram } from '../support/processes/running-program.ts';
import type { Pace } from './drive.ts';
import { issueOne, issueRequest } from './invoice.ts';
import type { HttpLoad } from './programs/http-load.ts';
import { runRound } from './round.ts';
import { startService, type Workspace } from './workspace.ts';

/** How fast issuing filled the queue of records, and how fast registering emptied it. */
export type Registering = {
  readonly records: number;
  readonly envelopes: number;
  readonly issuedPerSecond: number;
  readonly registeredPerSecond: number;
};

/** Enough that envelopes are full at some and small at none. */
const COMPANIES = 20;
/** A backlog that does not go down to nothing within this time never will. */
const DRAINED_WITHIN_SECONDS = 120;

/**
 * Issues over HTTP for as long as any other round while nothing is registered, then lets one worker, or several, register it all
 * with a simulator that answers at once and requests no wait. Its documents are not rendered meanwhile.
 */
export async function registering(
  workspace: Workspace,
  pace: Pace,
  workers = 1,
  name = 'registering',
): Promise<Registering> {
  const { url, db } = await workspace.database(`${name}_${workers}`);
  const service = await startService(workspace, url, { jobs: 'outside', profile: null });
  const companies: TestCompany[] = [];
  for (let made = 1; made <= COMPANIES; made++) {
    // The agency knows invoices by their issuer's NIF and number, so that here the companies must differ.
    companies.push(await createCompany(db, { nif: companyNif(made) }));
  }
  // Asks the census, which is then remembered.
  await issueOne(service.baseUrl, companies[0]!.live.key);
  const requests = companies.map(({ live }) => issueRequest(live.key));
  const load: HttpLoad = { ...pace, port: service.port, requests, expectedStatus: 201 };
  const watched = { serverPid: service.pid, postgresPid: workspace.postgresPid };
  const { perSecond } = await runRound('http-load', load, watched);
  await service.stop();
  return { issuedPerSecond: perSecond, ...(await drain(workspace, url, db, workers)) };
}

async function drain(workspace: Workspace, url: string, { pool }: Db, workers: number) {
  await pool.query(`delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
                     where tasks.id = jobs.task_id and tasks.identifier = 'render_documents'`);
  const dataDir = mkdtempSync(join(workspace.directory, 'worker-'));
  const simulator = await spawnSimulator({
    dataDir: join(dataDir, 's'),
    port: 0,
    tlsPort: 0,
    waitSeconds: 0,
  });
  const working = Array.from({ length: workers }, (_, n) =>
    runProgram('jobs/main.ts', {
      ...{ DATABASE_URL: url, DATA_DIR: join(dataDir, String(n)), LOG_LEVEL: 'warn' },
      ...{ SIMULATOR_URL: simulator.url, SIMULATOR_TLS_URL: simulator.tlsUrl },
      SIMULATOR_TLS_DIR: simulator.tlsDir,
    }),
  );
  const pending = async () => {
    const left = "select count(*)::int as count from record_state where status <> 'registered'";
    return (await pool.query<{ count: number }>(left)).rows[0]!.count;
  };
  await eventually(pending, (count) => count === 0, DRAINED_WITHIN_SECONDS);
  const { rows } = await pool.query<{ records: number; envelopes: number; seconds: number }>(
    `select sum(record_count)::int as records, count(*)::int as envelopes,
            extract(epoch from max(finished_at) - min(started_at))::float as seconds from submission`,
  );
  await Promise.all(working.map((worker) => worker.end('SIGTERM')));
  await simulator.stop();
  const { records, envelopes, seconds } = rows[0]!;
  return { records, envelopes, registeredPerSecond: records / seconds };
}
