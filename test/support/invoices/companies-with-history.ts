import { companyNif } from '../agency/registration.ts';
import type { TestService } from '../http/http-service.ts';
import { createCompany, type TestCompany } from './company.ts';
import { issueWith } from './corrections.ts';
import { aCompleteInvoice } from './invoices.ts';
import { issueMany } from './many-invoices.ts';

/** Companies that share so many invoices of the last year, all like one that the service really issued. */
export async function companiesWithHistory(
  service: TestService,
  {
    companies: count,
    invoices,
    nameOf,
  }: {
    readonly companies: number;
    readonly invoices: number;
    /** The recipient of each, as `issueMany` has it. */
    readonly nameOf?: (index: number) => string;
  },
): Promise<TestCompany[]> {
  const { id: invoiceId } = await issueWith(service, aCompleteInvoice(), 'live');
  const companies: TestCompany[] = [];
  for (let n = 1; n <= count; n += 1)
    companies.push(await createCompany(service.db, { nif: companyNif(5_000 + n) }));
  const model = { environmentId: service.company.live.environmentId, invoiceId };
  await issueMany(service.db.pool, { model, companies, count: invoices, ...(nameOf && { nameOf }) });
  return companies;
}
