import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute } from '../../../ground/db/rows.ts';
import type { CatalogRow } from '../catalog.ts';
import type { TaxType } from '../types.ts';
import { COLUMNS, type StoredRow } from './read-catalog.ts';

/**
 * Part of each statement that changes a catalog: readers keep it in memory for as long as the company's `catalog_version` stands.
 * As many rows are affected as companies whose catalog `changed`.
 */
const RENEW_VERSION = `update company set catalog_version = catalog_version + 1
  where id in (select company_id from changed)`;

/**
 * Inserts the rows into a company's catalog, in the caller's transaction. Types with an existing row stay
 * unchanged.
 */
export async function addCatalogRows(
  client: Queryable,
  companyId: string,
  rows: readonly CatalogRow[],
): Promise<void> {
  await execute(
    client,
    `with changed as (
       insert into tax_catalog_entry (company_id, ${COLUMNS})
       select $1, ${COLUMNS} from json_populate_recordset(null::tax_catalog_entry, $2)
       on conflict (company_id, tax_type) do nothing returning company_id
     ) ${RENEW_VERSION}`,
    [companyId, JSON.stringify(rows.map(storedRow))],
  );
}

/** Replaces the company's row of its type; false when there is no such company. */
export async function putCatalogRow(client: Queryable, companyId: string, row: CatalogRow): Promise<boolean> {
  const written = await execute(
    client,
    `with changed as (
       insert into tax_catalog_entry (company_id, ${COLUMNS}, updated_at)
       select company.id, ${columnsOf('given')}, now()
         from company, json_populate_record(null::tax_catalog_entry, $2) as given
        where company.id = $1
       on conflict (company_id, tax_type) do update
          set (${COLUMNS}, updated_at) = (${columnsOf('excluded')}, excluded.updated_at)
       returning company_id
     ) ${RENEW_VERSION}`,
    [companyId, JSON.stringify(storedRow(row))],
  );
  return written === 1;
}

/** Removes a type from the catalog: from then on it is refused (`invalid_tax_data`). True when it existed. */
export async function removeCatalogRow(
  client: Queryable,
  companyId: string,
  taxType: TaxType,
): Promise<boolean> {
  const removed = await execute(
    client,
    `with changed as (
       delete from tax_catalog_entry where company_id = $1 and tax_type = $2 returning company_id
     ) ${RENEW_VERSION}`,
    [companyId, taxType],
  );
  return removed === 1;
}

function columnsOf(relation: string): string {
  return COLUMNS.split(', ')
    .map((column) => `${relation}.${column}`)
    .join(', ');
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
