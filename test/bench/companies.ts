import { companyNif } from '../support/agency/registration.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import type { Pace } from './drive.ts';
import { issueOne, issueRequest } from './invoice.ts';
import { memoryMiB } from './processes.ts';
import type { HttpLoad } from './programs/http-load.ts';
import { runRound } from './round.ts';
import { startService, type Workspace } from './workspace.ts';

/** Resident memory of a process, in MiB, after as many invoices of few companies and then of many, in turn. */
export type CompaniesMemory = {
  readonly few: number;
  readonly many: number;
  readonly fewMiB: number | null;
  readonly manyMiB: number | null;
};

const FEW = 100;
/** Each of the many issues more than once on the way. */
const INVOICES_EACH = 2;

/** Issues by turns for few companies and then for `many`: what a process keeps of a company would show. */
export async function memoryOfCompanies(
  workspace: Workspace,
  { pace, many, print }: { pace: Pace; many: number; print: (line: string) => void },
): Promise<CompaniesMemory> {
  const { url, db } = await workspace.database('companies');
  const service = await startService(workspace, url, { jobs: 'outside', profile: null });
  const companies: TestCompany[] = [];
  for (let n = 1; n <= many; n++) companies.push(await createCompany(db, { nif: companyNif(n) }));
  print(`companies: ${many} are there`);
  // Asks the census, which is then remembered.
  await issueOne(service.baseUrl, companies[0]!.live.key);
  const after = async (chosen: readonly TestCompany[]) => {
    const requests = chosen.map(({ live }) => issueRequest(live.key));
    let invoices = 0;
    while (invoices < many * INVOICES_EACH) {
      // A round begins with whom the last one did not reach.
      const from = invoices % requests.length;
      const turns = [...requests.slice(from), ...requests.slice(0, from)];
      const load: HttpLoad = { ...pace, port: service.port, requests: turns, expectedStatus: 201 };
      invoices += (
        await runRound('http-load', load, { serverPid: service.pid, postgresPid: workspace.postgresPid })
      ).done;
    }
    const now = memoryMiB(service.pid)?.now ?? null;
    print(`companies: ${chosen.length} in turn: ${now?.toFixed(0)} MiB`);
    return now;
  };
  const few = Math.min(FEW, many);
  const fewMiB = await after(companies.slice(0, few));
  const manyMiB = await after(companies);
  await service.stop();
  return { few, many, fewMiB, manyMiB };
}
