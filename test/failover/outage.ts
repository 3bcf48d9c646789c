import { setTimeout as pause } from 'node:timers/promises';
import type { TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type Fleet, post } from '../support/processes/fleet.ts';
import type { Cluster } from './cluster.ts';

/** What a primary that was away, and came back as it was, did to the processes: the first that serves, and a worker. */
export type Outage = {
  /** Processes that ended. */
  readonly died: number;
  /** Which statuses were answered while it was away, from its second second on. */
  readonly alive: readonly number[];
  readonly ready: readonly number[];
  readonly issuing: readonly number[];
  /** What the metrics of both said then. */
  readonly reachable: readonly string[];
  /** How often each said that it is away, and that it is back. */
  readonly reportedAway: readonly number[];
  readonly reportedBack: readonly number[];
  /** What each logged as a warning or worse while it was away, after having said so. */
  readonly warnings: readonly (readonly string[])[];
  /** From its taking connections again to the first live invoice, and to its being registered. */
  readonly issuedAgainMs: number;
  readonly registeredAgainMs: number;
};

type Setup = { readonly cluster: Cluster; readonly fleet: Fleet; readonly company: TestCompany };

const SAMPLE_EVERY_MS = 1_000;
const [AWAY, BACK] = ['THE DATABASE IS UNAVAILABLE', 'the database is back'] as const;
/** It is found to be away at the second beat at the latest. */
const KNOWN_AFTER_MS = 2_000;

/** Kills the primary, starts it again after so many seconds, and looks at the processes all the while. */
export async function runOutage(
  { cluster, fleet, company }: Setup,
  seconds: number,
  until: (holds: () => Promise<boolean>) => Promise<void>,
): Promise<Outage> {
  const [api, worker] = [fleet.serving[0]!, fleet.working[0]!];
  const programs = [api.program, worker.program];
  const metrics = [`${api.url}/metrics`, `http://127.0.0.1:${await worker.metricsPort()}/metrics`];
  const { key } = company.live;
  const issue = async (idempotencyKey: string) => {
    const reply = await post(api.url, { key, idempotencyKey, body: aSimplifiedInvoice() });
    return 'status' in reply ? reply : { status: 0, body: null };
  };
  const get = (path: string) =>
    fetch(api.url + path, { headers: { authorization: `Bearer ${key}` } }).catch(() => null);
  const statusOf = async (path: string) => {
    const answer = await get(path);
    await answer?.arrayBuffer();
    return answer?.status ?? 0;
  };
  await until(async () => (await issue('before')).status === 201);
  await cluster.killLeader();
  await pause(KNOWN_AFTER_MS);
  await until(async () => programs.every((program) => program.output().includes(AWAY)));
  const [alive, ready, issuing] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const deadline = performance.now() + seconds * 1_000; performance.now() < deadline; ) {
    alive.add(await statusOf('/healthz'));
    ready.add(await statusOf('/readyz'));
    issuing.add((await issue('while-away')).status);
    issuing.add(await statusOf('/v1/invoices'));
    await pause(SAMPLE_EVERY_MS);
  }
  const reachable = await Promise.all(metrics.map(reachableAt));
  // What is logged once it is back is about what the outage left behind, such as chains that had lost their job.
  const warnings = programs.map((program) => warningsAfter(program.output(), AWAY));
  await cluster.comeBack();
  const back = performance.now();
  let id = '';
  await until(async () => {
    const { status, body } = await issue('after');
    if (status === 201) id = body.id;
    return status === 201;
  });
  const issuedAgainMs = Math.round(performance.now() - back);
  await until(async () => {
    const invoice = (await (await get(`/v1/invoices/${id}`))?.json()) as { verifactu?: { status: string } };
    return invoice?.verifactu?.status === 'registered';
  });
  const registeredAgainMs = Math.round(performance.now() - back);
  await until(async () => (await Promise.all(metrics.map(reachableAt))).every((value) => value === '1'));
  // A log line may reach its reader after the answer to the request that it is about.
  await until(async () => programs.every((program) => program.output().includes(BACK)));
  const countOf = (words: string) => programs.map((program) => program.output().split(words).length - 1);
  return {
    died: programs.filter(({ process }) => process.exitCode !== null || process.signalCode !== null).length,
    ...{ alive: [...alive], ready: [...ready], issuing: [...issuing], reachable },
    ...{ reportedAway: countOf(AWAY), reportedBack: countOf(BACK) },
    ...{ warnings, issuedAgainMs, registeredAgainMs },
  };
}

/** What a process tells whoever watches it. */
async function reachableAt(url: string): Promise<string> {
  const answer = await fetch(url).catch(() => null);
  return /^lacre_database_reachable (\S+)$/m.exec((await answer?.text()) ?? '')?.[1] ?? 'not told';
}

/** Messages of the levels warn and above after the first line that contains the words. */
function warningsAfter(output: string, words: string): string[] {
  const lines = output.split('\n');
  return lines
    .slice(lines.findIndex((line) => line.includes(words)) + 1)
    .filter((line) => /^\{"level":[456]0.*\}$/.test(line))
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
}
