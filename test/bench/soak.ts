import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { spawnSimulator } from '../../src/startup/simulator-process.ts';
import { companyNif } from '../support/agency/registration.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { quantile } from './drive.ts';
import { INVOICE } from './invoice.ts';
import { cpuSeconds, cpuSecondsOfFamily, memoryMiB } from './processes.ts';
import { type RunningService, startService, type Workspace } from './workspace.ts';

/** A minute of the soak. Latencies are of all requests, from sending to the whole answer. */
export type SoakMinute = {
  readonly minute: number;
  readonly issued: number;
  readonly read: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: Readonly<Record<string, number>>;
  /** Resident memory of the one process that does everything; null where the system does not tell. */
  readonly mib: number | null;
};

export type Soak = {
  readonly perSecond: number;
  readonly minutes: readonly SoakMinute[];
  /** Of all requests of all minutes. */
  readonly p99Ms: number;
  /** Processor seconds, of all minutes; null where the system does not tell. */
  readonly cpu: { readonly service: number | null; readonly postgres: number | null };
  /** What is left to be registered and rendered at the end. */
  readonly left: { readonly unregistered: number; readonly unrendered: number };
};

/** Invoices a second, and as many reads: one invoice and one list in turn. */
const PER_SECOND = 30;
const COMPANIES = 20;
const TICK_MS = 20;
/** What the agency requires. */
const WAIT_SECONDS = 60;

/**
 * A steady load on one process that issues, registers, renders and answers reads, as long as wanted. Requests are sent by the
 * clock, whether or not those before them are answered.
 */
export async function soaking(
  workspace: Workspace,
  { minutes, print }: { readonly minutes: number; readonly print: (line: string) => void },
): Promise<Soak> {
  const { url, db } = await workspace.database('soak');
  const dataDir = mkdtempSync(join(workspace.directory, 'soak-'));
  const simulator = await spawnSimulator({ ...{ dataDir, port: 0, tlsPort: 0 }, waitSeconds: WAIT_SECONDS });
  const service = await startService(workspace, url, {
    ...{ jobs: 'inside', profile: null },
    env: {
      ...{ SIMULATOR_URL: simulator.url, SIMULATOR_TLS_URL: simulator.tlsUrl },
      SIMULATOR_TLS_DIR: simulator.tlsDir,
    },
  });
  const companies: TestCompany[] = [];
  for (let n = 1; n <= COMPANIES; n++) companies.push(await createCompany(db, { nif: companyNif(n) }));
  const load = new SteadyLoad(service, companies);
  const found: SoakMinute[] = [];
  const used = () => ({
    service: cpuSeconds(service.pid),
    postgres: cpuSecondsOfFamily(workspace.postgresPid),
  });
  const before = used();
  for (let minute = 1; minute <= minutes; minute++) {
    await load.run(60_000);
    const measured = load.summarize(minute, memoryMiB(service.pid)?.now ?? null);
    found.push(measured);
    print(soakLine(measured));
  }
  const after = used();
  const between = (of: keyof typeof after) =>
    before[of] === null || after[of] === null ? null : after[of] - before[of];
  await load.end();
  const left = await leftOf(db.pool);
  await service.stop();
  await simulator.stop();
  const cpu = { service: between('service'), postgres: between('postgres') };
  return { perSecond: PER_SECOND, minutes: found, p99Ms: load.p99OfAllMs(), cpu, left };
}

async function leftOf(pool: pg.Pool): Promise<Soak['left']> {
  const { rows } = await pool.query<Soak['left']>(
    `select (select count(*) from record_state where status = 'pending')::int as unregistered,
            (select count(*) from invoice_document where state = 'waiting')::int as unrendered`,
  );
  return rows[0]!;
}

class SteadyLoad {
  readonly #service: RunningService;
  readonly #companies: readonly TestCompany[];
  /** fetch keeps so much of each answer that its collections of garbage would pause this process, and count as latency. */
  readonly #agent = new Agent({ keepAlive: true });
  readonly #begun = performance.now();
  #spentMs = 0;
  #sent = 0;
  readonly #underWay = new Set<Promise<void>>();
  /** An invoice of each company, to be read. */
  readonly #known = new Map<TestCompany, string>();
  #latencies: number[] = [];
  readonly #allLatencies: number[] = [];
  #issued = 0;
  #read = 0;
  #errors: Record<string, number> = {};

  constructor(service: RunningService, companies: readonly TestCompany[]) {
    this.#service = service;
    this.#companies = companies;
  }

  /** Sends for so long what is due by the clock. */
  async run(ms: number): Promise<void> {
    this.#spentMs += ms;
    for (;;) {
      const now = Math.min(performance.now() - this.#begun, this.#spentMs);
      for (const due = (now / 1_000) * PER_SECOND; this.#sent < due; this.#sent++) this.#send(this.#sent);
      if (now >= this.#spentMs) return;
      await pause(TICK_MS);
    }
  }

  #send(n: number): void {
    const company = this.#companies[n % this.#companies.length]!;
    const known = this.#known.get(company);
    const path = n % 2 === 0 || known === undefined ? '/v1/invoices?limit=25' : `/v1/invoices/${known}`;
    for (const request of [this.#issue(company), this.#get(company, path)]) {
      const ends = request
        .catch((error: Error) => this.#fail(error.message))
        .finally(() => this.#underWay.delete(ends));
      this.#underWay.add(ends);
    }
  }

  async #issue(company: TestCompany): Promise<void> {
    const body = JSON.stringify(INVOICE);
    const answer = await this.#request(company, '/v1/invoices', { method: 'POST', body });
    if (answer === null) return;
    this.#issued += 1;
    this.#known.set(company, (JSON.parse(answer) as { id: string }).id);
  }

  async #get(company: TestCompany, path: string): Promise<void> {
    if ((await this.#request(company, path, {})) !== null) this.#read += 1;
  }

  /** The body of a successful answer; null otherwise. */
  async #request(
    company: TestCompany,
    path: string,
    { method = 'GET', body }: { method?: string; body?: string },
  ): Promise<string | null> {
    const begun = performance.now();
    const headers = { authorization: `Bearer ${company.live.key}`, 'content-type': 'application/json' };
    const sent = request(`${this.#service.baseUrl}${path}`, { method, headers, agent: this.#agent }).end(
      body,
    );
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const text = await readBody(answer, method === 'POST');
    this.#latencies.push(performance.now() - begun);
    if (answer.statusCode === 200 || answer.statusCode === 201) return text;
    this.#fail(`status ${answer.statusCode}`);
    return null;
  }

  #fail(reason: string): void {
    this.#errors[reason] = (this.#errors[reason] ?? 0) + 1;
  }

  /** What was answered since the last time. */
  summarize(minute: number, mib: number | null): SoakMinute {
    const sorted = this.#latencies.sort((one, other) => one - other);
    const summary = {
      ...{ minute, mib, issued: this.#issued, read: this.#read, errors: this.#errors },
      ...{ p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) },
    };
    this.#allLatencies.push(...this.#latencies);
    this.#latencies = [];
    this.#errors = {};
    this.#issued = 0;
    this.#read = 0;
    return summary;
  }

  /** Of all requests of the minutes that were summarized. */
  p99OfAllMs(): number {
    return quantile(
      this.#allLatencies.toSorted((one, other) => one - other),
      0.99,
    );
  }

  /** Waits for the answers that are still to come. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#agent.destroy();
  }
}

/** The whole body, or an empty text after all of it was received: what nobody looks at is not kept. */
async function readBody(answer: IncomingMessage, keep: boolean): Promise<string> {
  const pieces: Buffer[] = [];
  answer.on('data', (piece: Buffer) => {
    if (keep) pieces.push(piece);
  });
  await once(answer, 'end');
  return Buffer.concat(pieces).toString();
}

/** Caches and pools fill up for so many minutes; from then on memory is to grow by no more than this. */
const SETTLED_AFTER = 5;
const MEMORY_RATIO = 1.1;
const P99_MS = 50;

function soakLine({ minute, issued, read, p50Ms, p99Ms, errors, mib }: SoakMinute): string {
  const wrong = Object.entries(errors).map(([what, times]) => `${times} × ${what}`);
  return (
    `  minute ${String(minute).padStart(3)}: ${issued} issued, ${read} read, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ` +
    `${mib?.toFixed(0) ?? '–'} MiB, ${wrong.length === 0 ? 'no error' : wrong.join(', ')}`
  );
}

export function soakLines({ perSecond, minutes, p99Ms, cpu, left }: Soak): string[] {
  const settled = minutes.slice(SETTLED_AFTER - 1).flatMap(({ mib }) => (mib === null ? [] : [mib]));
  const [first = 0] = settled;
  const ratio = Math.max(...settled) / first;
  const slowest = Math.max(...minutes.map(({ p99Ms }) => p99Ms));
  const errors = minutes.reduce(
    (sum, one) => sum + Object.values(one.errors).reduce((all, n) => all + n, 0),
    0,
  );
  const result = (reached: boolean) => (reached ? 'reached' : 'MISSED');
  const issued = minutes.reduce((sum, one) => sum + one.issued, 0);
  const each = (seconds: number | null) => (seconds === null ? '–' : ((1_000 * seconds) / issued).toFixed(1));
  return [
    `soak: ${perSecond} invoices and as many reads a second for ${minutes.length} minutes, one process with its jobs`,
    ...minutes.map(soakLine),
    settled.length < 2
      ? '  too short to say anything of memory'
      : `  memory from minute ${SETTLED_AFTER} on at most ${ratio.toFixed(2)} times   (wanted ${MEMORY_RATIO} or less: ${result(ratio <= MEMORY_RATIO)})`,
    `  p99 of all minutes ${p99Ms.toFixed(1)} ms   (wanted ${P99_MS} or less: ${result(p99Ms <= P99_MS)})`,
    `  p99 of the slowest minute ${slowest.toFixed(1)} ms   (wanted ${P99_MS} or less: ${result(slowest <= P99_MS)})`,
    `  processor time of an invoice that is issued, registered, rendered and read once: service ${each(cpu.service)} ms, ` +
      `Postgres ${each(cpu.postgres)} ms`,
    `  ${errors} errors   (wanted none: ${result(errors === 0)}); left at the end: ${left.unregistered} to be registered, ${left.unrendered} to be rendered`,
  ];
}
