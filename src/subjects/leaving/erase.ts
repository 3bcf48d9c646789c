import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import { environmentOf } from '../accounts/store/read-companies.ts';
import { type CustomerReference, deleteKept, findCustomer } from '../customers/customers.ts';
import { noCompany } from './act-on-company.ts';
import { eraseDrafted, invoicesKept, type Named, runningSchedules } from './store/erase.ts';

/** Personal data that stand outside sealed rows, erased by operators. */

type Place = { readonly companyId: string; readonly environment: EnvironmentKind };

/** What was erased, and until when invoices that stay must be kept (the day where the issuer is; null without any). */
export type Erasure = {
  readonly customers: number;
  readonly drafts: number;
  readonly schedules: number;
  readonly invoicesKept: number;
  readonly keptUntil: Day | null;
};

/**
 * Erases a customer: what is kept of them, the links to their page, their drafts, and what issued drafts and ended schedules say of them.
 * Invoices stay, for as long as `kept.ts` says. Refuses an unknown company with 400 `invalid_request` (`not_found`), while a schedule
 * of the customer has not ended with 400 at `externalCustomerId`, and as `findCustomer` does.
 */
export async function eraseCustomer(
  db: Pick<Db, 'pool' | 'prisma'>,
  by: ActorAndReason,
  { externalCustomerId, integrationId, ...place }: Place & CustomerReference,
): Promise<Outcome<Erasure>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const environmentId = await environmentIn(db, place);
  if (isRefusal(environmentId)) return environmentId;
  const customer = await findCustomer(db, environmentId, { externalCustomerId, integrationId });
  if (isRefusal(customer)) return customer;
  return inTransaction<Outcome<Erasure>>(db.pool, async (client) => {
    if ((await runningSchedules(client, environmentId, customer)) > 0) {
      return invalidField(
        'externalCustomerId',
        'in_use',
        'is named by a schedule that has not ended: end it first',
      );
    }
    const customers = (await deleteKept(client, environmentId, customer)) ? 1 : 0;
    const noted = { ...by, reason, action: 'erase_customer', subject: customer.id };
    return { customers, ...(await eraseOf(client, environmentId, customer, noted)) };
  });
}

/**
 * Erases the drafts of an environment that were not issued, and what issued drafts and ended schedules say of people. Refuses an unknown
 * company with 400 `invalid_request` (`not_found`).
 */
export async function eraseDrafts(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  place: Place,
): Promise<Outcome<Erasure>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const environmentId = await environmentIn(db, place);
  if (isRefusal(environmentId)) return environmentId;
  const noted = { ...by, reason, action: 'erase_drafts', subject: place.companyId };
  return inTransaction(db.pool, async (client) => ({
    customers: 0,
    ...(await eraseOf(client, environmentId, null, noted)),
  }));
}

async function environmentIn(
  { pool }: Pick<Db, 'pool'>,
  { companyId, environment }: Place,
): Promise<Outcome<number>> {
  return (await environmentOf(pool, companyId, environment)) ?? noCompany();
}

/** Erases what drafts and schedules say of somebody, or of everybody, and records it. */
async function eraseOf(
  client: Queryable,
  environmentId: number,
  named: Named | null,
  noted: ActorAndReason & { readonly action: string; readonly subject: string },
): Promise<Omit<Erasure, 'customers'>> {
  const drafted = await eraseDrafted(client, environmentId, named);
  const { invoices, last } = await invoicesKept(client, environmentId, named);
  await addAuditEntry(client, { ...noted, environmentId, details: drafted });
  return { ...drafted, invoicesKept: invoices, keptUntil: last && sixYearsAfter(last) };
}

/** Código de Comercio art. 30.1: six years from the last entry in the books, which are closed with the year. */
const sixYearsAfter = (day: Day): Day => `${Number(day.slice(0, 4)) + 6}-12-31`;
