import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { createCompany as createIssuer, setCompanyFlags } from '../../src/subjects/accounts/companies.ts';
import { createAuthenticator } from '../../src/subjects/accounts/entry/authenticate.ts';
import { checkGates } from '../../src/subjects/accounts/gates.ts';
import { createApiKey, createOperatorKey, keyHash, revokeKey } from '../../src/subjects/accounts/keys.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { createCompany } from '../support/invoices/company.ts';

const SECRET = Buffer.alloc(32);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const bearer = (key: string) => `Bearer ${key}`;

describe('a key', () => {
  test('is stored as a hash only, with a prefix by which people recognise it', async () => {
    const { live } = await createCompany(database.db);
    const owner = { environmentId: live.environmentId, environment: 'live', name: 'shop' } as const;
    const created = await createApiKey(database.db.pool, owner);
    expect(created.key).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/);
    const { rows } = await database.db.pool.query('select * from api_key where id = $1', [created.id]);
    expect(rows[0]).toMatchObject({ prefix: created.key.slice(0, 14), hash: keyHash(created.key) });
    expect(JSON.stringify(rows[0])).not.toContain(created.key.slice(14));
  });

  test('names its environment truthfully', async () => {
    const { test } = await createCompany(database.db);
    const owner = { environmentId: test.environmentId, environment: 'live', name: 'wrong' } as const;
    await expect(createApiKey(database.db.pool, owner)).rejects.toThrow(/no live environment/);
  });

  test('opens the environment it belongs to, with what issuing needs to know', async () => {
    const { companyId, accountId, test, live } = await createCompany(database.db);
    const authenticator = createAuthenticator(database.db, { all: [SECRET] });
    expect(await authenticator.merchant(bearer(live.key))).toMatchObject({
      kind: 'merchant',
      environmentId: live.environmentId,
      environment: 'live',
      accountId,
      companyId,
      keyPrefix: live.key.slice(0, 14),
      issuer: {
        nif: expect.stringMatching(/^B\d{8}$/),
        legalName: 'Talleres Ñandú SL',
        line1: 'Calle Mayor 1',
        line2: null,
        postalCode: '28001',
        city: 'Madrid',
        country: 'ES',
      },
      gates: { mandateApproved: true, onboardingFinished: true, subscriptionActive: true },
      openChainId: live.chainId,
      severalBillings: false,
      standardSeries: { id: live.standardSeriesId, prefix: 'F', yearly: true },
      rectifyingSeries: { id: live.rectifyingSeriesId, prefix: 'R', yearly: true },
    });
    const inTest = await authenticator.merchant(`bearer   ${test.key} `);
    expect(inTest).toMatchObject({ environment: 'test', openChainId: test.chainId });
  });

  test('is known for its environment once it was valid, and nothing else is', async () => {
    const { live, test } = await createCompany(database.db);
    const authenticator = createAuthenticator(database.db, { all: [SECRET] });
    const unknown = `Bearer sk_live_${'x'.repeat(40)}`;
    for (const tried of [bearer(live.key), unknown, undefined]) {
      expect(authenticator.knownOwner(tried)).toBeNull();
      await authenticator.merchant(tried);
    }
    expect(authenticator.knownOwner(bearer(live.key))).toBe(live.environmentId);
    for (const other of [bearer(test.key), unknown, undefined]) {
      expect(authenticator.knownOwner(other)).toBeNull();
    }
  });

  test('stops working at once when it is revoked', async () => {
    const { live } = await createCompany(database.db);
    const authenticator = createAuthenticator(database.db, { all: [SECRET] });
    const caller = await authenticator.merchant(bearer(live.key));
    expect(await revokeKey(database.db.pool, caller?.keyId ?? '')).toBe(true);
    expect(await authenticator.merchant(bearer(live.key))).toBeNull();
    expect(await revokeKey(database.db.pool, caller?.keyId ?? '')).toBe(true);
    expect(await revokeKey(database.db.pool, 'key_unknown')).toBe(false);
  });

  test("of an operator authenticates operators only, a merchant's merchants only", async () => {
    const { live } = await createCompany(database.db);
    const operator = await createOperatorKey(database.db.pool, 'Ada');
    const authenticator = createAuthenticator(database.db, { all: [SECRET] });
    expect(await authenticator.operator(bearer(operator.key))).toMatchObject({
      kind: 'operator',
      name: 'Ada',
    });
    expect(await authenticator.operator(bearer(live.key))).toBeNull();
    expect(await authenticator.merchant(bearer(operator.key))).toBeNull();
    await revokeKey(database.db.pool, operator.id);
    expect(await authenticator.operator(bearer(operator.key))).toBeNull();
  });

  test('that is no key costs the database nothing', async () => {
    const authenticator = createAuthenticator(database.db, { all: [SECRET] });
    const query = vi.spyOn(database.db.pool, 'query');
    const { live } = await createCompany(database.db);
    query.mockClear();
    for (const header of [
      undefined,
      '',
      'Bearer',
      live.key,
      `Basic ${live.key}`,
      `Bearer ${live.key}x`,
      `Bearer ${live.key.slice(0, -1)}`,
      `Bearer ${live.key} ${live.key}`,
      `Bearer sk_live_${'é'.repeat(43)}`,
      `Bearer ${'x'.repeat(100_000)}`,
    ]) {
      expect(await authenticator.merchant(header)).toBeNull();
    }
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
  });
});

// Two rounds. Where environments are divided: the environments of the keys, and each of the three by itself.
test.each([
  { where: 'on one server', divided: false, queries: 2 },
  { where: 'where environments are divided', divided: true, queries: 2 * (1 + 3) },
])(
  'requests that arrive together share queries $where, and each gets its own answer',
  async ({ divided, queries }) => {
    const [first, second] = [await createCompany(database.db), await createCompany(database.db)];
    const keys = [first.live.key, second.live.key, second.test.key, `sk_live_${'A'.repeat(43)}`];
    const lineage = { divided } as typeof database.db.lineage;
    const authenticator = createAuthenticator({ pool: database.db.pool, lineage }, { all: [SECRET] });
    const query = vi.spyOn(database.db.pool, 'query');
    const lookUp = (index: number) => authenticator.merchant(bearer(keys[index % keys.length] ?? ''));
    const early = Array.from({ length: 40 }, (_, index) => lookUp(index));
    await new Promise(setImmediate);
    const late = Array.from({ length: 40 }, (_, index) => lookUp(index));
    const found = await Promise.all([...early, ...late]);
    expect(query).toHaveBeenCalledTimes(queries);
    query.mockRestore();
    for (const [index, caller] of found.entries()) {
      const expected = [first.live, second.live, second.test, null][index % keys.length];
      expect(caller?.environmentId).toBe(expected?.environmentId);
    }
  },
);

test('a failed query fails all who waited for it, and no later request', async () => {
  const { live } = await createCompany(database.db);
  const authenticator = createAuthenticator(database.db, { all: [SECRET] });
  const query = vi.spyOn(database.db.pool, 'query').mockImplementationOnce(() => {
    throw new Error('connection lost');
  });
  await expect(authenticator.merchant(bearer(live.key))).rejects.toThrow('connection lost');
  expect(await authenticator.merchant(bearer(live.key))).not.toBeNull();
  query.mockRestore();
});

describe('the account gates', () => {
  test.each([
    [{}, null],
    [{ subscriptionActive: false }, 'no_active_subscription'],
    [{ mandateApproved: false }, 'aeat_mandate_not_approved'],
    [{ onboardingFinished: false }, 'aeat_mandate_not_approved'],
    [{ onboardingFinished: false, subscriptionActive: false }, 'aeat_mandate_not_approved'],
    [{ mandateApproved: false, subscriptionActive: false }, 'aeat_mandate_not_approved'],
  ])('with %j refuse live with %s and let test pass', async (flags, code) => {
    const { test, live } = await createCompany(database.db, flags);
    const authenticator = createAuthenticator(database.db, { all: [SECRET] });
    const caller = await authenticator.merchant(bearer(live.key));
    expect(checkGates(caller!)?.code ?? null).toBe(code);
    const tester = await authenticator.merchant(bearer(test.key));
    expect(checkGates(tester!)).toBeNull();
  });

  test('open and close from one request to the next', async () => {
    const { companyId, live } = await createCompany(database.db, { mandateApproved: false });
    const authenticator = createAuthenticator(database.db, { all: [SECRET] });
    const gates = async () => (await authenticator.merchant(bearer(live.key)))?.gates;
    await setCompanyFlags(database.db.pool, companyId, { mandateApproved: true, subscriptionActive: false });
    expect(await gates()).toEqual({
      mandateApproved: true,
      onboardingFinished: true,
      subscriptionActive: false,
    });
    await setCompanyFlags(database.db.pool, companyId, { onboardingFinished: false });
    expect(await gates()).toEqual({
      mandateApproved: true,
      onboardingFinished: false,
      subscriptionActive: false,
    });
    expect(await setCompanyFlags(database.db.pool, 'co_unknown', { mandateApproved: true })).toBe(false);
  });
});

describe('a company', () => {
  const address = { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid' };
  const create = (input: Record<string, unknown>) =>
    inTransaction(database.db.pool, (client) =>
      createIssuer(client, { nif: 'B72877814', legalName: 'Uno SL', address, ...input }),
    );

  test('is created with both environments, their series, a chain with its own number for each, and its catalog', async () => {
    const { companyId } = await createCompany(database.db);
    const environments = await database.db.prisma.environment.findMany({
      where: { companyId },
      include: { series: { include: { defaultFor: true } }, chains: { include: { dispatch: true } } },
    });
    expect(environments.map(({ kind }) => kind).sort()).toEqual(['live', 'test']);
    for (const { series, chains } of environments) {
      expect(
        series
          .map(({ prefix, type, yearly, defaultFor }) => [prefix, type, yearly, defaultFor.length])
          .sort(),
      ).toEqual([
        ['F', 'standard', true, 1],
        ['R', 'rectifying', true, 1],
      ]);
      expect(chains).toHaveLength(1);
      expect(chains[0]).toMatchObject({ lastPosition: 0, lastRecordId: null, dispatch: { stoppedAt: null } });
    }
    const numbers = environments.map(({ chains }) => chains[0]?.installationNumber);
    expect(new Set(numbers).size).toBe(2);
    expect(await database.db.prisma.taxCatalogEntry.count({ where: { companyId } })).toBe(13);
  });

  test.each([
    ['nif', { nif: 'B72877815' }],
    ['nif', { nif: 'PL5260250274' }],
    ['legalName', { legalName: 'x'.repeat(121) }],
    ['address.city', { address: { ...address, city: '' } }],
    ['address.country', { address: { ...address, country: 'Spain' } }],
    ['legal_name', { legal_name: 'Uno SL' }],
    ['accountId', { accountId: 'acc_unknown', nif: companyNif(6_001) }],
  ])('with a wrong %s is refused: %j', async (field, input) => {
    const count = () => database.db.prisma.account.count();
    const before = await count();
    expect(await create(input)).toMatchObject({ code: 'invalid_request', errors: [{ field }] });
    expect(await count()).toBe(before);
  });

  test('may give its NIF in common notations', async () => {
    const [, letter, digits] = /^(.)(.+)$/.exec(companyNif(6_002))!;
    const written = `${letter!.toLowerCase()}-${digits!.slice(0, 2)}.${digits!.slice(2, 5)}.${digits!.slice(5)}`;
    expect(await create({ nif: written })).toHaveProperty('companyId');
  });

  test('is marked as one of several companies once its account has another', async () => {
    const first = await createCompany(database.db);
    const authenticator = createAuthenticator(database.db, { all: [SECRET] });
    const several = async (key: string) => (await authenticator.merchant(bearer(key)))?.severalBillings;
    expect(await several(first.live.key)).toBe(false);
    const second = await createCompany(database.db, { accountId: first.accountId, legalName: 'Otra SL' });
    expect(await several(first.live.key)).toBe(true);
    expect(await several(second.test.key)).toBe(true);
  });
});
