import type { Task } from 'graphile-worker';
import { Histogram } from 'prom-client';
import { statementsOf } from '../src/db/statement-time.ts';
import { isRefusedWrite } from '../src/db/write-state.ts';
import { type LogFields, withLogFields } from '../src/lib/log-context.ts';
import type { Logger } from '../src/lib/logger.ts';
import { inSpan, readTraceParent } from '../src/lib/tracing.ts';
import { TRACE_FIELD } from '../src/queue/enqueue.ts';
import type { TaskName } from '../src/queue/tasks.ts';

const runs = new Histogram({
  name: 'lacre_job_duration_seconds',
  help: 'Time that jobs ran for, by what became of them. Failed: of our own trouble; the queue tries it again.',
  labelNames: ['task', 'outcome'],
  // From clearing nothing away up to an agency that hangs (the limits of aeat/transport.ts).
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
});

/** What a payload may say for the log; everything in one is an id of ours, but not everything is needed. */
const TOLD = ['environmentId', 'chainId', 'invoiceId'];

/**
 * The task, told of: all that it logs names the job, its task and chain; it is measured; and where traces are kept it
 * runs in the trace of whatever added it.
 */
export function watched(name: TaskName, task: Task, log: Logger): Task {
  return async (given, helpers) => {
    const { [TRACE_FIELD]: trace, ...payload } = given as Record<string, unknown>;
    const { id, attempts } = helpers.job;
    const told = Object.fromEntries(
      Object.entries(payload).filter(([key]) => TOLD.includes(key)),
    ) as LogFields;
    const attributes = {
      'messaging.operation.type': 'process',
      'lacre.task': name,
      'lacre.job_id': String(id),
      ...(told['environmentId'] === undefined ? {} : { 'lacre.environment_id': told['environmentId'] }),
      ...(told['chainId'] === undefined ? {} : { 'lacre.chain_id': told['chainId'] }),
    };
    const options = { kind: 'consumer', parent: readTraceParent(trace), attributes } as const;
    return withLogFields({ job: String(id), task: name, ...told }, () =>
      inSpan(`job ${name}`, options, async () => {
        const start = performance.now();
        const note = (outcome: 'done' | 'failed') => {
          const milliseconds = Math.round(performance.now() - start);
          runs.labels(name, outcome).observe(milliseconds / 1_000);
          return { attempt: attempts, milliseconds };
        };
        try {
          const result = await statementsOf('job', async () => task(payload, helpers));
          log.debug(note('done'), 'job done');
          return result;
        } catch (error) {
          // That no writes are taken has been said; the job is tried again once they are.
          log[isRefusedWrite(error) ? 'debug' : 'error']({ err: error, ...note('failed') }, 'job failed');
          throw error;
        }
      }),
    );
  };
}
