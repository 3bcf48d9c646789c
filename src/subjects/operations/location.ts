import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';

/** The environment that a resource belongs to, and its company. */
export type EnvironmentLocation = {
  readonly environmentId: number;
  readonly kind: EnvironmentKind;
  readonly companyId: string;
  readonly legalName: string;
};

/** Tables of resources that carry their environment, by the prefix of the id. */
const TABLES: Readonly<Record<string, string>> = {
  inv: 'invoice',
  rec: 'registration_record',
  ns: 'number_series',
  int: 'integration',
  cus: 'customer',
  key: 'api_key',
};

const SELECT_ENVIRONMENT = `select e.id as "environmentId", e.kind::text, c.id as "companyId", c.legal_name as "legalName"
  from environment e join company c on c.id = e.company_id`;

/** The environment of the invoice, record, series, integration, customer or merchant's key with that id; null when there is none. */
export async function locateResource(client: Queryable, id: string): Promise<EnvironmentLocation | null> {
  const table = TABLES[id.slice(0, id.indexOf('_'))];
  if (table === undefined) return null;
  const { rows } = await client.query<EnvironmentLocation>(
    `${SELECT_ENVIRONMENT} where e.id = (select environment_id from ${table} where id = $1)`,
    [id],
  );
  return rows[0] ?? null;
}

/** The environment of a chain, by the chain's number; null when there is none. */
export async function locateChain(client: Queryable, chainId: number): Promise<EnvironmentLocation | null> {
  const { rows } = await client.query<EnvironmentLocation>(
    `${SELECT_ENVIRONMENT} where e.id = (select environment_id from chain where id = $1)`,
    [chainId],
  );
  return rows[0] ?? null;
}

/** The environment with that number; null when there is none. */
export async function locateEnvironment(client: Queryable, id: number): Promise<EnvironmentLocation | null> {
  const { rows } = await client.query<EnvironmentLocation>(`${SELECT_ENVIRONMENT} where e.id = $1`, [id]);
  return rows[0] ?? null;
}
