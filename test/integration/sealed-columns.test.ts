import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Form, INVOICE_LINE, INVOICE_STAMP, TAX_ITEM } from '../../src/ground/journal/forms.ts';
import { INVOICE_BODY } from '../../src/subjects/extensions/columns.ts';
import type { JournalFinding } from '../../src/subjects/journal/finding.ts';
import { verifyJournal } from '../../src/subjects/journal/verify.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/**
 * Every column that is sealed of an invoice, its lines and their taxes, whatever was added to the list since: somebody who owns the
 * database changes its value, or puts one in where there is none, and the journal tells.
 */

let service: TestService;
let environmentId: number;

const address = { line1: 'Calle Mayor 1', postal_code: '28001', city: 'Madrid', country: 'ES' };
const ana = { name: ANA.name, tax_id: ANA.taxId, address };

beforeAll(async () => {
  service = await testService();
  ({ environmentId } = service.company.test);
  const call = async (path: string, body: object) => {
    const answer = await service.call('POST', path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const issue = (body: object) => call('/v1/invoices', body);
  const series = (prefix: string) => call('/v1/number_series', { prefix, type: 'standard' });
  const said = { type: 'es_exempt', exemption: 'E2', regime_key: '02' };
  await issue(
    aCompleteInvoice({
      ...{ issued_by: 'third_party', third_party: { name: 'Gestoría Ruiz SL', tax_id: 'B12345674' } },
      ...{ number_series_id: (await series('TERCERO')).id, withholding: { rate: 15, base: 100 } },
      recipient: { ...ana, given_name: 'Ana', surnames: 'García Pérez', email: 'ana@example.com' },
      disbursements: [{ description: 'Tasa', amount: 100 }],
      display_currency: { code: 'usd', rate: '1.0837' },
      line_items: [aLine(), aLine({ tax_items: [said] })],
    }),
  );
  await issue(aCompleteInvoice({ qualified_simplified: true, prices_include_tax: true }));
  const external = { number: 'OLD-1', issued_on: '2023-06-02', operation_date: '2023-05-31' };
  await issue(aCompleteInvoice({ rectifies: { external, method: 'differences' } }));
  const ticket = await issue(aSimplifiedInvoice());
  const exchange = await call('/v1/exchanges', { ticket_ids: [ticket.id], recipient: ana });
  const taken = [aLine({ quantity: 1, unit_amount: -100 })];
  await call(`/v1/exchanges/${exchange.id}/returns`, { line_items: taken, reason: 'Devuelto' });
  const other = { name: 'Ejemplo SL', tax_id: 'B72877814', address };
  await call(`/v1/exchanges/${exchange.id}/replacement`, { recipient: other, reason: 'NIF de otra empresa' });
});
afterAll(() => service?.close());

/** What rows are found and told apart by: another value is another row. */
const KEYS = ['id', 'position', 'line_position'];
const columnsOf = (form: Form) =>
  form.columns.filter(({ name }) => !KEYS.includes(name)).map(({ name }) => [form.table, name] as const);
const COLUMNS = [INVOICE_BODY, INVOICE_STAMP, INVOICE_LINE, TAX_ITEM].flatMap(columnsOf);

/** Another value than a column has, by its type. */
async function otherThan(column: string, table: string): Promise<string> {
  const { rows } = await service.owner.query<{ type: string; label: string | null }>(
    `select format_type(a.atttypid, a.atttypmod) as type,
            (select quote_literal(max(enumlabel)) || ' ' || quote_literal(min(enumlabel)) from pg_enum where enumtypid = a.atttypid) as label
       from pg_attribute a where attrelid = $1::regclass and attname = $2`,
    [table, column],
  );
  const { type, label } = rows[0]!;
  const name = `"${column}"`;
  if (label !== null) {
    const [one, two] = label.split(' ');
    return `case when ${name} = ${one} then ${two} else ${one} end::${type}`;
  }
  if (type.endsWith('[]')) return `coalesce(${name}, '{}') || 'x'::text`;
  if (type === 'boolean') return `not coalesce(${name}, false)`;
  if (type === 'jsonb' || type === 'json') return `'{"another": 1}'`;
  if (type === 'date') return `coalesce(${name}, '2026-01-01') + 1`;
  if (type.startsWith('timestamp')) return `coalesce(${name}, now()) + interval '1 day'`;
  if (/int|numeric/.test(type)) return `coalesce(${name}, 0) + 1`;
  if (type.startsWith('character(')) return `case when ${name} = 'xx' then 'yy' else 'xx' end`;
  return `coalesce(${name}, '') || 'x'`;
}

/** Who owns the database is held by no constraint of it. */
const withoutChecks = (table: string) => `
  do $$ declare name text; begin
    for name in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c' loop
      execute format('alter table ${table} drop constraint %I', name);
    end loop;
  end $$`;

/** What is found after one row has another value; nothing of it stays. Null if there is no such row. */
async function foundAfter(table: string, column: string, where: string): Promise<JournalFinding[] | null> {
  const client = await service.owner.connect();
  try {
    await client.query(`begin; set local session_replication_role = replica; ${withoutChecks(table)}`);
    const { rowCount } = await client.query(
      `update ${table} set "${column}" = ${await otherThan(column, table)}
        where ctid = (select ctid from ${table} where environment_id = ${environmentId} and ${where} limit 1)`,
    );
    if (rowCount === 0) return null;
    const findings: JournalFinding[] = [];
    await verifyJournal(client, environmentId, {
      ...{ batch: 50, progress: () => {}, isOver: () => false },
      add: (finding) => findings.push(finding),
    });
    return findings;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test.each(COLUMNS)('%s: another %s is found, and one that is put in', async (table, column) => {
  const found = [
    await foundAfter(table, column, `"${column}" is not null`),
    await foundAfter(table, column, `"${column}" is null`),
  ];
  const changed = found.filter((one) => one !== null);
  expect(changed.length).toBeGreaterThan(0);
  for (const findings of changed) {
    expect(findings.map(({ what }) => what)).toContain('journal_content');
  }
});

test('what was added for returns and replacements is among them, with a value', async () => {
  for (const column of [
    'issued_with',
    'reverses_id',
    'withholding_base',
    'third_party',
    'rectified_operation_on',
  ]) {
    const findings = await foundAfter('invoice', column, `${column} is not null`);
    expect(
      findings?.map(({ what }) => what),
      column,
    ).toContain('journal_content');
  }
});
