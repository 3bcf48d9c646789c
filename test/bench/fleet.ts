import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { companyNif } from '../support/agency/registration.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { unusedPort } from '../support/processes/ports.ts';
import { eventually } from '../support/processes/running-program.ts';
import { type BackendStates, statesDuring } from './backend-states.ts';
import type { Pace } from './drive.ts';
import { issueOne, issueRequest } from './invoice.ts';
import { cpuSeconds } from './processes.ts';
import type { HttpLoad } from './programs/http-load.ts';
import { registering } from './registering.ts';
import { type Round, runRound } from './round.ts';
import { startService, type Workspace } from './workspace.ts';

/** Issuing by several processes behind a balancer, all on one machine: what counts is the processor time of an invoice. */
export type FleetRun = {
  readonly processes: number;
  readonly load: 'one company' | 'spread';
  /** By the caller's key to one process, or to each in turn. */
  readonly balance: 'by key' | 'in turn';
  readonly round: Round;
  readonly balancerCpuSeconds: number | null;
  readonly states: BackendStates;
};

/** `runs`: null where HAProxy is not installed. */
export type Fleet = {
  readonly runs: readonly FleetRun[] | null;
  readonly workers: readonly { readonly count: number; readonly registeredPerSecond: number }[];
};

const SIZES = [1, 2, 4];
const WORKERS = [1, 2];
const COMPANIES = 200;

/** Issues by more and more processes, and registers by one worker and by two. */
export async function fleetRuns(
  workspace: Workspace,
  pace: Pace,
  print: (line: string) => void,
): Promise<Fleet> {
  const runs = await issuingRuns(workspace, pace, print);
  const workers: { count: number; registeredPerSecond: number }[] = [];
  for (const count of WORKERS) {
    const { registeredPerSecond } = await registering(workspace, pace, count, 'fleet');
    workers.push({ count, registeredPerSecond });
  }
  return { runs, workers };
}

async function issuingRuns(
  workspace: Workspace,
  pace: Pace,
  print: (line: string) => void,
): Promise<FleetRun[] | null> {
  const { url, db } = await workspace.database('fleet');
  const service = { jobs: 'outside', profile: null } as const;
  // Brings the database to the present schema.
  await (await startService(workspace, url, service)).stop();
  const companies: TestCompany[] = [];
  for (let n = 1; n <= COMPANIES; n++) companies.push(await createCompany(db, { nif: companyNif(n) }));
  const runs: FleetRun[] = [];
  for (const processes of SIZES) {
    const services = [];
    for (let n = 0; n < processes; n++) services.push(await startService(workspace, url, service));
    // Asks the census, which is then remembered.
    for (const { baseUrl } of services) await issueOne(baseUrl, companies[0]!.live.key);
    const ports = services.map(({ port }) => port);
    for (const balance of ['in turn', 'by key'] as const) {
      if (processes === 1 && balance === 'by key') continue;
      const balancer = await startBalancer(workspace, ports, balance);
      if (balancer === null) return null;
      for (const load of ['one company', 'spread'] as const) {
        const chosen = load === 'spread' ? companies : companies.slice(0, 1);
        const plan: HttpLoad = {
          ...{ ...pace, port: balancer.port, expectedStatus: 201 },
          requests: chosen.map(({ live }) => issueRequest(live.key)),
        };
        const before = cpuSeconds(balancer.pid);
        const watched = { serverPid: services.map(({ pid }) => pid), postgresPid: workspace.postgresPid };
        const { result: round, states } = await statesDuring(db, () => runRound('http-load', plan, watched));
        const after = cpuSeconds(balancer.pid);
        const spent = before === null || after === null ? null : after - before;
        runs.push({ processes, load, balance, round, balancerCpuSeconds: spent, states });
        print(`fleet: ${processes} processes, ${load}, ${balance}: ${round.perSecond.toFixed(0)}/s`);
      }
      balancer.stop();
    }
    for (const service of services) await service.stop();
  }
  return runs;
}

type Balancer = { readonly port: number; readonly pid: number; stop(): void };

/** By key, the requests of one company go to one process, which commits those that meet together. */
async function startBalancer(
  workspace: Workspace,
  ports: readonly number[],
  balance: FleetRun['balance'],
): Promise<Balancer | null> {
  const port = await unusedPort();
  const folder = mkdtempSync(join(workspace.directory, 'balancer-'));
  const file = join(folder, 'haproxy.cfg');
  const lines = [
    'global',
    '  maxconn 4096',
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 60s',
    '  timeout server 60s',
    'frontend api',
    `  bind 127.0.0.1:${port}`,
    '  default_backend lacre',
    'backend lacre',
    balance === 'by key' ? '  balance hdr(authorization)' : '  balance roundrobin',
    '  hash-type consistent',
    ...ports.map((each, index) => `  server api${index} 127.0.0.1:${each}`),
    '',
  ];
  writeFileSync(file, lines.join('\n'));
  const process = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const missing = new Promise<boolean>((resolve) => {
    process.once('error', () => resolve(true));
    process.once('spawn', () => resolve(false));
  });
  if (await missing) return null;
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ status }) => status,
      () => 0,
    );
  await eventually(answers, (status) => status === 200, 10);
  return { port, pid: process.pid!, stop: () => process.kill('SIGTERM') };
}
