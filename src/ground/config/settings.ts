import { z } from 'zod';
import { about, type SettingDefinition } from './about-setting.ts';
import { IDENTITY_SETTINGS } from './identity-settings.ts';
import { MAIL_SETTINGS } from './mail-settings.ts';
import { readCertificateKeys, readLinkSecrets, readProxies } from './setting-values.ts';

const text = (limit: number) => z.string().trim().min(1).max(limit);

/** Every setting of the process, one environment variable each. `npm run settings` writes the guide's table from them. */
export const settings = {
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).register(about, {
    group: 'Listening',
    meaning: 'The port that the service listens on; 0 takes any free one.',
  }),
  HOST: text(255).default('0.0.0.0').register(about, {
    group: 'Listening',
    meaning: 'The address that it listens on.',
    values: 'address',
  }),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .register(about, {
      group: 'Listening',
      meaning:
        'How callers reach the service: links in answers and documents start with it. With `https`, cookies are sent only over TLS.',
      values: 'URL, http or https',
      otherwise: '`http://localhost:$PORT`',
    }),
  TRUSTED_PROXIES: z.string().transform(readProxies).optional().register(about, {
    group: 'Listening',
    meaning:
      'The proxies whose `X-Forwarded-For` is trusted: failed attempts with keys and links are counted by that address. It is ignored from all other addresses.',
    values:
      '`address,…`: addresses, networks like `10.0.0.0/8`, or `loopback`, `linklocal`, `uniquelocal` (the private networks)',
    otherwise: 'none',
  }),
  GRAPHIQL: z.enum(['on', 'off']).optional().register(about, {
    group: 'Listening',
    meaning: 'Whether `/graphql` shows GraphiQL in a browser: for development; the page itself needs no key.',
    otherwise: '`on`, but `off` with `AGENCY=production`',
  }),
  GRAPHQL_INTROSPECTION: z.enum(['keys', 'everyone']).default('keys').register(about, {
    group: 'Listening',
    meaning:
      'Who may read the schema at `/graphql`: callers with a key, or everybody. `/docs/schema.graphql` shows it to everybody and costs nothing.',
  }),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional().register(about, {
    group: 'Listening',
    meaning:
      'A separate port for `/metrics`; 0 takes any free one. A worker needs it for monitoring, and a service with it no longer serves `/metrics` at `PORT`.',
    values: 'whole number from 0 to 65535',
    otherwise: 'none: a service shows `/metrics` at `PORT`, a worker nowhere',
  }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .register(about, {
      group: 'Listening',
      meaning: 'The lowest level that is logged.',
    }),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .register(about, {
      group: 'Database',
      meaning:
        'The Postgres database to use, version 15 or later. If the URL logs in as an owner, the service creates a role with fewer rights and runs as that.',
      values: 'URL, postgres',
      otherwise: 'its own Postgres under `DATA_DIR`, with a demo company',
      secret: true,
    }),
  DATABASE_DIRECT_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .register(about, {
      group: 'Database',
      meaning:
        'Required if `DATABASE_URL` is a pooler in transaction mode (PgBouncer): the same database without the pooler, for migrations and for workers that wait for new jobs.',
      values: 'URL, postgres',
      otherwise: 'none: there is no such pooler',
      secret: true,
    }),
  DATABASE_OWNER_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .register(about, {
      group: 'Database',
      meaning:
        'The same database as the role that owns its objects, without a pooler. Only migrations need it; the service then runs as the role of `DATABASE_URL`.',
      values: 'URL, postgres',
      otherwise: 'none: `DATABASE_URL` is the owner’s, or migrations run elsewhere',
      secret: true,
    }),
  DATABASE_READ_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .register(about, {
      group: 'Database',
      meaning:
        'One standby of the same database (streaming replication), which then answers lists, totals, the event log, exports and verifications as long as it has replayed what their caller has written. Set it for all processes.',
      values: 'URL, postgres',
      otherwise: 'none: the primary answers everything',
      secret: true,
    }),
  CITUS_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .register(about, {
      group: 'Database',
      meaning:
        'The same database as a superuser of the coordinator of a Citus cluster, for `lacre database distribute` alone.',
      values: 'URL, postgres',
      otherwise: 'none: the database is of one server',
      secret: true,
    }),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(8).max(200).default(12).register(about, {
    group: 'Database',
    meaning: 'The maximum number of database connections of this process.',
  }),
  DATA_DIR: text(4_096).default('.data').register(about, {
    group: 'Processes',
    meaning:
      'A folder that the process may write to: for the mark that reveals a restored database, generated secrets, and the data of a demo. This and all other relative paths begin in the folder of the program, wherever it is started or a command is run.',
    values: 'path',
  }),
  JOBS: z.enum(['inside', 'outside']).default('inside').register(about, {
    group: 'Processes',
    meaning: 'Whether this process also runs the jobs; `outside` leaves them to workers (`npm run worker`).',
  }),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(0).register(about, {
    group: 'Processes',
    meaning:
      'How long a process that is stopping continues to serve while `/readyz` already answers 503. It should be longer than the load balancer takes to notice; 0 is enough if refused connections are retried elsewhere.',
  }),
  VALIDATIONS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(60).register(about, {
    group: 'Processes',
    meaning:
      'The rate limit of a key on each of the two validate endpoints, and of a portal session on requests for a complete invoice; counted over all processes.',
  }),
  LINK_SECRETS: z.string().transform(readLinkSecrets).optional().register(about, {
    group: 'Secrets',
    meaning:
      'Sign PDF links and access tokens: the first that all live processes know signs, all of them are accepted. The same for all processes of a database, except while [one is replaced](operating.md#replacing-a-secret).',
    values: '`secret,…`, 32 characters or more each',
    otherwise: 'generated in `DATA_DIR`',
    secret: true,
  }),
  CHECKPOINT_KEY: z.string().min(32).optional().register(about, {
    group: 'Secrets',
    meaning:
      'Signs [checkpoints of the journals](auditing.md#checkpoints). The same for all processes of a database, permanently: after a change, the service no longer recognizes its signatures on earlier checkpoints.',
    values: '32 characters or more',
    otherwise: 'generated in `DATA_DIR`',
    secret: true,
  }),
  CHECKPOINT_DIR: text(4_096).optional().register(about, {
    group: 'Processes',
    meaning:
      'The folder that holds the newest checkpoint of each journal. Checkpoints prove something only if the owner of the database cannot write there.',
    values: 'path',
    otherwise: '`checkpoints` in `DATA_DIR`',
  }),
  EVENTS_KEPT_DAYS: z.coerce.number().int().min(30).max(3_650).default(90).register(about, {
    group: 'Webhooks',
    meaning: 'For how many days events can be read. The journal on which they are based is kept permanently.',
  }),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['true', 'false']).optional().register(about, {
    group: 'Webhooks',
    meaning:
      'Whether webhooks may be delivered to private addresses and over http: for development, or if receivers are in the same network.',
    otherwise: '`false`, but `true` for the demo with its own database',
  }),
  ...MAIL_SETTINGS,
  ...IDENTITY_SETTINGS,
  CERTIFICATE_KEYS: z.string().transform(readCertificateKeys).optional().register(about, {
    group: 'Secrets',
    meaning:
      'Encrypt the uploaded client certificates and the signing secrets of webhooks: the first key that all live processes know encrypts, all of them decrypt. The same for all processes of a database, except while [one is replaced](operating.md#replacing-a-secret).',
    values: '`name:key,…`, keys of 32 bytes in base64',
    otherwise: 'generated in `DATA_DIR`',
    secret: true,
  }),
  DOCUMENTS: z.enum(['database', 's3']).default('database').register(about, {
    group: 'Documents',
    meaning:
      'Where new documents are stored. Existing ones stay where they are and remain readable as long as the bucket is configured.',
  }),
  S3_BUCKET: text(255).optional().register(about, {
    group: 'Documents',
    meaning: 'The bucket of an S3-compatible store.',
    values: 'name',
    otherwise: 'none',
  }),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .register(about, {
      group: 'Documents',
      meaning: 'The endpoint of the store.',
      values: 'URL, http or https',
      otherwise: 'Amazon’s own, of the region',
    }),
  S3_REGION: text(64).optional().register(about, {
    group: 'Documents',
    meaning: 'The region of the bucket.',
    otherwise: 'what the SDK finds (`AWS_REGION`, profile); `us-east-1` with `S3_ENDPOINT`',
  }),
  // A key has room for 1,024 bytes; ours take some 150 behind it.
  S3_PREFIX: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)*\/?$/)
    .max(500)
    .optional()
    .register(about, {
      group: 'Documents',
      meaning: 'The prefix of the keys of new documents.',
      values: 'letters, digits, `_`, `.`, `-`, parted by `/`',
      otherwise: 'nothing',
    }),
  S3_PATH_STYLE: z.enum(['true', 'false']).optional().register(about, {
    group: 'Documents',
    meaning: 'Whether the bucket is named in the path instead of the host name.',
    otherwise: '`true` with `S3_ENDPOINT`, else `false`',
  }),
  S3_ACCESS_KEY_ID: text(255).optional().register(about, {
    group: 'Documents',
    meaning: 'The access key of the store; requires `S3_SECRET_ACCESS_KEY`.',
    values: 'text',
    otherwise: 'what the SDK finds (`AWS_…` variables, profile, the machine’s role)',
  }),
  S3_SECRET_ACCESS_KEY: text(255).optional().register(about, {
    group: 'Documents',
    meaning: 'The secret of that access key.',
    values: 'text',
    otherwise: 'what the SDK finds',
    secret: true,
  }),
  AGENCY: z.enum(['simulator', 'preproduction', 'production']).default('simulator').register(about, {
    group: 'Tax agency',
    meaning: 'The tax agency at which the live environments register.',
  }),
  AGENCY_CERTIFICATE_FILE: text(4_096).optional().register(about, {
    group: 'Tax agency',
    meaning: 'The client certificate to use if none is uploaded.',
    values: 'path of a PKCS#12 or PEM file',
    otherwise: 'none',
  }),
  AGENCY_CERTIFICATE_PASSPHRASE: z.string().default('').register(about, {
    group: 'Tax agency',
    meaning: 'The passphrase of that file.',
    values: 'text',
    otherwise: 'none',
    secret: true,
  }),
  AGENCY_CERTIFICATE_KIND: z.enum(['person', 'seal']).optional().register(about, {
    group: 'Tax agency',
    meaning: 'The kind of the certificate, if it does not state it itself.',
    otherwise: 'as stated in the certificate',
  }),
  COLLABORATOR_NIF: z.string().length(9).toUpperCase().optional().register(about, {
    group: 'Tax agency',
    meaning: 'Whose certificate may send for every company.',
    values: 'NIF',
    otherwise: '`SOFTWARE_PRODUCER_NIF`',
  }),
  SOFTWARE_PRODUCER_NAME: text(120).default('Lacre Software SL').register(about, {
    group: 'Software',
    meaning: 'The producer named in every record. The default is the demo’s.',
  }),
  // A well-formed NIF that belongs to nobody: the demo's producer. An installation that goes live sets its own.
  SOFTWARE_PRODUCER_NIF: z.string().length(9).default('B00000000').register(about, {
    group: 'Software',
    meaning: 'The producer’s NIF. The default belongs to nobody.',
    values: 'NIF',
  }),
  SOFTWARE_NAME: text(30).default('Lacre').register(about, {
    group: 'Software',
    meaning: 'The name of the software in records.',
  }),
  SOFTWARE_ID: z
    .string()
    .regex(/^[A-Z0-9]{2}$/)
    .default('LC')
    .register(about, {
      group: 'Software',
      meaning: 'The producer’s identifier for the software.',
      values: 'two letters or digits',
    }),
  SOFTWARE_PRODUCER_ADDRESS: text(300).default('Calle de Ejemplo 1, 28001 Madrid, España').register(about, {
    group: 'Software',
    meaning: 'The producer’s postal address in the declaration at `/docs/declaracion-responsable`.',
  }),
  SOFTWARE_DECLARATION_PLACE: text(120).default('Madrid, España').register(about, {
    group: 'Software',
    meaning: 'Where the declaration is signed: locality and country.',
  }),
  SOFTWARE_PRODUCER_CONTACT: text(300).optional().register(about, {
    group: 'Software',
    meaning: 'How users of the software reach the producer.',
    otherwise: 'none',
  }),
  SIMULATOR_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .register(about, {
      group: 'Simulator',
      meaning:
        'A simulator of the agency that runs elsewhere; the service then starts none. These three settings are used together.',
      values: 'URL, http or https',
      otherwise: 'the service starts its own',
    }),
  SIMULATOR_TLS_URL: z
    .url({ protocol: /^https$/ })
    .optional()
    .register(about, {
      group: 'Simulator',
      meaning: 'The URL of the same simulator for clients with certificates.',
      values: 'URL, https',
      otherwise: 'none',
    }),
  SIMULATOR_TLS_DIR: text(4_096).optional().register(about, {
    group: 'Simulator',
    meaning: 'The folder with its certificates.',
    values: 'path',
    otherwise: 'none',
  }),
  AEAT_SCHEMAS: text(4_096).optional().register(about, {
    group: 'Simulator',
    meaning:
      'A folder with the agency’s schema files; the service’s own simulator then validates records against them.',
    values: 'path',
    otherwise: 'none',
  }),
};

/** One row of the guide's table. */
export type SettingRow = SettingDefinition & {
  readonly name: string;
  readonly values: string;
  readonly standard: string;
};

/** Every setting as the documentation shows it. Throws if a setting lacks a description. */
export function describeSettings(): SettingRow[] {
  return Object.entries(settings).map(([name, schema]) => {
    const description = about.get(schema);
    if (description === undefined) throw new Error(`${name} says nothing of itself`);
    const facts = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Facts;
    const values = description.values ?? valuesOf(facts);
    const standard = description.otherwise ?? (facts.default === undefined ? null : `\`${facts.default}\``);
    if (values === null || standard === null)
      throw new Error(`${name} does not say what it may be, or its default`);
    return { ...description, name, values, standard };
  });
}

/** What is used here of JSON Schema. */
type Facts = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
};

function valuesOf({ type, enum: options, minimum, maximum, maxLength }: Facts): string | null {
  if (options !== undefined) return options.map((option) => `\`${option}\``).join(', ');
  if (type === 'integer') return `${minimum}–${maximum}`;
  return maxLength === undefined ? null : `text, at most ${maxLength} characters`;
}

/** The settings that can also be read from a file. */
export const secretSettings: readonly string[] = Object.entries(settings)
  .filter(([, schema]) => about.get(schema)?.secret === true)
  .map(([name]) => name);
