import pg from 'pg';
import { z } from 'zod';
import { DATABASE_LIMITS } from '../limits.ts';
import { migrate } from '../migrate.ts';
import { ReachableClient, singleClient } from '../reachable-client.ts';
import { column, readOneRow } from '../rows.ts';
import { arrangeRoles, RoleError } from './arrange.ts';
import { unsafePrivilegesOf } from './privileges.ts';

/**
 * As the owner: migrates the schema and grants the role of `runtimeUrl` its rights; its connections are closed again.
 * Returns the names of the migrations applied. Safe in several processes at once.
 */
export async function prepareDatabase(ownerUrl: string, runtimeUrl: string): Promise<string[]> {
  // One connection holds the lock, the other is the queue's: neither waits for a free one, unless the queue once needs two.
  const pool = new pg.Pool({
    ...{ connectionString: ownerUrl, max: 2, application_name: 'lacre-owner', Client: ReachableClient },
    connectionTimeoutMillis: DATABASE_LIMITS.connectionWait.value,
  });
  // A lost connection fails the next statement, and must not end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  try {
    return await migrate(pool, (client) => arrangeRoles(client, runtimeUrl));
  } finally {
    await pool.end();
  }
}

/** The oldest release that is tested and still maintained (until November 2027). */
const OLDEST_POSTGRES = 150_000;

/** The database and role of a URL. */
export type ConnectionTarget = {
  readonly database: string;
  readonly role: string;
  /** Whether the role can migrate the schema. */
  readonly migrates: boolean;
  /** What would let it bypass the seals. */
  readonly unsafePrivileges: readonly string[];
};

const place = z.object({
  database: z.string(),
  role: z.string(),
  version: column.whole,
  versionText: z.string(),
  migrates: z.boolean(),
});

/** Examines the database of a URL. Throws if it cannot be reached, or if its Postgres is too old. */
export async function connectionTarget(url: string): Promise<ConnectionTarget> {
  const client = singleClient(url);
  try {
    await client.connect();
    const { version, versionText, ...where } = await readOneRow(
      client,
      place,
      `select current_database() as database, current_user::text as role,
         current_setting('server_version_num')::int as version, current_setting('server_version') as "versionText",
         coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.schema_migration')),
           has_schema_privilege('public', 'create')) as migrates`,
    );
    if (version < OLDEST_POSTGRES)
      throw new Error(`Postgres 15 or newer is needed; this is Postgres ${versionText}`);
    return { ...where, unsafePrivileges: await unsafePrivilegesOf(client) };
  } finally {
    await client.end().catch(() => {});
  }
}

/** Throws, with instructions, if the role could bypass the seals. */
export function refuseUnsafePrivileges(role: string, unsafePrivileges: readonly string[]): void {
  if (unsafePrivileges.length === 0) return;
  throw new RoleError(
    [`the service does not run as the role ${role}, which could undo the seals of what was issued: it`]
      .concat(unsafePrivileges.map((power) => `  ${power}`))
      .concat('Give DATABASE_URL a role without these (docs/guides/deployment.md, Roles of the database).')
      .join('\n'),
  );
}
