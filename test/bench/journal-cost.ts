import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tidyUp } from './audit.ts';
import type { Pace } from './drive.ts';
import { issueOne, issueRequest } from './invoice.ts';
import type { HttpLoad } from './programs/http-load.ts';
import { type Round, runRound } from './round.ts';
import { createCompanies, startService, type Workspace } from './workspace.ts';

/** What issuing loses by the journal, for one company and spread over many. */
export type JournalCost = readonly {
  readonly name: string;
  /** Per round and side: invoices a second, and processor milliseconds of service and Postgres for one invoice. */
  readonly with: readonly Side[];
  readonly without: readonly Side[];
}[];

type Side = { readonly perSecond: number; readonly cpuMs: number | null };

/** Wanted at least: issuing with the journal ÷ without. */
const WANTED = 0.85;

const COMPANIES = 200;
const WITHOUT = pathToFileURL(join(import.meta.dirname, 'programs/without-journal.ts')).href;

/** Loads a service and one from which the journal's part was taken out in turn, each on a database of its own. */
export async function journalCost(
  workspace: Workspace,
  { pace, rounds, print }: { pace: Pace; rounds: number; print: (line: string) => void },
): Promise<JournalCost> {
  const sides = {
    with: await side(workspace, 'with_journal', []),
    without: await side(workspace, 'without_journal', [WITHOUT]),
  };
  const found: { name: string; with: Side[]; without: Side[] }[] = [];
  for (const [name, companies] of [
    ['one company', 1],
    [`spread over ${COMPANIES} companies`, COMPANIES],
  ] as const) {
    const benchmark = { name, with: [] as Side[], without: [] as Side[] };
    for (let round = 0; round < rounds; round++) {
      for (const which of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        const { service, db, keys } = sides[which];
        await tidyUp(db.pool);
        const requests = keys.slice(0, companies).map(issueRequest);
        const load: HttpLoad = { ...pace, port: service.port, requests, expectedStatus: 201 };
        const watched = { serverPid: service.pid, postgresPid: workspace.postgresPid };
        const measured = await runRound('http-load', load, watched);
        benchmark[which].push({ perSecond: measured.perSecond, cpuMs: cpuMsOf(measured) });
        print(`${name}, ${which} the journal: ${measured.perSecond.toFixed(0)} invoices/s`);
      }
    }
    found.push(benchmark);
  }
  for (const { service, entries, issued } of Object.values(sides)) {
    await service.stop();
    await entries(issued);
  }
  return found;
}

async function side(workspace: Workspace, name: string, imports: readonly string[]) {
  const { url, db } = await workspace.database(name);
  const service = await startService(workspace, url, { jobs: 'outside', profile: null, imports });
  const companies = await createCompanies(db, COMPANIES);
  const keys = companies.map(({ live }) => live.key);
  // Asks the census, which is then remembered.
  await issueOne(service.baseUrl, keys[0]!);
  const issued = imports.length === 0;
  /** Whether what was issued stands in the journal, or nothing of it. */
  const entries = async (wanted: boolean) => {
    const { rows } = await db.pool.query<{ written: number; invoices: number }>(
      `select (select count(*)::int from journal_entry where type = 'invoice.issued') as written,
              (select count(*)::int from invoice) as invoices`,
    );
    const { written, invoices } = rows[0]!;
    if (written !== (wanted ? invoices : 0))
      throw new Error(`${name}: ${written} entries of ${invoices} invoices`);
  };
  return { service, db, keys, entries, issued };
}

function cpuMsOf({ inWindow, cpu: { server, postgres } }: Round): number | null {
  return server === null || postgres === null ? null : (1_000 * (server + postgres)) / inWindow;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

export function journalCostLines(found: JournalCost | null): string[] {
  if (found === null) return [];
  return [
    '',
    'issuing with the journal ÷ without: the same program, from which the journal’s part was taken out (nothing hashed, nothing',
    'appended, nobody woken); each on a database of its own, in turn; medians of the rounds',
    ...found.map((benchmark) => {
      const speed = (which: 'with' | 'without') => median(benchmark[which].map(({ perSecond }) => perSecond));
      const cpu = (which: 'with' | 'without') =>
        median(benchmark[which].map(({ cpuMs }) => cpuMs ?? Number.NaN));
      const ratio = speed('with') / speed('without');
      const result = `wanted ${WANTED} or more: ${ratio >= WANTED ? 'reached' : 'MISSED'}`;
      return (
        `  ${benchmark.name.padEnd(28)} ${speed('with').toFixed(0)} ÷ ${speed('without').toFixed(0)} a second = ` +
        `${ratio.toFixed(2)}   (${result}); processor ms of an invoice ${cpu('with').toFixed(2)} and ` +
        `${cpu('without').toFixed(2)}, ratio ${(cpu('without') / cpu('with')).toFixed(2)}`
      );
    }),
  ];
}
