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

/** With `nameOf`, the recipient of each of its invoices, the oldest first. */
export async function largeCompany(
  invoices: number,
  { nameOf }: { readonly nameOf?: (index: number) => string } = {},
): Promise<LargeCompany> {
  const service = await testService();
  const [company] = await companiesWithHistory(service, {
    companies: 1,
    invoices,
    ...(nameOf && { nameOf }),
  });
  const client = await service.owner.connect();
  return {
    ...{ service, client, environmentId: company!.live.environmentId },
    async close() {
      client.release();
      await service.close();
    },
  };
}
