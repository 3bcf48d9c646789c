import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { createCompany } from '../support/invoices/company.ts';
import { FIELD_LIMITS } from '../support/invoices/field-limits.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';

/** An imported invoice has the limits of one that is issued, field by field, and none of the fields that it does not take. */

/** What is said to the recipient, and noted of the invoice, is no part of what another system issued. */
const NOT_IMPORTED = ['payment', 'language', 'references', 'delivery', 'metadata'];

const files = importFiles();
let database: TestDatabase;
let reasons: Map<number, string>;
beforeAll(async () => {
  database = await testDatabase();
  const { test: home } = await createCompany(database.db);
  const rows = FIELD_LIMITS.map(([, parts], index) =>
    anOldInvoice(`OLD-${index}`, { issued_at: '2025-03-04', ...parts }),
  );
  const file = files.jsonLines(rows);
  const done = await importInvoices(database.db, {
    ...{ environmentId: home.environmentId, file, actor: 'opk_1' },
  });
  if (isRefusal(done)) throw new Error(done.detail);
  const report = readFileSync(done.report!, 'utf8').trimEnd().split('\n').slice(1);
  reasons = new Map(
    report.map((row) => {
      const [, line, code, reason] = /^(\d+),(\w+),"(.*)"$/.exec(row)!;
      return [Number(line), `${code}: ${reason}`];
    }),
  );
});
afterAll(async () => {
  await database?.close();
  files.remove();
});

test.each(FIELD_LIMITS.map((limit, index) => [...limit, index + 1] as const))(
  '%s',
  (_what, parts, fault, line) => {
    const [unknown] = Object.keys(parts).filter((name) => NOT_IMPORTED.includes(name));
    const reason = reasons.get(line);
    if (unknown !== undefined) expect(reason).toBe(`invalid_request: ${unknown} no such field`);
    else if (fault === null) expect(reason).toBeUndefined();
    else if (fault.startsWith('line_items[1].tax_items too_small'))
      expect(reason).toMatch(/^invalid_tax_data: Line 2/);
    else expect(reason).toContain(`invalid_request: ${fault.split(' ')[0]} `);
  },
);
