import { once } from 'node:events';
import { journalMissing } from '../support/database/journal.ts';
import { createCompany } from '../support/invoices/company.ts';
import { issueOne } from './invoice.ts';
import { issueMany } from './many-invoices.ts';
import { cpuSecondsOfFamily } from './processes.ts';
import type { Task, VerifiedJournal } from './programs/verify-journal.ts';
import { forkProgram, startService, type Workspace } from './workspace.ts';

/** Verifying the journal of one environment: how fast, and in how much memory as it goes on. */
export type VerifyingJournal = VerifiedJournal & { readonly postgresCpuSeconds: number | null };

/** Of an invoice that is issued, registered and rendered. */
const ENTRIES_OF_INVOICE = 3;
/** Wanted at least, of a second of the processor; and so much of the memory of before at most. */
const PER_CORE_SECOND = 12_000;
const MEMORY_RATIO = 1.25;

/** Makes a journal of so many entries, of invoices of one company, and verifies it in a process of its own. */
export async function verifyingJournal(
  workspace: Workspace,
  { entries, print }: { entries: number; print: (line: string) => void },
): Promise<VerifyingJournal> {
  const { url, db } = await workspace.database('verifying');
  const service = await startService(workspace, url, { jobs: 'outside', profile: null });
  const model = await createCompany(db);
  const { id: invoiceId } = await issueOne(service.baseUrl, model.live.key);
  await service.stop();
  const company = await createCompany(db);
  const { environmentId } = company.live;
  await issueMany(db.pool, {
    model: { environmentId: model.live.environmentId, invoiceId },
    companies: [company],
    count: Math.ceil(entries / ENTRIES_OF_INVOICE),
    onProgress: (done) => {
      if (done % 100_000 === 0) print(`verify: ${done} invoices made`);
    },
  });
  await journalMissing(db, environmentId);
  await db.pool.query('vacuum analyze');
  print('verify: their entries are written');
  const child = forkProgram('verify-journal');
  const before = cpuSecondsOfFamily(workspace.postgresPid);
  const task: Task = { databaseUrl: url, environmentId, marks: [0.1, 0.5, 1].map((part) => part * entries) };
  child.send(task);
  const [found] = (await once(child, 'message')) as [VerifiedJournal];
  const after = cpuSecondsOfFamily(workspace.postgresPid);
  return { ...found, postgresCpuSeconds: before === null || after === null ? null : after - before };
}

export function verifyingLines(found: VerifyingJournal | null): string[] {
  if (found === null) return [];
  const { entries, seconds, cpuSeconds, postgresCpuSeconds, findings, memory } = found;
  const all = cpuSeconds + (postgresCpuSeconds ?? 0);
  const rate = entries / all;
  const growth = (memory.at(-1)?.mib ?? 0) / (memory[0]?.mib ?? 1);
  const result = (reached: boolean) => (reached ? 'reached' : 'MISSED');
  return [
    '',
    `verifying a journal of ${entries} entries: ${findings === 0 ? 'nothing wrong' : `${findings} FINDINGS`}, ${seconds.toFixed(1)} s`,
    `  ${rate.toFixed(0)} entries for a second of processor (${cpuSeconds.toFixed(1)} s of the process, ` +
      `${postgresCpuSeconds?.toFixed(1) ?? '–'} of Postgres), ${(entries / seconds).toFixed(0)} for a second of the clock   ` +
      `(wanted ${PER_CORE_SECOND} or more: ${result(rate >= PER_CORE_SECOND)})`,
    `  memory ${memory.map((one) => `${one.mib.toFixed(0)} MiB after ${one.entries}`).join(', ')}   ` +
      `(wanted: the same, up to ${MEMORY_RATIO} times: ${result(growth <= MEMORY_RATIO)})`,
  ];
}
