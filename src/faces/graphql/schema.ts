import { lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';
import { describeSchema } from './descriptions/apply.ts';
import { nullAtItsOwnPath } from './null-at-own-path.ts';
import { type Permission, permissionOf, rootFields, withPermissions } from './permissions.ts';
import './connections.ts';
import './schema/access.ts';
import './schema/certificates.ts';
import './schema/chain-operations.ts';
import './schema/chain-records.ts';
import './schema/companies.ts';
import './schema/company-branding.ts';
import './schema/invoice.ts';
import './schema/invoice-edges.ts';
import './schema/invoice-list.ts';
import './schema/invoice-queries.ts';
import './schema/issuing.ts';
import './schema/integrations.ts';
import './schema/customers.ts';
import './schema/customer-edges.ts';
import './schema/orders.ts';
import './schema/customer-portal.ts';
import './schema/declarations.ts';
import './schema/documents.ts';
import './schema/document-exports.ts';
import './schema/emails.ts';
import './schema/email-settings.ts';
import './schema/environment-edges.ts';
import './schema/drafts.ts';
import './schema/schedules.ts';
import './schema/test-clock.ts';
import './schema/error-codes.ts';
import './schema/events.ts';
import './schema/invoice-batches.ts';
import './schema/invoice-totals.ts';
import './schema/jobs.ts';
import './schema/node.ts';
import './schema/keys.ts';
import './schema/leaving.ts';
import './schema/live.ts';
import './schema/many-at-once.ts';
import './schema/number-series.ts';
import './schema/operations.ts';
import './schema/operation-lists.ts';
import './schema/approvals.ts';
import './schema/audit-log.ts';
import './schema/corrections.ts';
import './schema/payments.ts';
import './schema/business-statuses.ts';
import './schema/recipient-statuses.ts';
import './schema/formats.ts';
import './schema/proofs.ts';
import './schema/register-books.ts';
import './schema/tax-catalog.ts';
import './schema/tax-types.ts';
import './schema/tax-ids.ts';
import './schema/trusted-documents.ts';
import './schema/webhooks.ts';

/** The one schema that every operation goes through. */
export const schema = builder.toSchema();

/** Entries of the tables of descriptions that describe nothing. */
export const unusedDescriptions = describeSchema(schema);
withPermissions(schema);
nullAtItsOwnPath(schema);

/** What a field of its root needs; a query and a mutation of one name need the same. */
export function permissionNeeded(name: string): Permission {
  const [, field] = rootFields(schema).find(([, { name: own }]) => own === name) ?? [];
  if (field === undefined) throw new Error(`the schema has no ${name}`);
  return permissionOf(field)!;
}

/** Its text, as it is committed in `schema.graphql`. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
