import type pg from 'pg';
import { type TestService, testService } from '../support/http/http-service.ts';
import { companiesWithHistory } from '../support/invoices/companies-with-history.ts';

/** A service with a company that has issued many invoices, and a connection as the owner of the database. */
export type LargeCompany = {
  readonly service: TestService;
  readonly client: pg.PoolClient;
  readonly environmentId: number;
  close(): Promise<void>;
};

export async function largeCompany(invoices: number): Promise<LargeCompany> {
  const service = await testService();
  const [company] = await companiesWithHistory(service, { companies: 1, invoices });
  const client = await service.owner.connect();
  return {
    ...{ service, client, environmentId: company!.live.environmentId },
    async close() {
      client.release();
      await service.close();
    },
  };
}
