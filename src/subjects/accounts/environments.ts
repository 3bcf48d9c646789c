import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';

/** One half of a company, as operators see it. */
export type Environment = {
  readonly id: number;
  readonly kind: EnvironmentKind;
  readonly companyId: string;
  readonly nif: string;
  readonly legalName: string;
  readonly chainId: number;
  readonly installationNumber: string;
  /** Records sealed in all its chains. */
  readonly records: number;
  /** Why its chain takes no new records. */
  readonly hold: 'restored' | 'forked' | null;
  readonly standardSeriesId: string;
  readonly rectifyingSeriesId: string;
  readonly keysInForce: number;
  readonly createdAt: Date;
};

const ENVIRONMENTS = `
  select e.id, e.kind, e.company_id as "companyId", c.nif, c.legal_name as "legalName", ch.id as "chainId",
         ch.installation_number as "installationNumber", ch.hold::text,
         (select coalesce(sum(last_position), 0)::int from chain where environment_id = e.id) as records,
         s.id as "standardSeriesId", r.id as "rectifyingSeriesId",
         (select count(*)::int from api_key k where k.environment_id = e.id and k.revoked_at is null
             and (k.expires_at is null or k.expires_at > now()))
           as "keysInForce", e.created_at as "createdAt"
    from environment e
    join company c on c.id = e.company_id
    join chain ch on ch.environment_id = e.id and ch.closed_at is null
    join number_series s on s.environment_id = e.id and s.is_default and s.type = 'standard'
    join number_series r on r.environment_id = e.id and r.is_default and r.type = 'rectifying'`;

/** The environments of a company, or the first 500 of all, by their numbers. */
export async function listEnvironments(client: Queryable, companyId: string | null): Promise<Environment[]> {
  const { rows } = await client.query<Environment>(
    `${ENVIRONMENTS} where $1::text is null or e.company_id = $1 order by e.id limit 500`,
    [companyId],
  );
  return rows;
}

/** One environment by its number, or null. */
export async function findEnvironment(client: Queryable, id: number): Promise<Environment | null> {
  const { rows } = await client.query<Environment>(`${ENVIRONMENTS} where e.id = $1`, [id]);
  return rows[0] ?? null;
}
