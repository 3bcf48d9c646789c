import { z } from 'zod';
import { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, environmentsOf, OF_ALL, readRow, readRows } from '../../../ground/db/rows.ts';

const environmentLocationRow = z.object({
  environmentId: column.whole,
  kind: z.enum(EnvironmentKind),
  companyId: z.string(),
  legalName: z.string(),
});

/** The environment of a resource, and its company. */
export type EnvironmentLocation = z.output<typeof environmentLocationRow>;

/** Tables of resources with an environment, by the prefix of the id. */
const TABLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    inv: 'invoice',
    rec: 'registration_record',
    sub: 'submission',
    ns: 'number_series',
    int: 'integration',
    cus: 'customer',
    key: 'api_key',
    bat: 'invoice_batch',
    eml: 'invoice_email',
    dft: 'invoice_draft',
    sch: 'invoice_schedule',
    whe: 'webhook_endpoint',
    whd: 'webhook_delivery',
    pay: 'invoice_payment',
  }),
);

const SELECT_ENVIRONMENT = `select e.id as "environmentId", e.kind::text, c.id as "companyId", c.legal_name as "legalName"
  from environment e join company c on c.id = e.company_id`;

/**
 * The environment of the resource of one of these tables with that id; null when there is none.
 */
export async function locateResource(client: Queryable, id: string): Promise<EnvironmentLocation | null> {
  const table = TABLES.get(id.slice(0, id.indexOf('_')));
  if (table === undefined) return null;
  const text = `${OF_ALL} ${SELECT_ENVIRONMENT} where e.id = (select environment_id from ${table} where id = $1)`;
  return readRow(client, environmentLocationRow, text, [id]);
}

/** So many invoices of one number are found: every series of every company may have one. */
export const NUMBERED = 20;

const numberedRow = z.object({ id: z.string() });

/**
 * The ids of the invoices that have a number, of the company with the NIF or of any: those of live environments first, then the
 * newest, at most `NUMBERED`. Each environment has an index of its numbers, so they are looked up one by one.
 */
export async function invoicesNumbered(
  client: Queryable,
  { number, nif }: { readonly number: string; readonly nif: string | null },
): Promise<string[]> {
  const rows = await readRows(
    client,
    numberedRow,
    `${OF_ALL} select found.id from environment e join company c on c.id = e.company_id
     cross join lateral (
       select i.id, i.issued_at from invoice i where i.environment_id = e.id and i.number = $1
     ) found
     where $2::text is null or c.nif = $2
     order by e.kind = 'live' desc, found.issued_at desc limit ${NUMBERED}`,
    [number, nif],
  );
  return rows.map(({ id }) => id);
}

/** The environments of such resources, by their ids: one statement for each table. */
export async function environmentsOfResources(
  client: Queryable,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const [prefix, own] of Map.groupBy(ids, (id) => id.slice(0, id.indexOf('_')))) {
    const table = TABLES.get(prefix);
    if (table === undefined) continue;
    for (const [id, environmentId] of await environmentsOf(client, table, own)) found.set(id, environmentId);
  }
  return found;
}

/** The environment of a chain, by the chain's number; null when there is none. */
export async function locateChain(client: Queryable, chainId: number): Promise<EnvironmentLocation | null> {
  return readRow(
    client,
    environmentLocationRow,
    `${OF_ALL} ${SELECT_ENVIRONMENT} where e.id = (select environment_id from chain where id = $1)`,
    [chainId],
  );
}

/** The environment with that number; null when there is none. */
export async function locateEnvironment(client: Queryable, id: number): Promise<EnvironmentLocation | null> {
  return readRow(client, environmentLocationRow, `${SELECT_ENVIRONMENT} where e.id = $1`, [id]);
}

/** Whether there is a company of that id. */
export async function hasCompany(client: Queryable, id: string): Promise<boolean> {
  return (
    (await readRow(client, z.object({ id: z.string() }), 'select id from company where id = $1', [id])) !==
    null
  );
}
