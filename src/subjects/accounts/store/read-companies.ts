import { z } from 'zod';
import type { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, type RowKey, readRow, readRowOfEach, readRows } from '../../../ground/db/rows.ts';

const environment = z.object({ id: column.whole });

/** The environment of that kind of a company, or null when there is no such company. */
export async function environmentOf(
  db: Queryable,
  companyId: string,
  kind: EnvironmentKind,
): Promise<number | null> {
  const text = 'select id from environment where company_id = $1 and kind = $2';
  return (await readRow(db, environment, text, [companyId, kind]))?.id ?? null;
}

const company = z.object({ id: z.string() });

/** The first company of a NIF; null when there is none. */
export async function companyOfNif(db: Queryable, nif: string): Promise<string | null> {
  const text = 'select id from company where nif = $1 order by created_at limit 1';
  return (await readRow(db, company, text, [nif]))?.id ?? null;
}

const listedCompany = z.object({
  id: z.string(),
  nif: z.string(),
  legalName: z.string(),
  accountId: z.string(),
  mandate: z.boolean(),
  onboarding: z.boolean(),
  subscription: z.boolean(),
  createdAt: column.instant,
  /** The company with the same NIF that this one replaced. */
  succeedsId: z.string().nullable(),
});

export type ListedCompany = Readonly<z.infer<typeof listedCompany>>;

const COLUMNS = `c.id, c.nif, c.legal_name as "legalName", c.account_id as "accountId",
    c.mandate_approved_at is not null as mandate, c.onboarding_finished_at is not null as onboarding,
    a.subscription_active as subscription, c.created_at as "createdAt", c.succeeds_id as "succeedsId"`;
const FLAGGED = 'company c join account a on a.id = c.account_id';

const account = z.object({ id: z.string(), subscription: z.boolean() });

/** Who pays for companies, and whether a subscription is active. */
export type Account = Readonly<z.infer<typeof account>>;

/** Accounts by their ids. */
export function readAccountsById(db: Queryable, keys: readonly RowKey[]): Promise<Map<string, Account>> {
  const text = 'select id, subscription_active as subscription from account where id = wanted.id';
  return readRowOfEach(db, account, text, keys);
}

/** One company with its flags, or null. */
export function findCompany(db: Queryable, id: string): Promise<ListedCompany | null> {
  return readRow(db, listedCompany, `select ${COLUMNS} from ${FLAGGED} where c.id = $1`, [id]);
}

/** Companies by their ids. */
export async function readCompaniesById(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, ListedCompany>> {
  const statement = {
    name: 'companies-by-id',
    text: `select ${COLUMNS} from ${FLAGGED} where c.id = any ($1)`,
  };
  const rows = await readRows(db, listedCompany, statement, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Companies with their flags, oldest first; `text` is searched in names and NIF, ignoring case and accents. */
export function listCompanies(db: Queryable, text: string | null): Listed<ListedCompany> {
  return listed(db, {
    ...{ shape: listedCompany, columns: COLUMNS, from: FLAGGED, id: 'c.id' },
    where:
      '$1::text is null or strpos(double_l(folded(c.legal_name)), double_l(folded($1))) > 0 or strpos(folded(c.nif), folded($1)) > 0',
    values: [text],
    ...{ order: ['c.created_at', 'c.id'], direction: 'asc' },
  });
}
