import { join } from 'node:path';
import { readConfig } from '../../src/ground/config/config.ts';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { Cause } from '../../src/ground/lib/causes.ts';
import { encryptionKeys } from '../../src/ground/lib/encryption.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { uploadCertificate } from '../../src/subjects/certificates/manage.ts';
import { Vault } from '../../src/subjects/certificates/vault.ts';
import { type ClusterOfTwo, startCluster } from '../failover/cluster.ts';
import { newAuthority, seal } from '../support/agency/certificates.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { smallDisk } from '../support/database/small-disk.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { SECRETS } from '../support/processes/command-line.ts';
import { type Fleet, newFleet, post, type Worker } from '../support/processes/fleet.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually, startDemo } from '../support/processes/running-program.ts';
import { Places, type Times } from './places.ts';

type Incident = { readonly name: string; readonly cause: Cause; readonly times: Times };

const GROUPS = { agency: ofTheAgency, database: ofTheDatabase, processes: ofProcesses };

/** Two database servers, two API processes and a worker, to which one thing after the other happens; `only`: of one group. */
export async function* incidents(only: string | undefined): AsyncGenerator<Incident> {
  const groups = Object.entries(GROUPS).filter(([name]) => only === undefined || name === only);
  if (groups.length > 0) {
    const stage = await Stage.open();
    try {
      for (const [, group] of groups) yield* group(stage);
    } finally {
      await stage.close();
    }
  }
  if (only === undefined || only === 'disk') yield* fullDisk();
}

type Course = { readonly begin: () => Promise<unknown>; readonly end: () => Promise<unknown> };

class Stage {
  readonly cluster: ClusterOfTwo;
  readonly simulator: TestSimulator;
  readonly fleet: Fleet;
  worker!: Worker;
  #workerMetrics = '';
  #company!: TestCompany;
  #places!: Places;
  #issued = 0;

  private constructor(cluster: ClusterOfTwo, simulator: TestSimulator, fleet: Fleet) {
    this.cluster = cluster;
    this.simulator = simulator;
    this.fleet = fleet;
  }

  static async open(): Promise<Stage> {
    const cluster = await startCluster();
    const simulator = await testSimulator();
    await simulator.control({ enforce_wait: false, wait_seconds: 0 });
    const settings = {
      ...SECRETS,
      DATABASE_URL: cluster.url,
      SIMULATOR_URL: simulator.url,
      SIMULATOR_TLS_URL: simulator.tlsUrl,
      SIMULATOR_TLS_DIR: simulator.tlsDir,
    };
    const stage = new Stage(cluster, simulator, newFleet({ ...settings, LOG_LEVEL: 'info' }));
    await stage.#start({ ...settings, LOG_LEVEL: 'silent' });
    return stage;
  }

  async #start(doctor: Readonly<Record<string, string>>): Promise<void> {
    const { fleet } = this;
    const api = await fleet.startApi();
    await fleet.startApi();
    await this.startWorker();
    const operatorKey = await this.onLeader(async (db) => {
      this.#company = await createCompany(db, { nif: companyNif(1_520) });
      return (await createOperatorKey(db.pool, 'Ada Lovelace')).key;
    });
    this.#places = new Places({
      programs: () => [...fleet.serving, ...fleet.working].map(({ program }) => program),
      metrics: () => [...fleet.serving.map(({ url }) => `${url}/metrics`), this.#workerMetrics],
      consoleUrl: () => api.url,
      ...{ operatorKey, doctor },
    });
    await this.#places.open();
  }

  /** Has it begin, waits for what the places say, has it end, and waits until it is over for all. */
  async rehearse(name: string, cause: Cause, { begin, end }: Course): Promise<Incident> {
    const times = await this.#places.timesOf(cause, async () => void (await begin()));
    await end();
    await this.#places.over(cause);
    return { name, cause, times };
  }

  /** The same of what does not end soon, once nothing is said of an earlier one. */
  async last(name: string, cause: Cause, begin: () => Promise<unknown>): Promise<Incident> {
    await this.#places.over(cause);
    return { name, cause, times: await this.#places.timesOf(cause, async () => void (await begin())) };
  }

  async startWorker(): Promise<void> {
    this.worker = await this.fleet.startWorker();
    this.#workerMetrics = `http://127.0.0.1:${await this.worker.metricsPort()}/metrics`;
  }

  async issue(): Promise<void> {
    const { key } = this.#company.live;
    const send = () => {
      this.#issued += 1;
      const request = { key, idempotencyKey: `i-${this.#issued}`, body: aSimplifiedInvoice() };
      return post(this.fleet.serving[0]!.url, request);
    };
    await eventually(send, (reply) => 'status' in reply && reply.status === 201);
  }

  /** Chains are sent at once, without waiting for their next attempt. */
  async sendAgain(): Promise<void> {
    await this.onLeader(async ({ pool }) => {
      await pool.query('update chain_dispatch set next_send_at = now()');
      await pool.query(
        "update graphile_worker._private_jobs set run_at = now() where key like 'register:%' and locked_at is null",
      );
    });
  }

  async onLeader<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const db = openDb(this.cluster.leaderUrl(), { max: 2, log: testLog() });
    try {
      return await work(db);
    } finally {
      await closeDb(db);
    }
  }

  async close(): Promise<void> {
    await this.fleet.remove();
    await this.cluster.remove();
    await this.simulator.stop();
  }
}

async function* ofTheAgency(stage: Stage): AsyncGenerator<Incident> {
  const { simulator } = stage;
  const course = (begun: object, ended: object): Course => ({
    begin: async () => {
      await simulator.control({ ...begun });
      await stage.issue();
    },
    end: async () => {
      await simulator.control({ ...ended });
      await stage.sendAgain();
    },
  });
  // What a minute of it shows an hour does too: nothing that is said depends on how long it lasts.
  yield await stage.rehearse(
    'the tax agency is down',
    'agency_silent',
    course({ mode: 'down' }, { mode: 'ok' }),
  );
  yield await stage.rehearse(
    'the agency refuses a wrong certificate',
    'certificate_refused',
    course({ refuse_certificates: true }, { refuse_certificates: false }),
  );
  const lasts = new Date(Date.now() + 15_000);
  await stage.onLeader((db) => store(db, newAuthority().issue({ subject: seal('B00000000'), to: lasts })));
  yield await stage.rehearse('a certificate expires', 'certificate_expired', {
    begin: () =>
      eventually(
        async () => new Date(),
        (at) => at > lasts,
      ),
    end: () => stage.onLeader(({ pool }) => pool.query('update client_certificate set active = false')),
  });
}

async function* ofTheDatabase(stage: Stage): AsyncGenerator<Incident> {
  const { cluster } = stage;
  yield await stage.rehearse('the database is killed, and started again', 'database_away', {
    begin: () => cluster.killLeader(),
    end: () => cluster.comeBack(),
  });
  yield await stage.rehearse('a fail-over, until the standby is promoted', 'database_away', {
    begin: () => cluster.killLeader(),
    end: () => cluster.promote(),
  });
}

async function* ofProcesses(stage: Stage): AsyncGenerator<Incident> {
  const course = (signal: NodeJS.Signals): Course => ({
    begin: () => stage.worker.program.end(signal),
    end: () => stage.startWorker(),
  });
  yield await stage.rehearse('a worker is stopped', 'no_worker', course('SIGTERM'));
  yield await stage.rehearse('a worker is killed', 'no_worker', course('SIGKILL'));
  // Its death is news for five minutes.
  await stage.onLeader(({ pool }) =>
    pool.query(`delete from service_process where beat_at < now() - interval '10 seconds'`),
  );
  yield await stage.last('an API process is killed', 'process_died', () =>
    stage.fleet.serving[1]!.program.end('SIGKILL'),
  );
}

/** The service with its own Postgres on a small disk, which only root can make. */
async function* fullDisk(): AsyncGenerator<Incident> {
  const disk = smallDisk(260);
  if (disk === null) return;
  const dataDir = join(disk.path, 'data');
  const { program, credentials } = await startDemo(dataDir, { LOG_LEVEL: 'info' });
  try {
    const places = new Places({
      programs: () => [program],
      metrics: () => [`${credentials.base_url}/metrics`],
      consoleUrl: () => credentials.base_url,
      operatorKey: credentials.operator,
      doctor: { DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    });
    await places.open();
    const times = await places.timesOf('disk_full', async () => disk.fill(0));
    yield { name: 'the disk of the database is full', cause: 'disk_full', times };
  } finally {
    disk.free();
    await program.end('SIGTERM');
    disk.remove();
  }
}

async function store(db: Db, { cert, key }: { readonly cert: string; readonly key: string }): Promise<void> {
  const { agency, certificateKeys } = readConfig({ ...SECRETS, DATABASE_URL: 'postgres://unused' });
  const stored = await uploadCertificate(
    {
      ...{ db, vault: new Vault(encryptionKeys(certificateKeys)), collaboratorNif: agency.collaboratorNif },
      tryOut: async () => ({ kind: 'accepted' }) as const,
    },
    'cli:test',
    { pem: cert + key, reason: 'incident' },
  );
  if (isRefusal(stored)) throw new Error(stored.detail);
}
