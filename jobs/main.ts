import { readConfig } from '../src/ground/config/config.ts';
import { createLogger } from '../src/ground/lib/logger.ts';
import { assemble } from '../src/startup/assemble.ts';
import { openSharedDatabase, openStandby } from '../src/startup/database.ts';
import { monitorDatabase } from '../src/startup/lineage.ts';
import { serveMetrics } from '../src/startup/metrics-server.ts';
import { fail, runUntilStopped } from '../src/startup/signals.ts';
import { findSimulator } from '../src/startup/simulator.ts';
import { startTracing } from '../src/startup/tracing.ts';
import { SERVICE_WAITS_MS } from '../src/startup/wait-for-database.ts';
import { watchCauses } from '../src/startup/watch-causes.ts';
import { requireKeys } from '../src/subjects/operations/encrypted.ts';
import { runJobs } from './run-jobs.ts';
import { startJobs } from './runner.ts';

/** Only the jobs: a process beside the service, on the same database; there may be several. */
await runUntilStopped(async (closing) => {
  const config = readConfig();
  const log = createLogger(config.logLevel);
  await startTracing(config, log, closing);
  const db = await openSharedDatabase(config, { log, longestMs: SERVICE_WAITS_MS }, closing);
  const standby = await openStandby(config, db, log, closing);
  const { services, close } = assemble({ config, db, standby, log, simulator: findSimulator(config) });
  closing.add('services', close);
  await monitorDatabase(services, { dataDir: null, issues: true }, closing);
  watchCauses(services, closing);
  if (db.lineage.newerMigration === null) await requireKeys(db, config.certificateKeys);
  await serveMetrics(services, closing);
  const jobs = await runJobs(services, () => startJobs(services, fail), fail);
  closing.add('jobs', () => jobs.stop());
  log.info('working');
  return log;
});
