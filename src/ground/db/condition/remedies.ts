/**
 * Who has to act on an error of the database: whoever configures the service (`settings`), or whoever runs the database
 * and its machine (`unavailable`), after which the same may be tried again.
 */
export type DatabaseCause = {
  readonly concern: 'settings' | 'unavailable';
  /** The driver's or the server's own words; neither contains a password or a whole URL. */
  readonly reason: string;
  readonly remedy: string;
};

type Remedy = readonly [concern: DatabaseCause['concern'], remedy: string];

const CHECK_LOG = 'look at the log of Postgres and of the pooler before it, then try again';
const CERTIFICATE =
  'give DATABASE_URL the authority that signed the server’s certificate (sslrootcert=FILE), and the host name that it is made out to';

/** By SQLSTATE (PostgreSQL, appendix A), and by the codes of Node's sockets and TLS. */
const BY_CODE: Readonly<Record<string, Remedy>> = {
  '28P01': ['settings', 'correct the role or its password in DATABASE_URL or DATABASE_OWNER_URL'],
  '28000': [
    'settings',
    'correct the role in DATABASE_URL or create it, and let it in from this machine in pg_hba.conf, which may require TLS (sslmode=require)',
  ],
  '3D000': ['settings', 'correct the name of the database in DATABASE_URL, or create it'],
  '42501': [
    'settings',
    'run "lacre database migrate" with DATABASE_OWNER_URL (docs/guides/deployment.md, Roles of the database)',
  ],
  '08P01': [
    'settings',
    'the pooler does not know this role or database: add it there, or correct DATABASE_URL',
  ],
  '25006': [
    'unavailable',
    'set DATABASE_URL to the primary, or find out who set default_transaction_read_only',
  ],
  '53100': ['unavailable', 'free space on the disk of Postgres, then try again'],
  '53200': ['unavailable', 'Postgres has no memory left: see what its machine runs, then try again'],
  '53300': [
    'unavailable',
    'all connection slots are taken: close sessions (pg_stat_activity), lower DATABASE_CONNECTIONS or raise max_connections',
  ],
  '55P03': ['unavailable', 'another session holds the lock (pg_stat_activity): try again when it has ended'],
  '57014': [
    'unavailable',
    'the statement took too long: see pg_stat_activity for what it waited for, then try again',
  ],
  '57P01': ['unavailable', CHECK_LOG],
  '57P02': ['unavailable', CHECK_LOG],
  '57P03': ['unavailable', 'Postgres is starting or stopping: try again when it is up'],
  '58P01': [
    'unavailable',
    'Postgres lacks a file of its own, as after an update of its packages: restart it',
  ],
  ECONNREFUSED: ['unavailable', 'start Postgres, or correct the host and the port of DATABASE_URL'],
  ECONNRESET: ['unavailable', CHECK_LOG],
  EPIPE: ['unavailable', CHECK_LOG],
  ENOENT: ['unavailable', 'start Postgres, or correct the folder of its socket in DATABASE_URL'],
  ENOTFOUND: ['settings', 'correct the host in DATABASE_URL, or the name service of this machine'],
  EAI_AGAIN: ['unavailable', 'the name service of this machine does not answer: try again when it does'],
  ETIMEDOUT: ['unavailable', 'check the host and the port of DATABASE_URL, and the firewalls on the way'],
  EHOSTUNREACH: ['unavailable', 'check the host of DATABASE_URL and the network'],
  ENETUNREACH: ['unavailable', 'check the host of DATABASE_URL and the network'],
  ERR_INVALID_URL: [
    'settings',
    'write DATABASE_URL as postgres://ROLE:PASSWORD@HOST:PORT/DATABASE, its parts percent-encoded',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: ['settings', CERTIFICATE],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['settings', CERTIFICATE],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['settings', CERTIFICATE],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['settings', CERTIFICATE],
  ERR_TLS_CERT_ALTNAME_INVALID: ['settings', CERTIFICATE],
  CERT_HAS_EXPIRED: ['unavailable', 'the certificate of the server has expired: renew it there'],
};

/** Of the driver's errors without a code. */
const BY_MESSAGE: readonly (readonly [RegExp, Remedy])[] = [
  [/does not support SSL/i, ['settings', 'switch TLS on in Postgres, or take sslmode out of DATABASE_URL']],
  [/^SASL: .*password/i, ['settings', 'DATABASE_URL has no password, and the server wants one: add it']],
  [
    /timeout/i,
    [
      'unavailable',
      'check the host and the port of DATABASE_URL, the firewalls on the way, and whether Postgres hangs',
    ],
  ],
  [/connection terminated/i, ['unavailable', CHECK_LOG]],
];

/** What an error of the database is due to and what to do about it; null for any other error. */
export function databaseCause(error: unknown): DatabaseCause | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  const known =
    typeof code === 'string'
      ? BY_CODE[code]
      : BY_MESSAGE.find(([message]) => message.test(error.message))?.[1];
  if (known !== undefined) {
    const [concern, remedy] = known;
    return { concern, reason: error.message || messagesOf(error), remedy };
  }
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return inner.map(databaseCause).find((found) => found !== null) ?? null;
}

/** `localhost` is two addresses, and so their failures are two errors. */
function messagesOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(({ message }) => message).join('; ') : error.name;
}
