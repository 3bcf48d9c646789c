import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isRefusal, type Refusal } from '../../src/ground/errors/refusal.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { checkInvoice } from '../../src/subjects/issuing/check-invoice.ts';
import { issueInvoice } from '../../src/subjects/issuing/issue-invoice.ts';
import { retry, unpark } from '../../src/subjects/operations/controls.ts';
import { amendRecord } from '../../src/subjects/rectifying/amend-record.ts';
import { voidInvoice } from '../../src/subjects/rectifying/void-invoice.ts';
import type { AgencyClient } from '../../src/subjects/registration/aeat/transport.ts';
import { enqueueDueChains } from '../../src/subjects/registration/due-chains.ts';
import { audit, type Evidence } from './auditor.ts';
import type { Member, SimulationContext } from './context.ts';
import { crashingWorker } from './crashing-worker.ts';
import { Deliveries } from './deliveries.ts';
import { type Issue, planOf, type Round, type Trigger } from './plan.ts';
import { drainQueue, latestSendTime } from './queue.ts';

/** What happened under a seed, and what the auditor found wrong. */
export type Finding = {
  readonly seed: number;
  readonly companies: number;
  readonly records: number;
  readonly envelopes: number;
  readonly deaths: number;
  /** Requests that the receivers of events got. */
  readonly deliveries: number;
  /** How the envelopes ended for the service. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly milliseconds: number;
  readonly faults: readonly string[];
};

type SimulationRun = {
  readonly simulation: SimulationContext;
  readonly members: readonly Member[];
  readonly issued: Map<number, number>;
  readonly parked: Set<string>;
  readonly deliveries: Deliveries;
  deaths: number;
};

/** Plays the scenario of a seed to its end and has it audited. `witness` sees what the auditor is given. */
export async function runSeed(
  simulation: SimulationContext,
  seed: number,
  onEvidence: (evidence: Evidence) => void = () => {},
): Promise<Finding> {
  const began = performance.now();
  const plan = planOf(seed);
  await simulation.reset();
  await simulation.received();
  const members = await simulation.found(plan.companies);
  const deliveries = await Deliveries.open(simulation, members, seed);
  const run: SimulationRun = {
    ...{ simulation, members, deliveries, issued: new Map(), parked: new Set(), deaths: 0 },
  };
  for (const [index, round] of plan.rounds.entries()) await runRound(run, round, `${seed}/${index}`);
  const drained = await drain(run);
  const { records, envelopes } = await simulation.received();
  const faults = drained === null ? [`what waits has not been sent after ${MAX_STEPS} steps`] : [];
  if (!(await deliveries.drain())) faults.push('events wait that are not delivered');
  for (const chain of members) {
    const evidence: Evidence = {
      chain,
      issued: run.issued.get(chain.chainId) ?? 0,
      records: records.filter(({ nif }) => nif === chain.nif),
      envelopes: envelopes.filter(({ nif }) => nif === chain.nif),
      ...{ parked: run.parked, stolen: plan.steals },
    };
    onEvidence(evidence);
    faults.push(...(await audit(simulation.services.db.pool, evidence)));
    faults.push(...(await deliveries.faults(simulation.services.db.pool, chain)));
  }
  deliveries.close();
  const outcomes = await outcomesOf(run);
  return {
    ...{ seed, companies: plan.companies, records: records.length, envelopes: envelopes.length, outcomes },
    ...{ deaths: run.deaths, deliveries: deliveries.requests, steps: drained ?? MAX_STEPS, faults },
    milliseconds: Math.round(performance.now() - began),
  };
}

async function outcomesOf({ simulation, members }: SimulationRun): Promise<Record<string, number>> {
  const { rows } = await simulation.services.db.pool.query<{ outcome: string; count: number }>(
    'select outcome, count(*)::int as count from submission where chain_id = any($1) group by 1 order by 1',
    [members.map(({ chainId }) => chainId)],
  );
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
}

async function runRound(run: SimulationRun, round: Round, name: string): Promise<void> {
  const { simulation, members } = run;
  if (round.clockJumpMs !== 0) await simulation.jump(round.clockJumpMs);
  await issueAll(run, round.issued);
  for (const company of round.cancelled) {
    const member = members[company]!;
    await voidOne(run, member);
  }
  for (const { company, trigger } of round.amended) await amendOne(run, members[company]!, WORDS[trigger]);
  await simulation.control(round.agency);
  const killing =
    round.killed === null ? null : killProcess(run, members[round.killed.company]!, round.killed.afterMs);
  const agency = turning(simulation, round);
  const workers = round.workers.map(async ({ dies }, index) => {
    const worker = crashingWorker(simulation.services.db, agency, dies);
    void worker.death.then(() => {
      run.deaths += 1;
    });
    return drainQueue(simulation, worker, `${name}/${index}`);
  });
  // One that delivers dies where the first that registers does.
  const delivering = run.deliveries.work(round.workers[0]!.dies);
  const issuing = issueAll(run, round.issuedMeanwhile);
  await Promise.all([...workers, issuing, killing, stealing(run, round), delivering]);
  if (round.operatorActs) await operator(run);
  await simulation.pass(round.passes);
  await enqueueDueChains(simulation.services.db.pool);
}

/** A way to the agency that changes the agency's behaviour after so many exchanges. */
function turning(simulation: SimulationContext, { agency, turns }: Round): AgencyClient {
  const waits = [agency, turns?.agency].some(
    (settings) => settings?.['mode'] === 'hang' || settings?.['mode'] === 'slow',
  );
  const client = waits ? simulation.shortTimeout : simulation.agencyClient;
  let exchanges = 0;
  return {
    async post(message, signal, reading) {
      exchanges += 1;
      if (turns !== null && exchanges === turns.after) await simulation.control(turns.agency);
      return client.post(message, signal, reading);
    },
    close() {},
  };
}

const WORDS: Record<Trigger, string> = {
  none: 'Obra menor <y> más & mejor',
  flag: 'SIMULATE-FLAG',
  reject: 'SIMULATE-REJECT',
};

async function issueAll(run: SimulationRun, issues: readonly Issue[]): Promise<void> {
  await Promise.all(
    issues.flatMap(({ company, count: times, trigger }) =>
      Array.from({ length: times }, () => issueOne(run, run.members[company]!, WORDS[trigger])),
    ),
  );
}

/** As a merchant does: told that more is coming than can be committed in time, it asks again. */
const ASKS_AGAIN_MS = 50;
const GIVES_UP_MS = 60_000;

async function issueOne(run: SimulationRun, member: Member, description: string): Promise<void> {
  const deadline = performance.now() + GIVES_UP_MS;
  for (;;) {
    const refusal = await tryToIssue(run, member, description);
    if (refusal === null) return count(run, member, 1);
    if (refusal.code !== 'service_unavailable' || performance.now() > deadline)
      throw new Error(refusal.detail);
    await pause(ASKS_AGAIN_MS);
  }
}

async function tryToIssue(run: SimulationRun, member: Member, description: string): Promise<Refusal | null> {
  const { outcome } = await issueInvoice(
    run.simulation.services,
    member.caller,
    {
      ...{ type: 'simplified', recargoEquivalencia: false },
      lineItems: [{ description, quantity: 1, unitAmount: 1_234, taxItems: [{ type: 'vat', rate: 21 }] }],
    } as Parameters<typeof issueInvoice>[2],
    { key: null, sent: null, sign: () => '', check: checkInvoice },
  );
  return isRefusal(outcome) ? outcome : null;
}

/** Voids an invoice of which all is settled, if there is one. */
async function voidOne(run: SimulationRun, member: Member): Promise<void> {
  const { services } = run.simulation;
  const { rows } = await services.db.pool.query<{ id: string }>(
    `select invoice.id from invoice where environment_id = $1 and not exists (
       select from registration_record record join record_state state on state.record_id = record.id
        where record.invoice_id = invoice.id and (record.kind = 'cancellation' or state.status = 'pending'))
      order by series_number desc limit 1`,
    [member.environmentId],
  );
  if (rows[0] === undefined) return;
  const voided = await voidInvoice(
    services,
    { actor: 'cli', within: null },
    { invoiceId: rows[0].id, reason: 'simulation' },
  );
  if (isRefusal(voided)) throw new Error(voided.detail);
  count(run, member, 1);
}

/** Amends the newest record of an invoice that the agency rejected or flagged, if there is one. */
async function amendOne(run: SimulationRun, member: Member, description: string): Promise<void> {
  const { services } = run.simulation;
  const { rows } = await services.db.pool.query<{ id: string }>(
    `select newest.invoice_id as id
       from (select distinct on (record.invoice_id) record.invoice_id, record.kind, state.status
               from registration_record record join record_state state on state.record_id = record.id
              where record.chain_id = $1 order by record.invoice_id, record.position desc) as newest
      where kind = 'registration' and status in ('rejected', 'registered_with_errors')
      order by newest.invoice_id desc limit 1`,
    [member.chainId],
  );
  if (rows[0] === undefined) return;
  const request = {
    invoiceId: rows[0].id,
    reason: 'simulation',
    recipient: undefined,
    description,
    reclassify: false,
  };
  const amended = await amendRecord(services, { actor: 'cli', within: null }, request);
  if (isRefusal(amended)) throw new Error(amended.detail);
  count(run, member, 1);
}

function count({ issued }: SimulationRun, { chainId }: Member, more: number): void {
  issued.set(chainId, (issued.get(chainId) ?? 0) + more);
}

const PROGRAM = fileURLToPath(new URL('../support/agency/submit-once.ts', import.meta.url));

/** Starts a worker's process and kills it shortly after it has taken the chain, or when it has ended by itself. */
async function killProcess(run: SimulationRun, member: Member, afterMs: number): Promise<void> {
  const { simulation } = run;
  const { endpointUrl } = simulation.access;
  const given = [simulation.databaseUrl, endpointUrl, simulation.simulator.tlsDir];
  const numbers = [member.environmentId, member.chainId, clock.now().getTime() - Date.now()];
  const child = spawn(process.execPath, [PROGRAM, ...given, ...numbers.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  // It says so when it has nothing (more) to send; until then it is at the agency or at the database.
  const idle = once(child.stdout, 'data').then(() => true);
  const taken = sendingBegins(run, member).then(() => pause(afterMs, false));
  if (!(await Promise.race([idle, taken, pause(STARTS_WITHIN_MS, true)]))) run.deaths += 1;
  child.kill('SIGKILL');
  await ended;
}

const STARTS_WITHIN_MS = 3_000;

/** Resolves when a submission of the chain is opened that was not there before. */
async function sendingBegins({ simulation }: SimulationRun, { chainId }: Member): Promise<void> {
  const submissions = async () => {
    const { rows } = await simulation.services.db.pool.query<{ count: number }>(
      'select count(*)::int as count from submission where chain_id = $1',
      [chainId],
    );
    return rows[0]!.count;
  };
  const before = await submissions();
  for (let attempt = 0; attempt < STARTS_WITHIN_MS / 10 && (await submissions()) === before; attempt += 1)
    await pause(10);
}

/** Takes leases away while their workers work. */
async function stealing({ simulation, members }: SimulationRun, { takesOverLeases }: Round): Promise<void> {
  const chains = members.map(({ chainId }) => chainId);
  for (let times = 0; takesOverLeases && times < 12; times += 1) {
    await pause(5);
    await simulation.services.db.pool.query(
      "update chain_dispatch set lease_until = now() - interval '1 second', next_send_at = now() where chain_id = any($1) and lease_token is not null",
      [chains],
    );
    await enqueueDueChains(simulation.services.db.pool);
  }
}

const HOW = { actor: 'cli', reason: 'simulation' };

/** Someone who has set right whatever stopped chains and spoilt records, and is in no mood to wait. */
async function operator({ simulation, members, parked }: SimulationRun): Promise<void> {
  const { db } = simulation.services;
  const chains = members.map(({ chainId }) => chainId);
  const { rows } = await db.pool.query<{ id: string }>(
    'select record_id as id from record_state where chain_id = any($1) and parked_reason is not null',
    [chains],
  );
  for (const { id } of rows) {
    parked.add(id);
    await unpark(db, id, HOW);
  }
  for (const chainId of chains) await retry(db, chainId, HOW);
}

/** What the dead have left where nothing waits any more is tidied up when their leases are over. */
async function requeueDue(simulation: SimulationContext, step: number): Promise<number> {
  await simulation.pass(180 * SECOND);
  await enqueueDueChains(simulation.services.db.pool);
  return step;
}

/** A thousand records under suspicion are halved ten times; what else went wrong is settled within a few steps more. */
const MAX_STEPS = 20;
const SECOND = 1_000;

/**
 * With the agency well again and the clocks right: lets time pass to the next appointment and the workers work, until
 * nothing waits. Answers how many steps that took, null when it takes too many.
 */
async function drain(run: SimulationRun): Promise<number | null> {
  const { simulation, members } = run;
  const { db } = simulation.services;
  await simulation.control({ mode: 'ok', wait_seconds: 1 });
  await operator(run);
  const chains = members.map(({ chainId }) => chainId);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const due = await latestSendTime(db.pool, chains);
    if (due === null) return requeueDue(simulation, step);
    await simulation.pass(Math.max(0, due) * SECOND + SECOND);
    await enqueueDueChains(db.pool);
    const workers = [1, 2, 3].map((index) =>
      drainQueue(simulation, crashingWorker(db, simulation.agencyClient, null), `drain/${index}`),
    );
    await Promise.all(workers);
  }
  return null;
}
