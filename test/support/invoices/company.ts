import type { Db } from '../../../src/ground/db/client.ts';
import type { Queryable } from '../../../src/ground/db/queryable.ts';
import { inTransaction } from '../../../src/ground/db/transaction.ts';
import { isRefusal } from '../../../src/ground/errors/refusal.ts';
import * as companies from '../../../src/subjects/accounts/companies.ts';
import type { CompanyFlags } from '../../../src/subjects/accounts/flags.ts';
import { createApiKey } from '../../../src/subjects/accounts/keys.ts';

export type TestEnvironment = companies.NewEnvironment & { readonly key: string };

export type TestCompany = {
  readonly companyId: string;
  readonly accountId: string;
  readonly test: TestEnvironment;
  readonly live: TestEnvironment;
};

export type CompanyOptions = Partial<companies.CompanyInput> & CompanyFlags;

/** A company that may do everything, with a key for each environment, unless the options say otherwise. */
export async function createCompany(db: Db, options: CompanyOptions = {}): Promise<TestCompany> {
  const { mandateApproved = true, onboardingFinished = true, subscriptionActive = true, ...given } = options;
  const company = {
    nif: 'B72877814',
    legalName: 'Talleres Ñandú SL',
    address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid' },
    ...given,
  };
  return inTransaction(db.pool, async (client) => {
    const created = await companies.createCompany(client, {
      ...company,
      ...(await successionOf(client, company.nif)),
    });
    if (isRefusal(created)) throw new Error(created.detail);
    const flags = { mandateApproved, onboardingFinished, subscriptionActive };
    await companies.setCompanyFlags(client, created.companyId, flags);
    const withKey = async (environment: 'test' | 'live'): Promise<TestEnvironment> => {
      const owner = { environmentId: created[environment].environmentId, environment, name: 'test' };
      return { ...created[environment], key: (await createApiKey(client, owner)).key };
    };
    return {
      companyId: created.companyId,
      accountId: created.accountId,
      test: await withKey('test'),
      live: await withKey('live'),
    };
  });
}

/** Tests make companies of one NIF as they need them: each succeeds the one before. */
async function successionOf(client: Queryable, nif: string): Promise<{ succeeds?: string }> {
  // Of two tests that create one at a time the second waits for what the first has created.
  await client.query("select pg_advisory_xact_lock(hashtextextended('company of ' || $1, 0))", [nif]);
  const { rows } = await client.query<{ id: string }>(
    `select id from company where nif = $1
        and not exists (select from company after where after.succeeds_id = company.id)
      order by created_at, id limit 1`,
    [nif],
  );
  return rows[0] === undefined ? {} : { succeeds: rows[0].id };
}
