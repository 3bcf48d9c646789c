import type { Db } from '../../../src/ground/db/client.ts';
import type { Queryable } from '../../../src/ground/db/queryable.ts';
import { inTransaction } from '../../../src/ground/db/transaction.ts';
import { isRefusal } from '../../../src/ground/errors/refusal.ts';
import * as companies from '../../../src/subjects/accounts/companies.ts';
import type { CompanyFlags } from '../../../src/subjects/accounts/flags.ts';
import { createApiKey } from '../../../src/subjects/accounts/keys.ts';
import { isSpanishNif } from '../../../src/subjects/tax-ids/spanish-nif.ts';

export type TestEnvironment = companies.NewEnvironment & {
  readonly key: string;
  readonly standardSeriesId: string;
  readonly rectifyingSeriesId: string;
};

export type TestCompany = {
  readonly companyId: string;
  readonly accountId: string;
  readonly test: TestEnvironment;
  readonly live: TestEnvironment;
};

export type CompanyOptions = Partial<companies.CompanyInput> & CompanyFlags;

/**
 * A company that may do everything, with a key for each environment, unless the options say otherwise. The first one has
 * the usual NIF and those after it one of their own each.
 */
export async function createCompany(db: Db, options: CompanyOptions = {}): Promise<TestCompany> {
  const { mandateApproved = true, onboardingFinished = true, subscriptionActive = true, ...given } = options;
  return inTransaction(db.pool, async (client) => {
    const created = await companies.createCompany(client, {
      nif: await freeNif(client),
      legalName: 'Talleres Ñandú SL',
      address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid' },
      ...given,
    });
    if (isRefusal(created)) throw new Error(created.detail);
    const flags = { mandateApproved, onboardingFinished, subscriptionActive };
    await companies.setCompanyFlags(client, created.companyId, flags);
    const withKey = async (environment: 'test' | 'live'): Promise<TestEnvironment> => {
      const owner = { environmentId: created[environment].environmentId, environment, name: 'test' };
      const { standardSeriesId, rectifyingSeriesId } = created[environment];
      return {
        ...created[environment],
        ...{ standardSeriesId: standardSeriesId!, rectifyingSeriesId: rectifyingSeriesId! },
        key: (await createApiKey(client, owner)).key,
      };
    };
    return {
      companyId: created.companyId,
      accountId: created.accountId,
      test: await withKey('test'),
      live: await withKey('live'),
    };
  });
}

/** Above all numbers that tests choose themselves. */
const FIRST_OWN = 8_000_000;

async function freeNif(client: Queryable): Promise<string> {
  // Of two tests that create one at a time the second waits for what the first has created.
  await client.query("select pg_advisory_xact_lock(hashtext('companies of tests'))");
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from company');
  if (rows[0]!.count === 0) return 'B72877814';
  const digits = FIRST_OWN + rows[0]!.count;
  return Array.from({ length: 10 }, (_, control) => `B${digits}${control}`).find(isSpanishNif)!;
}
