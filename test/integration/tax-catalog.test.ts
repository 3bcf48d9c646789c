import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { type CatalogRow, defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import { saveCatalogRow, seedTaxCatalog } from '../../src/subjects/taxes/edit-catalog.ts';
import { removeCatalogRow } from '../../src/subjects/taxes/store/catalog.ts';
import { loadTaxCatalog } from '../../src/subjects/taxes/store/read-catalog.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { createCompany } from '../support/invoices/company.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const vat = defaultTaxCatalog.get('vat')!;

describe('the tax catalog of a company', () => {
  test('is created with the default rows', async () => {
    const { companyId } = await createCompany(database.db);
    const catalog = await loadTaxCatalog(database.db, companyId);
    expect(new Map([...catalog].sort())).toEqual(new Map([...defaultTaxCatalog].sort()));
  });

  test('takes an edited row, for this company alone', async () => {
    const mine = await createCompany(database.db);
    const other = await createCompany(database.db);
    const row: CatalogRow = {
      ...vat,
      regimeKey: '07',
      legalMention: 'Régimen especial del criterio de caja',
    };
    expect(await saveCatalogRow(database.db.pool, mine.companyId, row)).toEqual(row);
    expect((await loadTaxCatalog(database.db, mine.companyId)).get('vat')).toEqual(row);
    expect((await loadTaxCatalog(database.db, other.companyId)).get('vat')).toEqual(vat);
  });

  test('refuses a row that the agency would reject, and keeps the one it has', async () => {
    const { companyId } = await createCompany(database.db);
    const outcome = await saveCatalogRow(database.db.pool, companyId, { ...vat, regimeKey: '06' });
    expect(isRefusal(outcome) && [outcome.code, outcome.errors[0]?.field]).toEqual([
      'invalid_request',
      'regimeKey',
    ]);
    expect((await loadTaxCatalog(database.db, companyId)).get('vat')).toEqual(vat);
  });

  test('loses a row, gets it back, and is not reset by seeding again', async () => {
    const { companyId } = await createCompany(database.db);
    expect(await removeCatalogRow(database.db.pool, companyId, 'igic')).toBe(true);
    expect(await removeCatalogRow(database.db.pool, companyId, 'igic')).toBe(false);
    expect((await loadTaxCatalog(database.db, companyId)).has('igic')).toBe(false);
    await saveCatalogRow(database.db.pool, companyId, { ...vat, label: 'I.V.A.' });
    await seedTaxCatalog(database.db.pool, companyId);
    const catalog = await loadTaxCatalog(database.db, companyId);
    expect([catalog.get('vat')?.label, catalog.has('igic')]).toEqual(['I.V.A.', true]);
  });

  test('gives its company another version with each change, and with none that changes nothing', async () => {
    const { companyId } = await createCompany(database.db);
    const version = async (): Promise<number> => {
      const { rows } = await database.owner.query('select catalog_version from company where id = $1', [
        companyId,
      ]);
      return rows[0].catalog_version;
    };
    let before = await version();
    for (const change of [
      () => saveCatalogRow(database.db.pool, companyId, { ...vat, label: 'I.V.A.' }),
      () => removeCatalogRow(database.db.pool, companyId, 'igic'),
      () => seedTaxCatalog(database.db.pool, companyId),
    ]) {
      await change();
      const after = await version();
      expect(after).toBeGreaterThan(before);
      before = after;
    }
    await seedTaxCatalog(database.db.pool, companyId);
    expect(await version()).toBe(before);
  });

  test('belongs to a company that exists', async () => {
    const outcome = await saveCatalogRow(database.db.pool, 'co_nobody', vat);
    expect(isRefusal(outcome) && outcome.code).toBe('invalid_request');
    expect((await loadTaxCatalog(database.db, 'co_nobody')).size).toBe(0);
  });
});
