import { z } from 'zod';
import type { Db } from '../../../ground/db/client.ts';
import { readRows } from '../../../ground/db/rows.ts';
import type { CatalogRow, TaxCatalog } from '../catalog.ts';
import { AGENCY_TAXES, EXEMPTIONS, OPERATION_CLASSES, TAX_TYPES } from '../types.ts';

/** Of `tax_catalog_entry`, all that classifies. */
export const COLUMNS = 'tax_type, agency_tax, regime_key, operation_class, exemption, label, legal_mention';

const storedRow = z.object({
  tax_type: z.enum(TAX_TYPES),
  agency_tax: z.enum(AGENCY_TAXES),
  regime_key: z.string().nullable(),
  operation_class: z.enum(OPERATION_CLASSES).nullable(),
  exemption: z.enum(EXEMPTIONS).nullable(),
  label: z.string(),
  legal_mention: z.string().nullable(),
});

/** A catalog row in the column names of its table. */
export type StoredRow = z.output<typeof storedRow>;

/** The company's classification as it is now; empty for a company that does not exist. */
export async function loadTaxCatalog(db: Pick<Db, 'pool'>, companyId: string): Promise<TaxCatalog> {
  const rows = await readRows(
    db.pool,
    storedRow,
    {
      name: 'load-tax-catalog',
      text: `select ${COLUMNS} from tax_catalog_entry where company_id = $1`,
    },
    [companyId],
  );
  return new Map(rows.map((row) => [row.tax_type, catalogRow(row)]));
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
