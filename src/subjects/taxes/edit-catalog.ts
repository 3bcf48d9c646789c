import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { id } from '../../ground/lib/request-fields.ts';
import { line, printedLine } from '../../ground/lib/text.ts';
import { type CatalogRow, catalogRowFaults, defaultTaxCatalog } from './catalog.ts';
import { addCatalogRows, putCatalogRow, removeCatalogRow } from './store/catalog.ts';
import { AGENCY_TAXES, EXEMPTIONS, OPERATION_CLASSES, TAX_TYPES } from './types.ts';

const reason = line(500).describe('The reason; kept in the audit log.');

export const REGIME_KEY =
  'ClaveRegimen, two digits such as `01`: what they mean depends on `agencyTax`, and the agency may add to them.';

/**
 * The request to set a row of a company's tax catalog; whether the agency would accept it is checked afterwards.
 */
export const catalogRowRequest = z
  .strictObject({
    companyId: id.describe('The company.'),
    taxType: z.enum(TAX_TYPES).describe('The tax type.'),
    agencyTax: z.enum(AGENCY_TAXES).describe('Impuesto.'),
    regimeKey: z
      .string()
      .regex(/^\d{2}$/)
      .nullish()
      .transform((value) => value ?? null)
      .describe(REGIME_KEY),
    operationClass: z
      .enum(OPERATION_CLASSES)
      .nullish()
      .transform((value) => value ?? null)
      .describe('CalificacionOperacion; not for an exempt operation.'),
    exemption: z
      .enum(EXEMPTIONS)
      .nullish()
      .transform((value) => value ?? null)
      .describe('OperacionExenta; only for an exempt operation.'),
    label: printedLine(60).describe('The printed text.'),
    legalMention: printedLine(300)
      .nullish()
      .transform((value) => value ?? null)
      .describe('The additional mention required by law.'),
    reason,
  })
  .meta({ description: 'The classification of a tax type of a company for future invoices.' });

/** The request to remove a row of a catalog. */
export const catalogRemovalRequest = z.strictObject({
  companyId: z.string(),
  taxType: z.enum(TAX_TYPES),
  reason,
});

/**
 * Inserts the default row of each type for a new company, in the caller's transaction. Existing rows stay
 * unchanged.
 */
export async function seedTaxCatalog(client: Queryable, companyId: string): Promise<void> {
  await addCatalogRows(client, companyId, [...defaultTaxCatalog.values()]);
}

/**
 * Sets the classification of one tax type for future invoices. Refuses with `invalid_request` a row that the agency
 * would reject, naming each invalid field, and an unknown company.
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
  if (await putCatalogRow(client, companyId, row)) return row;
  const issue = { field: 'companyId', code: 'unknown', message: 'no such company' };
  return new Refusal('invalid_request', 'No such company.', { errors: [issue] });
}

/**
 * Sets how a company's tax type is declared from now on, and records who did it and why. Refuses with
 * `invalid_request` what the agency would reject, naming each field, and an unknown company.
 */
export async function setCatalogRow(
  db: Pick<Db, 'pool'>,
  actor: Actor,
  request: z.output<typeof catalogRowRequest>,
): Promise<Outcome<CatalogRow>> {
  const { companyId, reason, ...row } = request;
  return inTransaction(db.pool, async (client) => {
    const saved = await saveCatalogRow(client, companyId, row);
    if (isRefusal(saved)) return saved;
    await note(client, actor, 'set_tax_catalog_row', companyId, reason, row);
    return saved;
  });
}

/** Removes a type from a company's catalog: from then on it is refused with `invalid_tax_data`. */
export async function dropCatalogRow(
  db: Pick<Db, 'pool'>,
  actor: Actor,
  { companyId, taxType, reason }: z.output<typeof catalogRemovalRequest>,
): Promise<Outcome<null>> {
  return inTransaction<Outcome<null>>(db.pool, async (client) => {
    if (!(await removeCatalogRow(client, companyId, taxType))) {
      return invalidField('taxType', 'unknown', 'the company has no such row');
    }
    await note(client, actor, 'remove_tax_catalog_row', companyId, reason, { taxType });
    return null;
  });
}

function note(
  client: Queryable,
  actor: Actor,
  action: string,
  companyId: string,
  reason: string,
  details: object,
): Promise<void> {
  return addAuditEntry(client, {
    actor,
    action,
    subject: companyId,
    environmentId: null,
    reason,
    details,
  });
}
