import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { runJobs } from '../jobs/run-jobs.ts';
import { startJobs } from '../jobs/runner.ts';
import { contextFactory } from './faces/graphql/context.ts';
import { type Config, readConfig } from './ground/config/config.ts';
import { freePort } from './ground/lib/free-port.ts';
import { createLogger, type Logger } from './ground/lib/logger.ts';
import { assemble } from './startup/assemble.ts';
import type { Closing } from './startup/closing.ts';
import { openServiceDatabase, openStandby } from './startup/database.ts';
import { prepareDemo } from './startup/demo.ts';
import { demoMessage } from './startup/demo-message.ts';
import { startDemoReceiver } from './startup/demo-receiver.ts';
import { openHttpServer } from './startup/http-server.ts';
import { monitorDatabase } from './startup/lineage.ts';
import { serveMetrics } from './startup/metrics-server.ts';
import { fail, runUntilStopped } from './startup/signals.ts';
import { openSimulator } from './startup/simulator.ts';
import { startTracing } from './startup/tracing.ts';
import { watchCauses } from './startup/watch-causes.ts';
import { warnOfExpiry } from './subjects/certificates/expiry.ts';
import { currentDeclaration } from './subjects/declaration/current-declaration.ts';
import { requireKeys } from './subjects/operations/encrypted.ts';

/**
 * Connections that wait to be accepted (Linux: at most `net.core.somaxconn`): twice the number of open ones. A caller that finds
 * the queue full waits a whole second.
 */
const CONNECTION_QUEUE = 4_096;

/** Requests in progress get this long to be answered; only a client that does not read takes longer. */
const ANSWER_MS = 15_000;

/** Starts everything in the order of dependencies; what has been opened is registered in `closing`. */
async function start(config: Config, log: Logger, closing: Closing): Promise<void> {
  await startTracing(config, log, closing);
  const simulatorStarting = openSimulator(config, log, closing);
  // Its failure is handled below; until then it must not end the process before the database is in `closing`.
  simulatorStarting.catch(() => {});
  const db = await openServiceDatabase(config, log, closing);
  const simulator = await simulatorStarting;
  warnOfSimulatedAgency(config, log);
  const standby = await openStandby(config, db, log, closing);
  const { services, close } = assemble({ config, db, standby, log, simulator });
  closing.add('services', close);
  await warnOfExpiry(services.certificates, { log, needed: config.agency.endpoint !== 'simulator' });
  await monitorDatabase(services, { dataDir: config.dataDir, issues: true }, closing);
  watchCauses(services, closing);
  const isKnown = db.lineage.newerMigration === null;
  if (isKnown) await requireKeys(db, config.certificateKeys);
  // It is stored at the first start of a version, which only a database that accepts writes can do.
  if (isKnown) await currentDeclaration(db, config);
  const place = { dataDir: config.dataDir, baseUrl: config.baseUrl, simulator };
  const showsDemo = isKnown && config.databaseUrl === null;
  const demo = showsDemo ? await prepareDemo(services, contextFactory(services), place) : null;
  // Before the jobs, which would deliver to where it listened the last time.
  if (demo !== null) await startDemoReceiver(services, [demo.test, demo.live], closing);
  if (config.runsJobs) {
    const jobs = await runJobs(services, () => startJobs(services, fail), fail);
    closing.add('jobs', () => jobs.stop());
  }
  await serveMetrics(services, closing);
  const server = await openHttpServer(services);
  closing.announce = async () => {
    server.draining = true;
    await pause(config.drainSeconds * 1_000);
  };
  closing.add('server', async () => {
    // A connection that was busy when the server closed would otherwise stay open after its answer.
    const idle = setInterval(() => server.server.closeIdleConnections(), 50);
    const impatience = setTimeout(() => server.server.closeAllConnections(), ANSWER_MS);
    await server.close();
    clearInterval(idle);
    clearTimeout(impatience);
  });
  await server.listen({
    port: config.port,
    host: config.host,
    backlog: CONNECTION_QUEUE,
  });
  const { port } = server.server.address() as AddressInfo;
  log.info({ port, jobs: config.runsJobs }, 'ready');
  if (demo !== null) console.log(demoMessage(demo));
}

/** With a configured database this is not a demo, and invoices that are not registered would be a legal risk. */
function warnOfSimulatedAgency({ databaseUrl, agency }: Config, log: Logger): void {
  if (databaseUrl === null || agency.endpoint !== 'simulator') return;
  log.warn(
    'LIVE INVOICES ARE NOT REGISTERED: AGENCY=simulator, so the live environment sends its records to a simulator. ' +
      'Set AGENCY to production (or preproduction) and upload a client certificate before issuing for real.',
  );
}

/**
 * PORT=0 requests any free port, which links need to know. A port in use is reported before anything is started.
 */
async function withPort(config: Config): Promise<Config> {
  const linksNameIt = config.baseUrl === 'http://localhost:0';
  if (config.port === 0 && !linksNameIt) return config;
  const port = await freePort(config.host, config.port);
  if (port === config.port) return config;
  if (config.port !== 0) throw new Error(`Port ${config.port} is taken: set PORT to another one.`);
  return { ...config, port, baseUrl: `http://localhost:${port}` };
}

await runUntilStopped(async (closing) => {
  const config = await withPort(readConfig());
  const log = createLogger(config.logLevel);
  await start(config, log, closing);
  return log;
});
