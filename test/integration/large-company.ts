import type pg from 'pg';
import { issueMany } from '../bench/many-invoices.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { issueWith } from '../support/invoices/corrections.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';

/** A service with a company that has issued many invoices, and a connection as the owner of the database. */
export type LargeCompany = {
  readonly service: TestService;
  readonly client: pg.PoolClient;
  readonly environmentId: number;
  close(): Promise<void>;
};

export async function largeCompany(invoices: number): Promise<LargeCompany> {
  const service = await testService();
  const { id: invoiceId } = await issueWith(service, aCompleteInvoice(), 'live');
  const company = await createCompany(service.db, { nif: companyNif(5_001) });
  const model = { environmentId: service.company.live.environmentId, invoiceId };
  await issueMany(service.db.pool, { model, companies: [company], count: invoices });
  const client = await service.owner.connect();
  return {
    ...{ service, client, environmentId: company.live.environmentId },
    async close() {
      client.release();
      await service.close();
    },
  };
}
