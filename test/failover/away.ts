import { setTimeout as pause } from 'node:timers/promises';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { freePort } from '../../src/ground/lib/free-port.ts';
import { testSimulator } from '../support/agency-simulator.ts';
import { createCompany } from '../support/company.ts';
import { newFleet, post } from '../support/fleet.ts';
import { aSimplifiedInvoice } from '../support/invoices.ts';
import { companyNif } from '../support/registration.ts';
import { testLog } from '../support/run-log.ts';
import { startCluster } from './cluster.ts';

/** What a primary that was away, and came back, did to an API process and a worker. */
export type Absence = {
  /** Processes that ended. */
  readonly died: number;
  /** Which statuses each was answered while it was away, a second or more after it went. */
  readonly alive: readonly number[];
  readonly ready: readonly number[];
  readonly issuing: readonly number[];
  /** What the two processes' metric said then, and after. */
  readonly reachableWhileAway: readonly string[];
  readonly reachableAfter: readonly string[];
  /** How often the API process and the worker said that it is away, and that it is back. */
  readonly saidAway: readonly number[];
  readonly saidBack: readonly number[];
  /** All that each logged meanwhile as a warning or worse, but for requests. */
  readonly warnings: readonly number[];
  /** From its taking connections again to the first invoice, and to that invoice's being registered. */
  readonly issuedAgainMs: number;
  readonly registeredAgainMs: number;
};

const LOOK_EVERY_MS = 1_000;
const PATIENCE_MS = 60_000;

/** Ends the primary under an API process and a worker, starts it again after so many seconds, and looks all the while. */
export async function playAbsence(seconds: number, nif: number): Promise<Absence> {
  const [cluster, simulator] = await Promise.all([startCluster(), testSimulator()]);
  await simulator.control({ enforce_wait: false, wait_seconds: 0 });
  const ports = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  const fleet = newFleet({
    DATABASE_URL: cluster.url,
    LOG_LEVEL: 'info',
    SIMULATOR_URL: simulator.url,
    SIMULATOR_TLS_URL: simulator.tlsUrl,
    SIMULATOR_TLS_DIR: simulator.tlsDir,
  });
  try {
    const api = await fleet.startApi({ METRICS_PORT: String(ports[0]) });
    const worker = await fleet.startWorker({ METRICS_PORT: String(ports[1]) });
    const db = openDb(cluster.url, { max: 1, log: testLog() });
    const { live } = await createCompany(db, { nif: companyNif(nif) });
    await closeDb(db);
    const issue = async (idempotencyKey: string) => {
      const came = await post(api.url, { key: live.key, idempotencyKey, body: aSimplifiedInvoice() });
      return 'status' in came ? came : { status: 0, body: null };
    };
    const statusOf = (path: string) =>
      fetch(`${api.url}${path}`).then(
        ({ status }) => status,
        () => 0,
      );
    await until(async () => (await issue('before')).status === 201);
    const programs = [api.program, worker.program];
    const before = programs.map((program) => program.output().length);
    await cluster.killLeader();
    const alive = new Set<number>();
    const ready = new Set<number>();
    const issuing = new Set<number>();
    // Known to be away at the second beat at the latest.
    await pause(2 * LOOK_EVERY_MS);
    for (const deadline = performance.now() + seconds * 1_000; performance.now() < deadline; ) {
      alive.add(await statusOf('/healthz'));
      ready.add(await statusOf('/readyz'));
      issuing.add((await issue('while-away')).status);
      await pause(LOOK_EVERY_MS);
    }
    const reachableWhileAway = await Promise.all(ports.map(reachable));
    const meanwhile = programs.map((program, index) => program.output().slice(before[index]));
    await cluster.bringBackOldLeader();
    const back = performance.now();
    let invoice = '';
    await until(async () => {
      const { status, body } = await issue('after');
      invoice = status === 201 ? body.id : '';
      return status === 201;
    });
    const issuedAgainMs = Math.round(performance.now() - back);
    await until(async () => {
      const answer = await fetch(`${api.url}/v1/invoices/${invoice}`, {
        headers: { authorization: `Bearer ${live.key}` },
      });
      const { verifactu } = (await answer.json()) as { verifactu: { status: string } };
      return verifactu.status === 'registered';
    });
    const registeredAgainMs = Math.round(performance.now() - back);
    await until(async () => (await Promise.all(ports.map(reachable))).every((value) => value === '1'));
    const said = (words: string) => programs.map((program) => program.output().split(words).length - 1);
    return {
      died: programs.filter(({ process }) => process.exitCode !== null || process.signalCode !== null).length,
      ...{ alive: [...alive], ready: [...ready], issuing: [...issuing] },
      ...{ reachableWhileAway, reachableAfter: await Promise.all(ports.map(reachable)) },
      ...{ saidAway: said('THE DATABASE IS AWAY'), saidBack: said('the database is back') },
      warnings: meanwhile.map(warningsIn),
      ...{ issuedAgainMs, registeredAgainMs },
    };
  } finally {
    await fleet.remove();
    await cluster.remove();
    await simulator.stop();
  }
}

/** What a process says of its database to whoever watches it. */
async function reachable(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
  const text = (await answer?.text()) ?? '';
  return /^lacre_database_reachable (\S+)$/m.exec(text)?.[1] ?? 'not told';
}

/** Lines of pino's levels warn and above that are not about a request. */
function warningsIn(output: string): number {
  return output
    .split('\n')
    .filter((line) => /"level":(40|50|60|"warn"|"error"|"fatal")/.test(line) && !/"request_?id"/i.test(line))
    .length;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new Error('the processes do not go on');
    await pause(50);
  }
}
