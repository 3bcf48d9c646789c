import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { EncryptionKey } from '../lib/encryption.ts';
import { writeFileAtomically } from '../lib/write-file.ts';
import { identityIssues, type OperatorsConfig, readOperators } from './identity-settings.ts';
import type { MailServer } from './setting-values.ts';
import { secretSettings, settings } from './settings.ts';
import { shownSettings } from './shown-settings.ts';

/** The settings of the process. Only this file reads the environment; everything else receives what it needs. */
export type Config = OperatorsConfig & {
  readonly port: number;
  readonly host: string;
  /** The separate port of `/metrics`; null: the service serves it at its own port, a worker not at all. */
  readonly metricsPort: number | null;
  /** Where callers reach the service; links in answers start with it. No trailing slash. */
  readonly baseUrl: string;
  /** Addresses and networks whose X-Forwarded-… headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly graphql: {
    /** Whether a browser gets GraphiQL. */
    readonly graphiql: boolean;
    /** Who may read the schema. */
    readonly introspection: 'keys' | 'everyone';
  };
  readonly dataDir: string;
  /** Null: the service starts its own Postgres under `dataDir`, and creates a demo company. */
  readonly databaseUrl: string | null;
  /** The same database without the pooler in transaction mode to which `databaseUrl` points; null without a pooler. */
  readonly databaseDirectUrl: string | null;
  /** The same database as the role that owns its objects, only for migrations; null if there is only `databaseUrl`. */
  readonly databaseOwnerUrl: string | null;
  /** A standby of the database that may answer large reads; null if there is none. */
  readonly databaseReadUrl: string | null;
  /** The database as a superuser, only for dividing it among servers; null if there is none. */
  readonly citusDatabaseUrl: string | null;
  readonly databaseConnections: number;
  readonly logLevel: string;
  /** Null: no traces are recorded. `named`: the service's name for them is configured as well. */
  readonly tracing: { readonly named: boolean } | null;
  /** Whether this process also runs the jobs (otherwise `npm run worker` does). */
  readonly runsJobs: boolean;
  /** Sign download links and access tokens (`Keyring`). Processes that share a database must share at least one. */
  readonly linkSecrets: readonly Buffer[];
  /** Encrypt stored client certificates and signing secrets (`Keyring`). Shared in the same way. */
  readonly certificateKeys: readonly EncryptionKey[];
  /** Signs checkpoints of the journals. Processes that share a database must share it. */
  readonly checkpointSeed: Buffer;
  /** The folder with the newest checkpoint of each journal. */
  readonly checkpointDir: string;
  /** How long events can be read. */
  readonly eventsKeptDays: number;
  /** Whether webhooks may be delivered to private addresses and over http. */
  readonly webhooksAllowPrivate: boolean;
  /** Null: no e-mail is sent. */
  readonly mail: MailConfig | null;
  /** The time between the announcement of a shutdown and the shutdown. */
  readonly drainSeconds: number;
  readonly validationsPerMinute: number;
  readonly agency: AgencyConfig;
  /** Null: the service starts its own simulator. */
  readonly simulator: { readonly url: string; readonly tlsUrl: string; readonly tlsDir: string } | null;
  /** A folder with the agency's schema files; its own simulator validates records against them. */
  readonly agencySchemas: string | null;
  readonly software: SoftwareConfig;
  readonly declaration: DeclarationConfig;
  /** Null: documents are stored in Postgres. */
  readonly objectStore: ObjectStoreConfig | null;
};

/** The mail server, and the sender's address. */
export type MailConfig = { readonly from: string } & (
  | {
      readonly way: 'smtp';
      readonly server: MailServer;
      readonly requireTls: boolean;
      readonly bounces: string | null;
    }
  | { readonly way: 'folder'; readonly folder: string }
);

/** A bucket of an S3-compatible store. */
export type ObjectStoreConfig = {
  /** Whether new documents are stored there; otherwise it is only read. */
  readonly storesNew: boolean;
  /** Null: Amazon's endpoint of the region. */
  readonly endpoint: string | null;
  /** Null: whatever the SDK finds (AWS_REGION, the profile). */
  readonly region: string | null;
  readonly bucket: string;
  /** The prefix of every key; empty, or with a slash at its end. */
  readonly prefix: string;
  /** Whether the bucket is named in the path instead of the host. */
  readonly pathStyle: boolean;
  /** Null: whatever the SDK finds (AWS_… variables, the profile, the machine's role). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
};

/** The tax agency of the live environments, and the certificate to use when none has been uploaded. */
export type AgencyConfig = {
  readonly endpoint: 'simulator' | 'preproduction' | 'production';
  /** PKCS#12 or PEM. `kind` null: as stated in the certificate. */
  readonly certificate: {
    readonly kind: 'person' | 'seal' | null;
    readonly content: Buffer;
    readonly passphrase: string;
  } | null;
  /** Whose certificate may send for every company: the collaborator's (agreement 17, Orden HAC/1177/2024 art. 5). */
  readonly collaboratorNif: string;
};

/** The SistemaInformatico block of every record (Orden HAC/1177/2024 art. 15.1; lengths as in the XSD). */
export type SoftwareConfig = {
  readonly producerName: string;
  readonly producerNif: string;
  readonly name: string;
  readonly id: string;
  readonly version: string;
};

/** What the producer's declaration states beyond the block (Orden HAC/1177/2024 art. 15.1.j, 15.1.l and 15.2.a). */
export type DeclarationConfig = {
  readonly producerAddress: string;
  /** Locality and country, in that order. */
  readonly place: string;
  readonly contact: string | null;
};

/** Relative paths of settings begin here, for the service and for commands that are run from another folder. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Reads the settings. Throws one error that names every invalid one. */
export function readConfig(
  variables: Record<string, string | undefined> = process.env,
  { makesSecrets } = { makesSecrets: true },
): Config {
  const faults: string[] = [];
  const set = withSecretFiles(
    Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')),
    faults,
  );
  const parsed = environment.safeParse(set);
  faults.push(...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  if (!parsed.success || faults.length > 0) {
    throw new Error(`The configuration is invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
  if (!makesSecrets) refuseToMakeSecrets(parsed.data);
  return { ...configOf(parsed.data), tracing: readTracing(set) };
}

const environment = z.object(settings).superRefine((value, check) => {
  const simulator = [value.SIMULATOR_URL, value.SIMULATOR_TLS_URL, value.SIMULATOR_TLS_DIR];
  if (new Set(simulator.map((setting) => setting === undefined)).size > 1) {
    check.addIssue({
      code: 'custom',
      path: ['SIMULATOR_URL'],
      message: 'SIMULATOR_URL, SIMULATOR_TLS_URL and SIMULATOR_TLS_DIR go together',
    });
  }
  if (value.DATABASE_DIRECT_URL !== undefined && value.DATABASE_URL === undefined) {
    const message = 'names the database behind the pooler of DATABASE_URL, which is missing';
    check.addIssue({ code: 'custom', path: ['DATABASE_DIRECT_URL'], message });
  }
  if (value.DATABASE_OWNER_URL !== undefined && value.DATABASE_URL === undefined) {
    const message = 'is the owner of the database of DATABASE_URL, which is missing';
    check.addIssue({ code: 'custom', path: ['DATABASE_OWNER_URL'], message });
  }
  if (value.DATABASE_READ_URL !== undefined && value.DATABASE_URL === undefined) {
    const message = 'is a standby of the database of DATABASE_URL, which is missing';
    check.addIssue({ code: 'custom', path: ['DATABASE_READ_URL'], message });
  }
  if ((value.SMTP_URL === undefined) !== (value.EMAIL_FROM === undefined)) {
    const message = 'SMTP_URL and EMAIL_FROM go together';
    check.addIssue({ code: 'custom', path: ['EMAIL_FROM'], message });
  }
  for (const issue of identityIssues(value)) check.addIssue(issue);
  const needsBucket = value.DOCUMENTS === 's3' || Object.keys(value).some((name) => name.startsWith('S3_'));
  if (needsBucket && value.S3_BUCKET === undefined) {
    check.addIssue({ code: 'custom', path: ['S3_BUCKET'], message: 'is required with an object store' });
  }
  if ((value.S3_ACCESS_KEY_ID === undefined) !== (value.S3_SECRET_ACCESS_KEY === undefined)) {
    const message = 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together';
    check.addIssue({ code: 'custom', path: ['S3_ACCESS_KEY_ID'], message });
  }
});

/**
 * Reads secrets `<NAME>` from `<NAME>_FILE`: orchestrators provide secrets as files, which do not show in a list of
 * processes. A trailing line break is removed.
 */
function withSecretFiles(
  variables: Record<string, string | undefined>,
  faults: string[],
): Record<string, string | undefined> {
  const set = { ...variables };
  for (const name of secretSettings) {
    const file = variables[`${name}_FILE`];
    if (file === undefined) continue;
    if (variables[name] !== undefined) {
      faults.push(`${name}: is set twice, also by ${name}_FILE`);
      continue;
    }
    try {
      set[name] = readFileSync(resolve(ROOT, file), 'utf8').replace(/\r?\n$/, '');
      if (set[name] === '') faults.push(`${name}_FILE: ${file} is empty`);
    } catch (error) {
      faults.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  return set;
}

/**
 * Of OpenTelemetry's standard variables, only whether traces are recorded at all; its SDK reads the others. Without an
 * endpoint none are recorded, although by the standard they would be sent to a collector on this machine.
 */
function readTracing(variables: Record<string, string | undefined>): Config['tracing'] {
  const exporter = variables['OTEL_TRACES_EXPORTER']?.trim();
  const isConfigured =
    exporter !== undefined ||
    variables['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined ||
    variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] !== undefined;
  const disabled = variables['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true';
  if (disabled || exporter === 'none' || !isConfigured) return null;
  const attributes = variables['OTEL_RESOURCE_ATTRIBUTES'] ?? '';
  return { named: variables['OTEL_SERVICE_NAME'] !== undefined || /(^|,)\s*service\.name=/.test(attributes) };
}

/** The settings for a command, which makes no secrets for a configured database: they would not be the service's. */
export function readCommandConfig(): Config {
  return readConfig(process.env, { makesSecrets: false });
}

/** The settings of this process as a stranger may see them. */
export const shownCommandSettings = (): Record<string, string> => shownSettings(process.env);

/** The password of a database that is named on the command line without one, as the programs of Postgres take it. */
export const passwordOfEnvironment = (): string => process.env['PGPASSWORD'] ?? '';

/** Who called sudo, as sudo says; null without it. */
export const personBehindSudo = (): string | null => process.env['SUDO_USER'] || null;

/** The secrets that are made in DATA_DIR where they are not set. */
const MADE_SECRETS = ['LINK_SECRETS', 'CHECKPOINT_KEY', 'CERTIFICATE_KEYS'] as const;

function refuseToMakeSecrets(env: z.output<typeof environment>): void {
  const missing = MADE_SECRETS.filter((name) => env[name] === undefined);
  const dataDir = resolve(ROOT, env.DATA_DIR);
  if (env.DATABASE_URL === undefined || missing.length === 0 || existsSync(dataDir)) return;
  throw new Error(
    `${missing.join(', ')}: not set, and there is no DATA_DIR ${dataDir} with the service’s own. Run the command with the settings of the service`,
  );
}

function configOf(env: z.output<typeof environment>): Omit<Config, 'tracing'> {
  const dataDir = resolve(ROOT, env.DATA_DIR);
  return {
    port: env.PORT,
    host: env.HOST,
    metricsPort: env.METRICS_PORT ?? null,
    baseUrl: (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    graphql: {
      // A production installation does not offer tools to anonymous visitors.
      graphiql: (env.GRAPHIQL ?? (env.AGENCY === 'production' ? 'off' : 'on')) === 'on',
      introspection: env.GRAPHQL_INTROSPECTION,
    },
    dataDir,
    databaseUrl: env.DATABASE_URL ?? null,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? null,
    databaseOwnerUrl: env.DATABASE_OWNER_URL ?? null,
    databaseReadUrl: env.DATABASE_READ_URL ?? null,
    citusDatabaseUrl: env.CITUS_DATABASE_URL ?? null,
    databaseConnections: env.DATABASE_CONNECTIONS,
    logLevel: env.LOG_LEVEL,
    runsJobs: env.JOBS === 'inside',
    linkSecrets: env.LINK_SECRETS ?? [secretFile(dataDir, 'link-secret')],
    checkpointSeed:
      env.CHECKPOINT_KEY === undefined
        ? secretFile(dataDir, 'checkpoint-key')
        : createHash('sha256').update(env.CHECKPOINT_KEY).digest(),
    checkpointDir: resolve(ROOT, env.CHECKPOINT_DIR ?? join(dataDir, 'checkpoints')),
    eventsKeptDays: env.EVENTS_KEPT_DAYS,
    webhooksAllowPrivate:
      env.WEBHOOK_ALLOW_PRIVATE === undefined
        ? env.DATABASE_URL === undefined && env.AGENCY === 'simulator'
        : env.WEBHOOK_ALLOW_PRIVATE === 'true',
    mail: readMail(env, dataDir),
    ...readOperators(env),
    certificateKeys: env.CERTIFICATE_KEYS ?? [generatedKey(dataDir)],
    drainSeconds: env.DRAIN_SECONDS,
    validationsPerMinute: env.VALIDATIONS_PER_MINUTE,
    agency: readAgency(env),
    simulator:
      env.SIMULATOR_URL && env.SIMULATOR_TLS_URL && env.SIMULATOR_TLS_DIR
        ? {
            url: env.SIMULATOR_URL,
            tlsUrl: env.SIMULATOR_TLS_URL,
            tlsDir: resolve(ROOT, env.SIMULATOR_TLS_DIR),
          }
        : null,
    agencySchemas: env.AEAT_SCHEMAS === undefined ? null : resolve(ROOT, env.AEAT_SCHEMAS),
    software: {
      producerName: env.SOFTWARE_PRODUCER_NAME,
      producerNif: env.SOFTWARE_PRODUCER_NIF,
      name: env.SOFTWARE_NAME,
      id: env.SOFTWARE_ID,
      version: packageVersion(),
    },
    declaration: {
      producerAddress: env.SOFTWARE_PRODUCER_ADDRESS,
      place: env.SOFTWARE_DECLARATION_PLACE,
      contact: env.SOFTWARE_PRODUCER_CONTACT ?? null,
    },
    objectStore: readObjectStore(env),
  };
}

function readAgency(env: z.output<typeof environment>): AgencyConfig {
  return {
    endpoint: env.AGENCY,
    certificate:
      env.AGENCY_CERTIFICATE_FILE === undefined
        ? null
        : {
            kind: env.AGENCY_CERTIFICATE_KIND ?? null,
            content: readFileSync(resolve(ROOT, env.AGENCY_CERTIFICATE_FILE)),
            passphrase: env.AGENCY_CERTIFICATE_PASSPHRASE,
          },
    collaboratorNif: env.COLLABORATOR_NIF ?? env.SOFTWARE_PRODUCER_NIF,
  };
}

/** Stores other than Amazon's rarely have a host for each bucket, and accept any region. */
function readObjectStore(env: z.output<typeof environment>): ObjectStoreConfig | null {
  if (env.S3_BUCKET === undefined) return null;
  const ownEndpoint = env.S3_ENDPOINT !== undefined;
  return {
    storesNew: env.DOCUMENTS === 's3',
    endpoint: env.S3_ENDPOINT ?? null,
    region: env.S3_REGION ?? (ownEndpoint ? 'us-east-1' : null),
    bucket: env.S3_BUCKET,
    prefix: env.S3_PREFIX === undefined ? '' : `${env.S3_PREFIX.replace(/\/$/, '')}/`,
    pathStyle: env.S3_PATH_STYLE === undefined ? ownEndpoint : env.S3_PATH_STYLE === 'true',
    credentials:
      env.S3_ACCESS_KEY_ID && env.S3_SECRET_ACCESS_KEY
        ? { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY }
        : null,
  };
}

/** The demo's sender: no address can exist in this domain (RFC 6761, section 6.4). */
const DEMO_SENDER = 'facturas@lacre.invalid';

function readMail(env: z.output<typeof environment>, dataDir: string): MailConfig | null {
  const { SMTP_URL: server, EMAIL_FROM: from } = env;
  if (server === undefined || from === undefined) {
    // A demo shows what it would send; a service in production must not appear to have sent it.
    return env.DATABASE_URL === undefined && env.AGENCY === 'simulator'
      ? { way: 'folder', from: DEMO_SENDER, folder: join(dataDir, 'mail') }
      : null;
  }
  const isLocal = /^(localhost|127\.[\d.]+|::1)$/.test(server.host);
  const requireTls = !isLocal && (env.AGENCY === 'production' || server.login !== null);
  return { way: 'smtp', from, server, requireTls, bounces: env.EMAIL_BOUNCES ?? null };
}

function packageVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** The key that is generated without CERTIFICATE_KEYS; its name distinguishes such keys. */
function generatedKey(dataDir: string): EncryptionKey {
  const key = secretFile(dataDir, 'certificate-key');
  return { name: `generated-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`, key };
}

const SECRET_BYTES = 32;

/**
 * A secret of 32 bytes that is generated at the first start and stored, so that what it protects survives a restart. An
 * empty file, which a full disk can leave behind, protects nothing yet and is generated again; a damaged one is an error.
 */
function secretFile(dataDir: string, name: string): Buffer {
  const file = join(dataDir, name);
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (stored === '') {
    const generated = randomBytes(SECRET_BYTES);
    writeFileAtomically(file, generated.toString('hex'));
    return generated;
  }
  const secret = Buffer.from(stored, 'hex');
  if (secret.length === SECRET_BYTES) return secret;
  throw new Error(`${file} is damaged: restore it from the backup of ${dataDir}`);
}
