import { collectDefaultMetrics, Gauge, Registry, register } from 'prom-client';
import type { Db } from '../../ground/db/client.ts';
import type { Standby } from '../../ground/db/standby/standby.ts';
import { diskSpace } from '../../ground/lib/disk-space.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { coalesce } from '../../ground/lib/single-flight.ts';
import { createGauges } from './gauges.ts';
import { metricsText } from './metrics-text.ts';
import type { CauseSources } from './standing-causes.ts';

collectDefaultMetrics();

/** The media type of the result of `createExposition`. */
export const EXPOSITION_TYPE = register.contentType;

type Observed = {
  readonly config: { readonly software: { readonly version: string }; readonly dataDir: string };
  readonly db: Pick<Db, 'pool' | 'lineage' | 'writes'>;
  readonly standby: Standby | null;
  readonly certificates: CauseSources['certificates'];
  readonly log: Logger;
};

/**
 * The metrics of a process in Prometheus' text format: those of the process itself, and those of the database,
 * which are the same in all processes.
 */
export function createExposition({
  config,
  db,
  standby,
  certificates,
  log,
}: Observed): () => Promise<string> {
  const gauges = createGauges({ db, certificates });
  const own = ownGauges(config.software.version, config.dataDir, db, standby);
  // Monitoring a process matters most when its database is unavailable: one that is known not to answer is not waited for.
  const figures = async () => {
    if (db.lineage.away !== null) return '';
    return gauges().catch((error: Error) => {
      log.warn({ reason: error.message }, 'the figures of /metrics cannot be read');
      return '';
    });
  };
  // A scrape during another one waits for the next result, shared with all others: it takes some milliseconds.
  return coalesce(
    async () => `${await metricsText(register)}\n${await metricsText(own)}\n${await figures()}`,
  );
}

/** Metrics of this process that are read, not counted. */
function ownGauges(
  version: string,
  dataDir: string,
  { pool, lineage, writes }: Observed['db'],
  standby: Observed['standby'],
): Registry {
  const registry = new Registry();
  const registers = [registry];
  const build = { name: 'lacre_build_info', help: 'Always 1; the label is the running version.' };
  new Gauge({ ...build, labelNames: ['version'], registers }).labels(version).set(1);
  new Gauge({
    name: 'lacre_database_connections',
    help: 'Connections of this process, and the requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.labels('idle').set(pool.idleCount);
      this.labels('busy').set(pool.totalCount - pool.idleCount);
      this.labels('awaited').set(pool.waitingCount);
    },
  });
  new Gauge({
    name: 'lacre_database_reachable',
    help: 'Whether the database answered the last check of this process; it checks every second.',
    registers,
    collect() {
      this.set(lineage.away === null ? 1 : 0);
    },
  });
  standbyGauges(registers, standby);
  new Gauge({
    name: 'lacre_writes_refused',
    help: 'Whether the database accepts only reads, by reason: 1 while it does. Alarm above 0.',
    labelNames: ['reason'],
    registers,
    collect() {
      for (const reason of ['disk_full', 'read_only'] as const) {
        this.labels(reason).set(writes.refused === reason ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'lacre_data_disk_free_bytes',
    help: 'Free space of the disk under DATA_DIR, which holds the service’s own Postgres.',
    registers,
    async collect() {
      const space = await diskSpace(dataDir);
      if (space !== null) this.set(space.freeBytes);
    },
  });
  return registry;
}

function standbyGauges(registers: Registry[], standby: Observed['standby']): void {
  new Gauge({
    name: 'lacre_standby_usable',
    help: 'Whether the standby of DATABASE_READ_URL answers reads: 1 or 0; absent without one.',
    registers,
    collect() {
      if (standby !== null) this.set(standby.isUsable ? 1 : 0);
      else this.remove();
    },
  });
  new Gauge({
    name: 'lacre_standby_lag_seconds',
    help: 'Delay of the standby behind the primary, also while it receives nothing; absent while it is unavailable.',
    registers,
    collect() {
      const lag = standby?.lagSeconds ?? null;
      if (lag === null) this.remove();
      else this.set(lag);
    },
  });
}
