import { z } from 'zod';
import type { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import { nifLock } from '../../../ground/db/nif-lock.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRows } from '../../../ground/db/rows.ts';
import { auditJournalOf } from '../../../ground/journal/entry.ts';
import type { TimeZone } from '../../../ground/lib/calendar.ts';
import type { CompanyFlags } from '../flags.ts';

const ofNif = z.object({ id: z.string(), nif: z.string(), succeeded: z.boolean() });

/**
 * The companies of a NIF, newest first, and the one with that id. Locks the NIF: nobody else creates a company with
 * it until the transaction ends.
 */
export async function lockNif(
  db: Queryable,
  nif: string,
  companyId: string | null,
): Promise<z.infer<typeof ofNif>[]> {
  await execute(db, `select ${nifLock('$1')}`, [nif]);
  return readRows(
    db,
    ofNif,
    `select id, nif, exists (select 1 from company after where after.succeeds_id = company.id) as succeeded
       from company where nif = $1 or id = $2 order by created_at desc, id desc`,
    [nif, companyId],
  );
}

/** Inserts an account; its subscription is not active. */
export async function insertAccount(db: Queryable, id: string, name: string): Promise<void> {
  await execute(db, 'insert into account (id, name, subscription_active) values ($1, $2, false)', [id, name]);
}

type NewCompanyRow = {
  readonly id: string;
  readonly accountId: string;
  readonly nif: string;
  readonly legalName: string;
  readonly givenName: string | null;
  readonly surnames: string | null;
  readonly line1: string;
  readonly line2: string | null;
  readonly postalCode: string;
  readonly city: string;
  readonly country: string;
  readonly succeedsId: string | null;
};

/** Inserts a company; false when there is no such account. */
export async function insertCompany(db: Queryable, row: NewCompanyRow): Promise<boolean> {
  const written = await execute(
    db,
    `insert into company (id, account_id, nif, legal_name, address_line1, address_line2, address_postal_code,
       address_city, address_country, succeeds_id, given_name, surnames)
     select $1, id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 from account where id = $2`,
    [
      ...[row.id, row.accountId, row.nif, row.legalName],
      ...[row.line1, row.line2, row.postalCode, row.city, row.country, row.succeedsId],
      ...[row.givenName, row.surnames],
    ],
  );
  return written === 1;
}

const born = z.object({ environmentId: column.whole });
const opened = z.object({ chainId: column.whole });

type NewEnvironmentRow = {
  readonly kind: EnvironmentKind;
  readonly timeZone: TimeZone;
  readonly installationNumber: string;
};

/** Inserts an environment of a company with its open chain and its journals, in which everything of it will stand. */
export async function insertEnvironment(
  db: Queryable,
  companyId: string,
  { kind, timeZone, installationNumber }: NewEnvironmentRow,
): Promise<{ readonly environmentId: number; readonly chainId: number }> {
  const insert = `insert into environment (company_id, kind, time_zone) values ($1, $2, $3)
    returning id as "environmentId"`;
  const { environmentId } = await readOneRow(db, born, insert, [companyId, kind, timeZone]);
  const journal = 'insert into journal_head (environment_id, origin) values ($1, $2)';
  await execute(db, journal, [environmentId, `${companyId}/${kind}`]);
  await execute(db, journal, [auditJournalOf(environmentId), `${companyId}/${kind}/audit`]);
  const open =
    'insert into chain (environment_id, installation_number) values ($1, $2) returning id as "chainId"';
  const { chainId } = await readOneRow(db, opened, open, [environmentId, installationNumber]);
  const dispatch = 'insert into chain_dispatch (environment_id, chain_id) values ($1, $2)';
  await execute(db, dispatch, [environmentId, chainId]);
  return { environmentId, chainId };
}

/**
 * Ends issuing in both environments of a company. An invoice that is being issued holds its chain, so it is issued
 * before this returns; none is once the transaction is committed.
 */
export async function endIssuing(db: Queryable, companyId: string, at: Date): Promise<void> {
  const text = 'select id as "environmentId" from environment where company_id = $1 order by id';
  for (const { environmentId } of await readRows(db, born, text, [companyId])) {
    const end = 'update chain set issuing_ended_at = $2 where environment_id = $1 and closed_at is null';
    await execute(db, end, [environmentId, at]);
  }
}

/** Sets flags of a company and of its account. False when there is no such company. */
export async function updateFlags(db: Queryable, companyId: string, flags: CompanyFlags): Promise<boolean> {
  const found = await execute(
    db,
    `with time as materialized (
       select now() as now
     ), set_company as (
       update company set
         mandate_approved_at = case when $2 then coalesce(mandate_approved_at, time.now)
           when not $2 then null else mandate_approved_at end,
         onboarding_finished_at = case when $3 then coalesce(onboarding_finished_at, time.now)
           when not $3 then null else onboarding_finished_at end
       from time where id = $1 returning account_id
     ), set_account as (
       update account set subscription_active = $4
       where id in (select account_id from set_company) and $4::boolean is not null
     )
     select 1 from set_company`,
    [
      companyId,
      flags.mandateApproved ?? null,
      flags.onboardingFinished ?? null,
      flags.subscriptionActive ?? null,
    ],
  );
  return found === 1;
}
