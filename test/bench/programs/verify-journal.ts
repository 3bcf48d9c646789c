import { pino } from 'pino';
import { closeDb, openDb } from '../../../src/ground/db/client.ts';
import { statementsOf } from '../../../src/ground/db/statement-time.ts';
import { openSnapshot } from '../../../src/ground/db/transaction.ts';
import { verifyJournal } from '../../../src/subjects/journal/verify.ts';

/** What a process tells that has verified a journal. */
export type VerifiedJournal = {
  readonly entries: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly findings: number;
  /** Resident memory once so many entries were verified. */
  readonly memory: readonly { readonly entries: number; readonly mib: number }[];
};

/** As many at a time as the nightly verification takes. */
const BATCH = 250;

process.once('message', (task: Task) => statementsOf('maintenance', () => verify(task)));

async function verify({ databaseUrl, environmentId, marks }: Task): Promise<void> {
  const db = openDb(databaseUrl, { max: 1, log: pino({ level: 'silent' }) });
  const { client, close } = await openSnapshot(db.pool);
  const [begun, before] = [performance.now(), process.cpuUsage()];
  const memory: { entries: number; mib: number }[] = [];
  let entries = 0;
  let findings = 0;
  await verifyJournal(client, environmentId, {
    ...{ batch: BATCH, isOver: () => false },
    add: () => {
      findings += 1;
    },
    progress: (seen) => {
      entries += seen.length;
      const due = marks[memory.length];
      if (due !== undefined && entries >= due)
        memory.push({ entries, mib: process.memoryUsage.rss() / 2 ** 20 });
    },
  });
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const found: VerifiedJournal = { entries, seconds, cpuSeconds: (user + system) / 1e6, findings, memory };
  await close();
  await closeDb(db);
  process.send!(found, () => process.disconnect());
}

export type Task = {
  readonly databaseUrl: string;
  readonly environmentId: number;
  readonly marks: readonly number[];
};
