import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type CatalogRow, catalogRowFaults, defaultTaxCatalog, type TaxCatalog } from './catalog.ts';
import type { TaxType } from './types.ts';

const COLUMNS = 'tax_type, agency_tax, regime_key, operation_class, exemption, label, legal_mention';

/** A catalog row in the column names of its table. */
type StoredRow = {
  readonly tax_type: TaxType;
  readonly agency_tax: CatalogRow['agencyTax'];
  readonly regime_key: string | null;
  readonly operation_class: CatalogRow['operationClass'];
  readonly exemption: CatalogRow['exemption'];
  readonly label: string;
  readonly legal_mention: string | null;
};

/** The company's classification as it is now; empty for a company that does not exist. */
export async function loadTaxCatalog(db: Db, companyId: string): Promise<TaxCatalog> {
  const { rows } = await db.pool.query<StoredRow>({
    name: 'load-tax-catalog',
    text: `select ${COLUMNS} from tax_catalog_entry where company_id = $1`,
    values: [companyId],
  });
  return new Map(rows.map((row) => [row.tax_type, catalogRow(row)]));
}

/** Gives a new company the default row of each type, on the caller's transaction. Rows that exist stay as they are. */
export async function seedTaxCatalog(client: Queryable, companyId: string): Promise<void> {
  const rows = [...defaultTaxCatalog.values()].map(storedRow);
  await client.query(
    `insert into tax_catalog_entry (company_id, ${COLUMNS})
     select $1, ${COLUMNS} from json_populate_recordset(null::tax_catalog_entry, $2)
     on conflict (company_id, tax_type) do nothing`,
    [companyId, JSON.stringify(rows)],
  );
}

/**
 * Sets the classification of one tax type for the invoices to come. Refuses with `invalid_request` a row that the
 * agency would reject, naming each faulty field, and a company that does not exist.
 */
export async function saveCatalogRow(
  client: Queryable,
  companyId: string,
  row: CatalogRow,
): Promise<Outcome<CatalogRow>> {
  const errors = catalogRowFaults(row);
  const first = errors[0];
  if (first !== undefined) {
    return new Refusal('invalid_request', `${row.taxType}: ${first.field} ${first.message}.`, { errors });
  }
  const { rowCount } = await client.query(
    `insert into tax_catalog_entry (company_id, ${COLUMNS}, updated_at)
     select company.id, ${columnsOf('given')}, now()
       from company, json_populate_record(null::tax_catalog_entry, $2) as given
      where company.id = $1
     on conflict (company_id, tax_type) do update
        set (${COLUMNS}, updated_at) = (${columnsOf('excluded')}, excluded.updated_at)`,
    [companyId, JSON.stringify(storedRow(row))],
  );
  if (rowCount === 1) return row;
  const issue = { field: 'companyId', code: 'unknown', message: 'no such company' };
  return new Refusal('invalid_request', 'No such company.', { errors: [issue] });
}

/** Takes a type out of the catalog: from then on it is refused (`invalid_tax_data`). True when it was there. */
export async function removeCatalogRow(
  client: Queryable,
  companyId: string,
  taxType: TaxType,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'delete from tax_catalog_entry where company_id = $1 and tax_type = $2',
    [companyId, taxType],
  );
  return rowCount === 1;
}

function columnsOf(relation: string): string {
  return COLUMNS.split(', ')
    .map((column) => `${relation}.${column}`)
    .join(', ');
}

function catalogRow(row: StoredRow): CatalogRow {
  return {
    taxType: row.tax_type,
    agencyTax: row.agency_tax,
    regimeKey: row.regime_key,
    operationClass: row.operation_class,
    exemption: row.exemption,
    label: row.label,
    legalMention: row.legal_mention,
  };
}

function storedRow(row: CatalogRow): StoredRow {
  return {
    tax_type: row.taxType,
    agency_tax: row.agencyTax,
    regime_key: row.regimeKey,
    operation_class: row.operationClass,
    exemption: row.exemption,
    label: row.label,
    legal_mention: row.legalMention,
  };
}
