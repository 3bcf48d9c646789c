import { createHash, createHmac, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto';

/** Role and password of a login. */
export type Credentials = { readonly role: string; readonly password: string };

/** The maximum length of a name in Postgres, in bytes. */
const NAME_BYTES = 63;

/**
 * The names of a database's roles. All databases of a server share its roles, so each has its own names. Names that begin
 * with `pg_` are reserved by Postgres.
 */
export function roleNames(database: string): { readonly runtime: string; readonly reader: string } {
  const free = database.startsWith('pg_') ? `lacre_${database}` : database;
  const stem =
    Buffer.byteLength(free) + '_runtime'.length <= NAME_BYTES
      ? free
      : `lacre_${createHash('sha256').update(free).digest('hex').slice(0, 16)}`;
  return { runtime: `${stem}_runtime`, reader: `${stem}_reader` };
}

/**
 * The password of a role that the service creates for itself. All processes with the owner's URL derive the same one; the
 * owner's cannot be derived from it, and guessing is expensive. `otherwise` is used if the URL has no password: all
 * processes of a database share it.
 */
function derivedPassword(ownerUrl: string, role: string, otherwise: Buffer): string {
  const { password } = credentialsOf(ownerUrl);
  const secret = password === '' ? otherwise : Buffer.from(password);
  return scryptSync(secret, `lacre ${role}`, 24, { N: 16_384 }).toString('base64url');
}

/** The URL of the role that the service creates for itself if only the owner's is configured. */
export function derivedUrl(url: string, { ownerUrl, database, secret }: Derivation): string {
  const role = roleNames(database).runtime;
  return urlAs(url, { role, password: derivedPassword(ownerUrl, role, secret) });
}

export type Derivation = {
  readonly ownerUrl: string;
  readonly database: string;
  /** Shared by all processes of the database. */
  readonly secret: Buffer;
};

/** The role of a URL; both fields are empty if it does not state one. The query string has priority, as in `pg`. */
export function credentialsOf(url: string): Credentials {
  const { username, password, searchParams } = new URL(url);
  return {
    role: searchParams.get('user') ?? decodeURIComponent(username),
    password: searchParams.get('password') ?? decodeURIComponent(password),
  };
}

/** The same URL for another role. */
function urlAs(url: string, { role, password }: Credentials): string {
  const other = new URL(url);
  for (const name of ['user', 'password']) other.searchParams.delete(name);
  if (other.hostname === '') {
    // A socket: its folder is in the query string, and so these must be.
    other.searchParams.set('user', role);
    other.searchParams.set('password', password);
  } else {
    other.username = encodeURIComponent(role);
    other.password = encodeURIComponent(password);
  }
  return other.href;
}

const ROUNDS = 4_096;

/** What Postgres stores of a password (RFC 5803), so that a log of statements does not contain it. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ROUNDS, 32, 'sha256');
  const keyed = (purpose: string) => createHmac('sha256', salted).update(purpose).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${stored}:${server}`;
}
