import type { Db } from '../../../src/ground/db/client.ts';
import type { InvoiceRow, IssuerSnapshot } from '../../../src/subjects/invoices/rows.ts';
import type { TestEnvironment } from '../invoices/company.ts';

export const issuer: IssuerSnapshot = {
  nif: 'B72877814',
  legalName: 'Talleres Ñandú SL',
  line1: 'Calle Mayor 1',
  line2: null,
  postalCode: '28001',
  city: 'Madrid',
  country: 'ES',
};

/** What differs from the usual invoice; `voided`: when it was. */
export type Given = Partial<Omit<InvoiceRow, 'imported' | 'imported_at' | SeriesColumn>> &
  Partial<Record<SeriesColumn, null>> & { imported?: boolean; imported_at?: string; voided?: Date };
type SeriesColumn = 'series_year' | 'series_number';

/** A legacy invoice: no number of a series, no record. */
export const imported = {
  ...{ imported: true, imported_at: new Date().toISOString(), series_year: null, series_number: null },
};

let count = 0;

/** An invoice as issuing leaves it, with its sealed record and its waiting document; its id. */
export async function issuedInvoice(
  db: Db,
  environment: TestEnvironment,
  given: Given = {},
): Promise<string> {
  count += 1;
  const [id, record_id] = [`inv_${count}`, `rec_${count}`];
  const { voided, ...columns } = given;
  const row = {
    id,
    environment_id: environment.environmentId,
    series_id: environment.standardSeriesId,
    series_year: 2026,
    series_number: count,
    number: `F-2026-${count}`,
    type: 'complete',
    kind: 'original',
    currency: 'eur',
    subtotal: 3_000,
    tax: 630,
    total: 3_630,
    issued_at: new Date(Date.UTC(2026, 5, 30, 22, count)),
    issued_on: '2026-07-01',
    issuer,
    breakdown: [
      {
        ...{ type: 'vat', name: 'IVA 21%', rate: 2100, base: 3_000, tax: 630 },
        ...{ agencyTax: '01', regimeKey: '01', operationClass: 'S1', exemption: null, legalMention: null },
      },
    ],
    imported: false,
    ...columns,
  };
  await insert(db, 'invoice', row);
  await insertLines(db, environment, id);
  if (row.imported) return id;
  const own = { environment_id: environment.environmentId, invoice_id: id };
  await insert(db, 'registration_record', {
    ...{ ...own, id: record_id, chain_id: environment.chainId, kind: 'registration' },
    ...(await nextLink(db, environment)),
    fingerprint: 'A'.repeat(64),
    generated_at: row.issued_at,
    xml: `<sf:RegistroAlta xmlns:sf="urn:x">${id}</sf:RegistroAlta>`,
  });
  await insert(db, 'invoice_document', { ...own, edition: 'issued', state: 'waiting', renderings: 0 });
  if (voided !== undefined) {
    const reason = { reason: 'duplicate', voided_by: 'opk_1', voided_at: voided };
    await insert(db, 'invoice_void', { ...own, record_id, ...reason });
  }
  return id;
}

async function insertLines(db: Db, { environmentId }: TestEnvironment, invoice_id: string): Promise<void> {
  const own = { environment_id: environmentId, invoice_id };
  const line = { ...own, quantity: 1, unit_amount: 1_500, subtotal: 1_500, tax: 315, total: 1_815 };
  await insert(db, 'invoice_line', { ...line, position: 1, id: 'ili_b', description: 'segunda', sku: 'S-2' });
  await insert(db, 'invoice_line', { ...line, position: 0, id: 'ili_a', description: 'primera', sku: null });
  const tax = { type: 'vat', name: 'IVA 21%', rate_basis_points: 2100, amount: 315 };
  for (const line_position of [0, 1]) {
    await insert(db, 'tax_item', { ...own, ...tax, line_position, position: 0 });
  }
}

/** Where the next record of a chain belongs. */
async function nextLink(db: Db, { chainId }: TestEnvironment): Promise<object> {
  const { rows } = await db.pool.query<{ id: string; position: number }>(
    'select id, position from registration_record where chain_id = $1 order by position desc limit 1',
    [chainId],
  );
  const last = rows[0];
  return {
    position: (last?.position ?? 0) + 1,
    previous_record_id: last?.id ?? null,
    previous_fingerprint: last === undefined ? null : 'A'.repeat(64),
  };
}

/** One row, its columns by name. */
export async function insert(db: Db, table: string, row: object): Promise<void> {
  await db.pool.query(`insert into ${table} select * from json_populate_record(null::${table}, $1)`, [
    JSON.stringify(row),
  ]);
}
