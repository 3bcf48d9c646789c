import { z } from 'zod';
import type { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import type { Db } from '../../../ground/db/client.ts';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRow } from '../../../ground/db/rows.ts';

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

const closing = z.object({ closed: z.boolean() });

/** Whether a company was closed, or is being closed; waits for whoever closes it. The company must exist. */
export async function isClosed(db: Queryable, companyId: string): Promise<boolean> {
  const text = 'select left_at is not null as closed from company where id = $1 for key share';
  return (await readOneRow(db, closing, text, [companyId])).closed;
}

/** One company with its account, or null. */
export function findCompany({ prisma }: Pick<Db, 'prisma'>, id: string) {
  return prisma.company.findUnique({ where: { id }, include: ACCOUNT });
}

/** Companies by their ids, in the order of these, each with its account. */
export async function readCompanies({ prisma }: Pick<Db, 'prisma'>, ids: readonly string[]) {
  const found = await prisma.company.findMany({ where: { id: { in: [...ids] } }, include: ACCOUNT });
  return inOrderOf(ids, found);
}

/** Both environments of a company have the same time zone. */
const ACCOUNT = { account: true, environments: { select: { timeZone: true }, take: 1 } } as const;

/** Rows in the order of their ids. */
export function inOrderOf<Row extends { readonly id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
}

/** The ids of companies, oldest first; `text` is searched in names and NIF, ignoring case and accents. */
export function searchCompanies(db: Queryable, text: string | null): Listed<{ readonly id: string }> {
  return listed(db, {
    ...{ shape: company, columns: 'id', from: 'company', id: 'id' },
    where:
      '$1::text is null or strpos(double_l(folded(legal_name)), double_l(folded($1))) > 0 or strpos(folded(nif), folded($1)) > 0',
    values: [text],
    ...{ order: ['created_at', 'id'], direction: 'asc' },
  });
}
