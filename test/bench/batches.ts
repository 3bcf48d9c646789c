import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { TestCompany } from '../support/invoices/company.ts';
import { auditInvoices, tidyUp } from './audit.ts';
import type { Pace } from './drive.ts';
import { batchBody, issueOne, issueRequest } from './invoice.ts';
import { cpuSeconds, cpuSecondsOfFamily } from './processes.ts';
import type { HttpLoad } from './programs/http-load.ts';
import { type Round, runRound } from './round.ts';
import { createCompanies, type RunningService, startService, type Workspace } from './workspace.ts';

/** Invoices of one merchant, as fast as they go, by one way or the other. */
type Rate = { readonly perSecond: number; readonly cpuMsEach: number | null };

/** Batches against single requests of as many connections as elsewhere, in turn; and what others notice of them. */
export type Batches = {
  readonly single: readonly Rate[];
  readonly batch: readonly Rate[];
  /** Merchants who issue now and then: alone, beside somebody who issues as fast as possible, and beside batches. */
  readonly others: { readonly alone: Round[]; readonly besideSingle: Round[]; readonly besideBatch: Round[] };
};

/** Merchants who issue beside it, with one connection each. */
const OTHERS = 4;
const LARGEST = 1_000;
/** As many as may wait at once. */
const MOST = 20;
const POLL_INTERVAL_MS = 20;

/** Neither registers nor renders: both would go on behind the invoices, and take a share of the machine of whoever comes next. */
const ISSUING_ALONE = `
  create function public.only_batches() returns trigger language plpgsql security definer as $$
  begin
    return case when (select identifier from graphile_worker._private_tasks where id = new.task_id)
      in ('render_documents', 'register') then null else new end;
  end $$;
  create trigger only_batches before insert on graphile_worker._private_jobs
    for each row execute function public.only_batches()`;

/** The service does its jobs itself, as it does by default: batches are issued by one. */
export async function batching(workspace: Workspace, pace: Pace, rounds: number): Promise<Batches> {
  const { url, db } = await workspace.database('batches');
  const service = await startService(workspace, url, { jobs: 'inside', profile: null });
  await db.pool.query(ISSUING_ALONE);
  const [hot, batched, ...others] = await createCompanies(db, 2 + OTHERS);
  const setup = { workspace, service, pool: db.pool };
  // Asks the census, which is then remembered.
  for (const { live } of [hot!, batched!, ...others]) await issueOne(service.baseUrl, live.key);
  const found = { alone: [] as Round[], besideSingle: [] as Round[], besideBatch: [] as Round[] };
  const [single, batch]: [Rate[], Rate[]] = [[], []];
  const quiet = { ...pace, connections: OTHERS };
  const load = (companies: readonly TestCompany[], speed: Pace): HttpLoad => ({
    ...speed,
    port: service.port,
    requests: companies.map(({ live }) => issueRequest(live.key)),
    expectedStatus: 201,
  });
  const watched = { serverPid: service.pid, postgresPid: workspace.postgresPid };
  const run = async (companies: readonly TestCompany[], speed: Pace) => {
    return runRound('http-load', load(companies, speed), watched);
  };
  for (let round = 0; round < rounds; round++) {
    await tidyUp(db.pool);
    const alone = await run([hot!], pace);
    single.push(rateOf(alone));
    const count = Math.max(1, Math.min(MOST, Math.round((alone.perSecond * pace.seconds) / LARGEST)));
    await tidyUp(db.pool);
    batch.push(await sendAndWait(setup, batched!, count));

    await tidyUp(db.pool);
    found.alone.push(await run(others, quiet));
    await tidyUp(db.pool);
    const beside = run([hot!], pace);
    found.besideSingle.push(await run(others, quiet));
    await beside;
    await tidyUp(db.pool);
    // Enough for the whole window.
    const lasting = Math.ceil((1.5 * alone.perSecond * (pace.seconds + pace.warmUpSeconds)) / LARGEST);
    const under = sendAndWait(setup, batched!, Math.min(MOST, lasting));
    found.besideBatch.push(await run(others, quiet));
    await under;
  }
  await auditInvoices(db.pool, [batched!.live.environmentId], await issuedBy(db.pool, batched!));
  await service.stop();
  return { single, batch, others: found };
}

function rateOf({ perSecond, inWindow, cpu }: Round): Rate {
  const used = cpu.server === null || cpu.postgres === null ? null : cpu.server + cpu.postgres;
  return { perSecond, cpuMsEach: used === null ? null : (1_000 * used) / inWindow };
}

type BatchSetup = {
  readonly workspace: Workspace;
  readonly service: RunningService;
  readonly pool: pg.Pool;
};

let sent = 0;

/** From the first request to the last result. */
async function sendAndWait(
  { workspace, service, pool }: BatchSetup,
  company: TestCompany,
  count: number,
): Promise<Rate> {
  const cpu = () => {
    const [server, postgres] = [cpuSeconds(service.pid), cpuSecondsOfFamily(workspace.postgresPid)];
    return server === null || postgres === null ? null : server + postgres;
  };
  const [begun, before] = [performance.now(), cpu()];
  for (let batch = 0; batch < count; batch++) {
    sent += 1;
    const response = await fetch(`${service.baseUrl}/v1/invoice_batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${company.live.key}`, 'content-type': 'application/json' },
      body: batchBody(LARGEST, `b${sent}`),
    });
    if (response.status !== 202) throw new Error(`a batch was answered ${response.status}`);
    await response.arrayBuffer();
  }
  while ((await openBatches(pool)) > 0) await pause(POLL_INTERVAL_MS);
  const [seconds, after] = [(performance.now() - begun) / 1_000, cpu()];
  const failed = await pool.query<{ failed: number }>('select sum(failed)::int as failed from invoice_batch');
  if (failed.rows[0]!.failed !== 0) throw new Error('invoices of a batch were refused');
  const used = before === null || after === null ? null : after - before;
  const invoices = count * LARGEST;
  return { perSecond: invoices / seconds, cpuMsEach: used === null ? null : (1_000 * used) / invoices };
}

async function openBatches(pool: pg.Pool): Promise<number> {
  const text = 'select count(*)::int as open from invoice_batch where completed_at is null';
  return (await pool.query<{ open: number }>(text)).rows[0]!.open;
}

async function issuedBy(pool: pg.Pool, { live }: TestCompany): Promise<number> {
  const text = 'select count(*)::int as issued from invoice where environment_id = $1';
  return (await pool.query<{ issued: number }>(text, [live.environmentId])).rows[0]!.issued;
}
