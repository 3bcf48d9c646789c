import { z } from 'zod';
import { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow, readRows } from '../../../ground/db/rows.ts';
import { TIME_ZONES, type TimeZone } from '../../../ground/lib/calendar.ts';

const company = z.object({
  nif: z.string(),
  legalName: z.string(),
  givenName: z.string().nullable(),
  surnames: z.string().nullable(),
  line1: z.string(),
  line2: z.string().nullable(),
  postalCode: z.string(),
  city: z.string(),
  country: z.string(),
  timeZone: z.enum(TIME_ZONES),
  liveEnvironmentId: column.whole,
});

/** The data with which a company issues. */
export type StoredCompany = Readonly<z.infer<typeof company>>;

/** The data of a company; null when there is none of that id. */
export function storedCompany(db: Queryable, companyId: string): Promise<StoredCompany | null> {
  return readRow(
    db,
    company,
    `select nif, legal_name as "legalName", given_name as "givenName", surnames, address_line1 as line1, address_line2 as line2,
            address_postal_code as "postalCode", address_city as city, address_country as country,
            environment.time_zone as "timeZone", environment.id as "liveEnvironmentId"
       from company join environment on environment.company_id = company.id and environment.kind = 'live'
      where company.id = $1`,
    [companyId],
  );
}

type NewData = {
  readonly legalName: string | undefined;
  readonly givenName: string | undefined;
  readonly surnames: string | undefined;
  readonly line1?: string;
  readonly line2?: string | null | undefined;
  readonly postalCode?: string;
  readonly city?: string;
  readonly country?: string;
};

/**
 * Sets the name, the address as a whole, or both: what is undefined stays. The parts of a name are those of the name that they were sent with: a new
 * name without them has none.
 */
export async function changeCompany(db: Queryable, companyId: string, data: NewData): Promise<void> {
  await execute(
    db,
    `update company set legal_name = coalesce($2, legal_name), address_line1 = coalesce($3, address_line1),
            address_line2 = case when $3::text is null then address_line2 else $4 end,
            address_postal_code = coalesce($5, address_postal_code), address_city = coalesce($6, address_city),
            address_country = coalesce($7, address_country),
            given_name = case when $2 <> legal_name then $8 else coalesce($8, given_name) end,
            surnames = case when $2 <> legal_name then $9 else coalesce($9, surnames) end
      where id = $1`,
    [
      ...[companyId, data.legalName, data.line1, data.line2, data.postalCode, data.city, data.country],
      ...[data.givenName, data.surnames],
    ].map((value) => value ?? null),
  );
}

const numbered = z.object({ id: column.whole });

async function environmentsOf(db: Queryable, companyId: string): Promise<number[]> {
  const text = 'select id from environment where company_id = $1 order by id';
  return (await readRows(db, numbered, text, [companyId])).map(({ id }) => id);
}

/** Locks the open chains of a company until the transaction ends: nobody issues in either of its environments. */
export async function lockCompanyChains(db: Queryable, companyId: string): Promise<void> {
  const lock = 'select 1 from chain where environment_id = $1 and closed_at is null for update';
  for (const id of await environmentsOf(db, companyId)) await execute(db, lock, [id]);
}

const lastDay = z.object({
  environment: z.enum(EnvironmentKind),
  clockAheadMs: column.whole,
  lastIssuedOn: column.day.nullable(),
});

/** The day of the last invoice that was issued, not imported, in each environment of a company. */
export async function lastIssueDays(
  db: Queryable,
  companyId: string,
): Promise<Readonly<z.infer<typeof lastDay>>[]> {
  const days: Readonly<z.infer<typeof lastDay>>[] = [];
  const text = `select environment.kind::text as environment, clock_ahead_ms as "clockAheadMs",
      (select issued_on::text from invoice where environment_id = $1 and not imported
        order by issued_at desc, id desc limit 1) as "lastIssuedOn"
     from environment where id = $1`;
  for (const id of await environmentsOf(db, companyId)) {
    days.push(...(await readRows(db, lastDay, text, [id])));
  }
  return days;
}

/** Sets where the days of a company begin, in both environments. */
export async function setTimeZone(db: Queryable, companyId: string, timeZone: TimeZone): Promise<void> {
  for (const id of await environmentsOf(db, companyId)) {
    await execute(db, 'update environment set time_zone = $2 where id = $1', [id, timeZone]);
  }
}
