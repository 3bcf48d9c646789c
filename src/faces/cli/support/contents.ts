import { arch, cpus, release, totalmem } from 'node:os';
import { shownCommandSettings } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { migrationState, serverVersion } from '../../../ground/db/server.ts';
import { firstRows, listChains } from '../../../subjects/operations/store/read-lists.ts';
import {
  countsForSupport,
  errorsOfJobs,
  genericPlan,
  serverForSupport,
  slowestStatements,
} from '../../../subjects/operations/store/read-support.ts';
import {
  documentsWaiting,
  failuresByCause,
  queueHealth,
} from '../../../subjects/operations/store/read-views.ts';
import type { Finding } from '../doctor/finding.ts';
import { plainWords } from './plain-words.ts';

/** What a bundle for support holds: a file each. Nothing in them is of a person, and nothing is secret. */

const CHAINS = 500;

type Source = {
  readonly version: string;
  /** Null if it does not answer. */
  readonly db: Db | null;
  readonly findings: () => AsyncIterable<Finding>;
};

type Part = { readonly holds: string; readonly read: (source: Source) => Promise<unknown> };

/** Of the database; without one that answers only the reason is there. */
const ofDatabase = (read: (db: Db) => Promise<unknown>) => async (source: Source) => {
  if (source.db === null) return { missing: 'the database does not answer' };
  try {
    return await read(source.db);
  } catch (error) {
    return { missing: plainWords(String(error)) };
  }
};

export const PARTS: Readonly<Record<string, Part>> = {
  'versions.json': {
    holds: 'versions of Lacre, Node, Postgres and the system, and the migrations',
    read: async (source) => ({
      lacre: source.version,
      node: process.versions.node,
      system: `${process.platform} ${release()} ${arch()}`,
      processors: cpus().length,
      memoryBytes: totalmem(),
      database: await ofDatabase(async ({ pool }) => {
        const { migrations, newest } = await migrationState(pool);
        return { ...(await serverVersion(pool)), migrations, newest };
      })(source),
    }),
  },
  'settings.json': {
    holds: 'settings: values that are numbers or one of a few words; of all others only whether they are set',
    read: async () => shownCommandSettings(),
  },
  'doctor.json': {
    holds: 'what doctor finds, in words that name nobody',
    async read({ findings }) {
      const found: object[] = [];
      for await (const { check, result, summary, remediation } of findings())
        found.push({
          ...{ check: plainWords(check), result, summary: plainWords(summary) },
          remediation: remediation && plainWords(remediation),
        });
      return found;
    },
  },
  'queues.json': {
    holds: 'jobs, chains, records, deliveries and e-mails: what waits and failed, in numbers and codes',
    read: ofDatabase(async ({ pool }) => ({
      queue: await queueHealth(pool),
      chains: (await firstRows(listChains(pool, { troubled: true }), CHAINS)).map(
        ({ legalName: _name, installationNumber: _number, comparison, ...chain }) => ({
          ...chain,
          stoppedReason: chain.stoppedReason && plainWords(chain.stoppedReason),
          pausedReason: chain.pausedReason && 'by an operator',
          comparison: comparison && {
            ...comparison,
            trouble: comparison.trouble && plainWords(comparison.trouble),
          },
        }),
      ),
      failures: (await failuresByCause(pool)).map((failure) => ({
        ...failure,
        cause: plainWords(failure.cause),
      })),
      documents: await documentsWaiting(pool),
      ...(await countsForSupport(pool)),
    })),
  },
  'errors.json': {
    holds: 'the last errors of jobs, in words that name nobody',
    read: ofDatabase(async ({ pool }) =>
      (await errorsOfJobs(pool)).map((job) => ({ ...job, error: plainWords(job.error) })),
    ),
  },
  'postgres.json': {
    holds: 'settings, sizes of tables, sessions and archiving of Postgres',
    read: ofDatabase(({ pool }) => serverForSupport(pool)),
  },
  'statements.json': {
    holds: 'the slowest statements with their plans, without values, if pg_stat_statements is installed',
    read: ofDatabase(async ({ pool }) => {
      const found = await slowestStatements(pool);
      if (found === null) return { missing: 'pg_stat_statements is not installed' };
      const statements: object[] = [];
      for (const { query, ...figures } of found)
        statements.push({
          ...figures,
          query: withoutTexts(query),
          plan: (await genericPlan(pool, query))?.map(withoutTexts) ?? null,
        });
      return statements;
    }),
  },
};

/** Values were replaced by Postgres already; what it leaves is in quotes. */
const withoutTexts = (sql: string): string => sql.replaceAll(/'(?:[^']|'')*'/g, "'…'");
