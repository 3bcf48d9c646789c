import type { Services } from '../src/services.ts';

type Running = { stop(): Promise<void> };

/**
 * Runs what `start` starts until stopped, except while the database has been migrated by a newer version with which this one cannot work.
 * `onEnd` is called if that ends by itself, which only happens after a serious error.
 */
export async function runJobs(
  { db: { lineage }, log }: Pick<Services, 'db' | 'log'>,
  start: () => Promise<Running>,
  onEnd: () => void,
): Promise<Running> {
  let running: Running | null = null;
  let isStopping = false;
  const follow = async () => {
    const mayRun = !isStopping && lineage.newerMigration === null;
    if (mayRun) running ??= await start();
    else {
      await running?.stop();
      running = null;
    }
  };
  // One change after the other.
  let last = follow();
  lineage.onSchema(() => {
    last = last.then(follow).catch((err: unknown) => {
      log.fatal({ err }, 'the jobs cannot follow the schema of the database');
      onEnd();
    });
  });
  await last;
  return {
    async stop() {
      isStopping = true;
      last = last.then(follow);
      await last;
    },
  };
}
