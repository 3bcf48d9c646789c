import { z } from 'zod';
import { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRow, readRows } from '../../../ground/db/rows.ts';
import { TIME_ZONES } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import type { SeriesFacts } from '../../number-series/series.ts';
import type { Caller, IssuingCaller, Operator, Scope } from '../entry/caller.ts';
import { KEY_SCOPES, type KeyScope, OPERATOR_ROLES } from '../entry/permissions.ts';

const placeRow = z.object({
  environment_id: column.whole,
  environment: z.enum(EnvironmentKind),
  company_id: z.string(),
  clock_ahead_ms: column.whole,
  time_zone: z.enum(TIME_ZONES),
});

const scopeRow = placeRow.extend({
  account_id: z.string(),
  nif: z.string(),
  legal_name: z.string(),
  given_name: z.string().nullable(),
  surnames: z.string().nullable(),
  address_line1: z.string(),
  address_line2: z.string().nullable(),
  address_postal_code: z.string(),
  address_city: z.string(),
  address_country: z.string(),
  mandate_approved: z.boolean(),
  onboarding_finished: z.boolean(),
  subscription_active: z.boolean(),
  issuing_ended: z.boolean(),
  verifactu_ends_on: column.day.nullable(),
  chain_id: column.whole,
  installation_number: z.string(),
  several_billings: z.boolean(),
  standard_id: z.string().nullable(),
  standard_prefix: z.string().nullable(),
  standard_yearly: z.boolean().nullable(),
  rectifying_id: z.string().nullable(),
  rectifying_prefix: z.string().nullable(),
  rectifying_yearly: z.boolean().nullable(),
  catalog_version: column.whole,
});
type ScopeRow = z.infer<typeof scopeRow>;

const keyColumns = {
  key_id: z.string(),
  key_prefix: z.string(),
  key_scopes: z.string(),
  key_expires_at: column.instant.nullable(),
};
const readerRow = placeRow.extend({ ...keyColumns, hash: z.string() });
const callerRow = scopeRow.extend({ ...keyColumns, hash: z.string() });
const tokenCallerRow = scopeRow.extend({
  ...keyColumns,
  allowed_origins: z.array(z.string()),
  trusted_documents_only: z.boolean(),
});

const PLACE_COLUMNS =
  'e.id as environment_id, e.kind as environment, e.company_id, e.clock_ahead_ms, e.time_zone';

const SCOPE_COLUMNS = `
    ${PLACE_COLUMNS}, c.account_id, c.nif, c.legal_name, c.given_name, c.surnames,
    c.address_line1, c.address_line2, c.address_postal_code, c.address_city, c.address_country,
    c.mandate_approved_at is not null as mandate_approved,
    c.onboarding_finished_at is not null as onboarding_finished,
    coalesce(i.issuing_ended, false) as issuing_ended, c.verifactu_ends_on::text,
    a.subscription_active, coalesce(i.chain_id, 0) as chain_id, coalesce(i.installation_number, '') as installation_number,
    exists (select 1 from company other where other.account_id = a.id and other.id <> c.id) as several_billings,
    i.standard_id, i.standard_prefix, i.standard_yearly, i.rectifying_id, i.rectifying_prefix, i.rectifying_yearly,
    c.catalog_version`;

/**
 * What foreign keys do not guarantee is asked of a function, so that its absence is no absence of the key: a caller without an open
 * chain or a default series is known, and only what needs them is refused.
 */
const SCOPE_TABLES = `
  join company c on c.id = e.company_id
  join account a on a.id = c.account_id
  cross join lateral issuing_scope(e.id) as i`;

const KEY_COLUMNS = `k.id as key_id, k.prefix as key_prefix, array_to_string(k.scopes, ',') as key_scopes,
    k.expires_at as key_expires_at`;
const KEY_IN_FORCE = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)';

const OF_HASHES = `k.hash = any (array(select decode(h, 'hex') from unnest($1::text[]) h))`;

const OF_KEYS = `from api_key k join environment e on e.id = k.environment_id ${SCOPE_TABLES}`;

const CALLERS = `
  select encode(k.hash, 'hex') as hash, ${KEY_COLUMNS}, ${SCOPE_COLUMNS} ${OF_KEYS}
  where ${OF_HASHES} and ${KEY_IN_FORCE}`;

const READERS = `
  select encode(k.hash, 'hex') as hash, ${KEY_COLUMNS}, ${PLACE_COLUMNS}
  from api_key k
  join environment e on e.id = k.environment_id
  where ${OF_HASHES} and ${KEY_IN_FORCE}`;

const CALLERS_OF_TOKENS = `
  select ${KEY_COLUMNS}, e.allowed_origins, e.trusted_documents_only, ${SCOPE_COLUMNS} ${OF_KEYS}
  where k.id = any ($1) and ${KEY_IN_FORCE}`;

const SCOPE = `select ${SCOPE_COLUMNS} from environment e ${SCOPE_TABLES} where e.id = $1`;

/** The environment with the data that issuing needs, for callers without its key; it must exist. */
export async function readScope(client: Queryable, environmentId: number): Promise<Scope> {
  const row = await readRow(client, scopeRow, { name: 'scope', text: SCOPE }, [environmentId]);
  if (row === null) throw new Error(`environment ${environmentId} cannot issue`);
  return scopeOf(row);
}

const placedKey = z.object({ key: z.string(), environmentId: column.whole });

/** The environments of keys, in force or not, by the hash of the key in hexadecimal. */
export async function environmentsOfHashes(db: Queryable, hashes: string[]): Promise<Map<string, number>> {
  const text = `select encode(k.hash, 'hex') as key, k.environment_id as "environmentId" from api_key k where ${OF_HASHES}`;
  const rows = await readRows(db, placedKey, { name: 'environments-of-hashes', text }, [hashes]);
  return new Map(rows.map(({ key, environmentId }) => [key, environmentId]));
}

/** The environments of keys, in force or not, by the ids of the keys. */
export async function environmentsOfKeys(db: Queryable, keyIds: string[]): Promise<Map<string, number>> {
  const text = 'select id as key, environment_id as "environmentId" from api_key where id = any ($1)';
  const rows = await readRows(db, placedKey, { name: 'environments-of-keys', text }, [keyIds]);
  return new Map(rows.map(({ key, environmentId }) => [key, environmentId]));
}

/** The callers whose keys are in force, by the hash of the key in hexadecimal. */
export async function readCallers(db: Queryable, hashes: string[]): Promise<Map<string, IssuingCaller>> {
  const rows = await readRows(db, callerRow, { name: 'callers', text: CALLERS }, [hashes, clock.now()]);
  return new Map(rows.map((row) => [row.hash, { ...callerOf(row), ...scopeOf(row) }]));
}

/** The same of any environment without the data that issuing needs, which is in four tables more. */
export async function readReaders(db: Queryable, hashes: string[]): Promise<Map<string, Caller>> {
  const rows = await readRows(db, readerRow, { name: 'readers', text: READERS }, [hashes, clock.now()]);
  return new Map(rows.map((row) => [row.hash, callerOf(row)]));
}

type CallerOfTokens = {
  readonly caller: IssuingCaller;
  readonly origins: readonly string[];
  readonly onlyTrusted: boolean;
};

/** The callers of access tokens of these keys, by the key's id; only keys in force are returned. */
export async function readCallersOfTokens(
  db: Queryable,
  keyIds: string[],
): Promise<Map<string, CallerOfTokens>> {
  const statement = { name: 'callers-of-tokens', text: CALLERS_OF_TOKENS };
  const rows = await readRows(db, tokenCallerRow, statement, [keyIds, clock.now()]);
  return new Map(
    rows.map((row) => [
      row.key_id,
      {
        caller: { ...callerOf(row), ...scopeOf(row) },
        origins: row.allowed_origins,
        onlyTrusted: row.trusted_documents_only,
      },
    ]),
  );
}

function callerOf(row: Omit<z.infer<typeof readerRow>, 'hash'>): Caller {
  return {
    kind: 'merchant',
    keyId: row.key_id,
    keyPrefix: row.key_prefix,
    scopes: scopeSet(row.key_scopes),
    keyExpiresAt: row.key_expires_at,
    accessToken: null,
    ...placeOf(row),
  };
}

/** There are at most sixteen sets, and every request has one of them: each is created once. */
const sets = new Map<string, ReadonlySet<KeyScope>>();

/** The scopes of a key as the database returns them, separated by commas. */
function scopeSet(listed: string): ReadonlySet<KeyScope> {
  let set = sets.get(listed);
  if (set === undefined) {
    set = new Set(KEY_SCOPES.filter((scope) => listed.split(',').includes(scope)));
    sets.set(listed, set);
  }
  return set;
}

function placeOf(row: z.infer<typeof placeRow>) {
  return {
    environmentId: row.environment_id,
    environment: row.environment,
    companyId: row.company_id,
    clockAheadMs: row.clock_ahead_ms,
    timeZone: row.time_zone,
  };
}

function scopeOf(row: ScopeRow): Scope {
  return {
    ...placeOf(row),
    accountId: row.account_id,
    issuer: {
      nif: row.nif,
      legalName: row.legal_name,
      // Absent, not null, so that what is sealed of the others stays as it is.
      ...(row.given_name !== null && { givenName: row.given_name }),
      ...(row.surnames !== null && { surnames: row.surnames }),
      line1: row.address_line1,
      line2: row.address_line2,
      postalCode: row.address_postal_code,
      city: row.address_city,
      country: row.address_country,
    },
    gates: {
      mandateApproved: row.mandate_approved,
      onboardingFinished: row.onboarding_finished,
      subscriptionActive: row.subscription_active,
    },
    issuingEnded: row.issuing_ended,
    lastDay: row.environment === 'live' ? row.verifactu_ends_on : null,
    openChainId: row.chain_id,
    installationNumber: row.installation_number,
    severalBillings: row.several_billings,
    standardSeries: seriesOf(row.standard_id, row.standard_prefix, row.standard_yearly),
    rectifyingSeries: seriesOf(row.rectifying_id, row.rectifying_prefix, row.rectifying_yearly),
    catalogVersion: row.catalog_version,
  };
}

function seriesOf(id: string | null, prefix: string | null, yearly: boolean | null): SeriesFacts | null {
  return id === null || prefix === null || yearly === null ? null : { id, prefix, yearly };
}

const operatorRow = z.object({
  hash: z.string(),
  id: z.string(),
  prefix: z.string(),
  name: z.string(),
  role: z.enum(OPERATOR_ROLES),
});

/** The operators whose keys are in force, by the hash of the key in hexadecimal. */
export async function readOperators(db: Queryable, hashes: string[]): Promise<Map<string, Operator>> {
  const rows = await readRows(
    db,
    operatorRow,
    `select encode(hash, 'hex') as hash, id, prefix, name, role from operator_key
     where hash = any (array(select decode(h, 'hex') from unnest($1::text[]) h)) and revoked_at is null
       and (expires_at is null or expires_at > $2)`,
    [hashes, clock.now()],
  );
  return new Map(
    rows.map(({ hash, id, prefix, name, role }) => [
      hash,
      { kind: 'operator', keyId: id, keyPrefix: prefix, name, role },
    ]),
  );
}
