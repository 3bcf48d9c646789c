import { setTimeout as pause } from 'node:timers/promises';
import type { Task } from 'graphile-worker';
import { Histogram } from 'prom-client';
import { isRefusedWrite, type WriteState } from '../src/ground/db/condition/write-state.ts';
import { statementsOf } from '../src/ground/db/statement-time.ts';
import { type LogFields, withLogFields } from '../src/ground/lib/logger.ts';
import { inSpan, readTraceParent } from '../src/ground/lib/tracing.ts';
import { type TaskName, TRACE_FIELD } from '../src/ground/queue/tasks.ts';
import type { Services } from '../src/services.ts';

const runs = new Histogram({
  name: 'lacre_job_duration_seconds',
  help: 'Duration of jobs, by outcome. Failed: because of an internal error; the queue retries the job.',
  labelNames: ['task', 'outcome'],
  // From deleting nothing up to an agency that hangs (the limits of aeat/transport.ts).
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
});

/** Fields of a payload that are logged. All fields of payloads are ids, but not all are needed. */
const LOGGED_FIELDS = ['environmentId', 'chainId', 'invoiceId'];

const POLL_MS = 250;

/** Resolves once the database may accept writes again; rejects when the process is to stop. */
async function writesAccepted(writes: WriteState, signal: AbortSignal | undefined): Promise<void> {
  do await pause(POLL_MS, undefined, { signal });
  while (writes.refused !== null);
}

/**
 * Instruments a task: its log lines carry the job, its task and chain; its duration is measured; and if traces are recorded
 * it runs in the trace of the request that added it. While the database accepts no writes it waits, because the attempts of
 * a job and the increasing delays between them are meant for failures of the job itself.
 */
export function instrumentTask(
  name: TaskName,
  task: Task,
  { log, db: { writes } }: Pick<Services, 'log' | 'db'>,
): Task {
  return async (received, helpers) => {
    const { [TRACE_FIELD]: trace, ...payload } = received as Record<string, unknown>;
    const { id, attempts } = helpers.job;
    const logged = Object.fromEntries(
      Object.entries(payload).filter(([key]) => LOGGED_FIELDS.includes(key)),
    ) as LogFields;
    const attributes = {
      'messaging.operation.type': 'process',
      'lacre.task': name,
      'lacre.job_id': String(id),
      ...(logged['environmentId'] === undefined ? {} : { 'lacre.environment_id': logged['environmentId'] }),
      ...(logged['chainId'] === undefined ? {} : { 'lacre.chain_id': logged['chainId'] }),
    };
    const options = { kind: 'consumer', parent: readTraceParent(trace), attributes } as const;
    return withLogFields({ job: String(id), task: name, ...logged }, () =>
      inSpan(`job ${name}`, options, async () => {
        let start = performance.now();
        const note = (outcome: 'done' | 'failed') => {
          const milliseconds = Math.round(performance.now() - start);
          runs.labels(name, outcome).observe(milliseconds / 1_000);
          return { attempt: attempts, milliseconds };
        };
        for (;;) {
          try {
            const result = await statementsOf('job', async () => task(payload, helpers));
            log.debug(note('done'), 'job done');
            return result;
          } catch (error) {
            const refused = isRefusedWrite(error);
            // The refusal of writes has been logged already.
            log[refused ? 'debug' : 'error']({ err: error, ...note('failed') }, 'job failed');
            if (!refused) throw error;
            await writesAccepted(writes, helpers.abortSignal);
            start = performance.now();
          }
        }
      }),
    );
  };
}
