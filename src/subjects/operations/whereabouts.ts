import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';

/** In which environment of whose something is. */
export type Whereabouts = {
  readonly environmentId: number;
  readonly kind: EnvironmentKind;
  readonly companyId: string;
  readonly legalName: string;
};

/** What carries its environment, by the beginning of its id. */
const TABLES: Readonly<Record<string, string>> = {
  inv: 'invoice',
  rec: 'registration_record',
  ns: 'number_series',
  int: 'integration',
  cus: 'customer',
  key: 'api_key',
};

const HOME = `select e.id as "environmentId", e.kind::text, c.id as "companyId", c.legal_name as "legalName"
  from environment e join company c on c.id = e.company_id`;

/** Where the invoice, record, series, integration, customer or merchant's key of that id is; null when there is none. */
export async function whereIs(client: Queryable, id: string): Promise<Whereabouts | null> {
  const table = TABLES[id.slice(0, id.indexOf('_'))];
  if (table === undefined) return null;
  const { rows } = await client.query<Whereabouts>(
    `${HOME} where e.id = (select environment_id from ${table} where id = $1)`,
    [id],
  );
  return rows[0] ?? null;
}

/** Where a chain is, by its number; null when there is none. */
export async function whereIsChain(client: Queryable, chainId: number): Promise<Whereabouts | null> {
  const { rows } = await client.query<Whereabouts>(
    `${HOME} where e.id = (select environment_id from chain where id = $1)`,
    [chainId],
  );
  return rows[0] ?? null;
}

/** The environment of that number; null when there is none. */
export async function whereIsEnvironment(client: Queryable, id: number): Promise<Whereabouts | null> {
  const { rows } = await client.query<Whereabouts>(`${HOME} where e.id = $1`, [id]);
  return rows[0] ?? null;
}
