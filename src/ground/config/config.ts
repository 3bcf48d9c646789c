import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { EncryptionKey } from '../lib/encryption.ts';
import { writeWhole } from '../lib/write-file.ts';
import type { MailServer } from './setting-values.ts';
import { secretSettings, settings } from './settings.ts';

/** The process's settings. This file alone reads the environment; everything else is handed what it needs. */
export type Config = {
  readonly port: number;
  readonly host: string;
  /** Where `/metrics` is served instead; null: by the service beside everything else, by a worker nowhere. */
  readonly metricsPort: number | null;
  /** Where callers reach the service; links in answers start with it. No trailing slash. */
  readonly baseUrl: string;
  /** Addresses and networks whose X-Forwarded-… headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly graphql: {
    /** Whether a browser gets GraphiQL. */
    readonly graphiql: boolean;
    /** Who may ask for the schema. */
    readonly introspection: 'keys' | 'everyone';
  };
  readonly dataDir: string;
  /** Null: the service brings its own Postgres under `dataDir`, and a demo company. */
  readonly databaseUrl: string | null;
  /** The same database past a pooler in transaction mode, which `databaseUrl` then leads to; null without one. */
  readonly databaseDirectUrl: string | null;
  /** The same database as the role that everything in it belongs to, for migrations alone; null where `databaseUrl` is all. */
  readonly databaseOwnerUrl: string | null;
  /** A standby of it that may answer large reads; null without one. */
  readonly databaseReadUrl: string | null;
  readonly databaseConnections: number;
  readonly logLevel: string;
  /** Null: no traces are kept. `named`: the service's name in them is set, too. */
  readonly tracing: { readonly named: boolean } | null;
  /** Whether this process also runs the jobs (otherwise `npm run worker` does). */
  readonly runsJobs: boolean;
  /** Signs download links. Processes that share a database must share it. */
  readonly linkSecret: Buffer;
  /** Lock stored client certificates: the first locks, all of them open. Processes that share a database must share them. */
  readonly certificateKeys: readonly EncryptionKey[];
  /** What checkpoints of the journals are signed with. Processes that share a database must share it. */
  readonly checkpointSeed: Buffer;
  /** The folder that holds the newest checkpoint of each journal. */
  readonly checkpointDir: string;
  /** For how long events can be read. */
  readonly eventsKeptDays: number;
  /** Whether webhooks may go to private addresses and over http. */
  readonly webhooksAllowPrivate: boolean;
  /** Null: no e-mail is sent. */
  readonly mail: MailConfig | null;
  /** Between the announcement that the process stops and its end. */
  readonly drainSeconds: number;
  readonly validationsPerMinute: number;
  readonly agency: AgencyConfig;
  /** Null: the service starts a simulator of its own. */
  readonly simulator: { readonly url: string; readonly tlsUrl: string; readonly tlsDir: string } | null;
  /** A folder with the agency's schema files, by which its own simulator then checks what it is sent. */
  readonly agencySchemas: string | null;
  /** With what test environments exchange invoices and statuses between businesses. */
  readonly publicSolution: 'off' | 'simulator';
  readonly software: SoftwareConfig;
  readonly declaration: DeclarationConfig;
  /** Null: documents are kept in Postgres. */
  readonly objectStore: ObjectStoreConfig | null;
};

/** Where e-mail goes, and from which address it comes. */
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
  /** Whether new documents are kept there; otherwise what is there is only read. */
  readonly takesNew: boolean;
  /** Null: Amazon's own, of the region. */
  readonly endpoint: string | null;
  /** Null: whatever the SDK finds (AWS_REGION, the profile). */
  readonly region: string | null;
  readonly bucket: string;
  /** What every key begins with; empty, or with a slash at its end. */
  readonly prefix: string;
  /** Whether the bucket is named in the path instead of the host. */
  readonly pathStyle: boolean;
  /** Null: whatever the SDK finds (AWS_… variables, the profile, the machine's role). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
};

/** Which tax agency the live environments talk to, and with which certificate when none has been uploaded. */
export type AgencyConfig = {
  readonly endpoint: 'simulator' | 'preproduction' | 'production';
  /** PKCS#12 or PEM. `kind` null: what the certificate says of itself. */
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

/** What the producer's declaration says beyond the block (Orden HAC/1177/2024 art. 15.1.j, 15.1.l and 15.2.a). */
export type DeclarationConfig = {
  readonly producerAddress: string;
  /** Locality and country, in that order. */
  readonly place: string;
  readonly contact: string | null;
};

/** Reads the settings. Throws one error that names every faulty one. */
export function readConfig(variables: Record<string, string | undefined> = process.env): Config {
  const faults: string[] = [];
  const set = withSecretFiles(
    Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')),
    faults,
  );
  const parsed = environment.safeParse(set);
  faults.push(...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  if (!parsed.success || faults.length > 0) {
    throw new Error(`The configuration is faulty:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
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
  if (value.PUBLIC_SOLUTION === 'live') {
    const message =
      'cannot be live: the WSDL of the public solution is not published, so nothing here speaks to it. Leave it off, or set it to simulator for test environments';
    check.addIssue({ code: 'custom', path: ['PUBLIC_SOLUTION'], message });
  }
  if (value.PUBLIC_SOLUTION === 'simulator' && value.AGENCY !== 'simulator') {
    const message =
      'goes with AGENCY=simulator alone: elsewhere the simulator answers for the registers only';
    check.addIssue({ code: 'custom', path: ['PUBLIC_SOLUTION'], message });
  }
  if (value.DATABASE_DIRECT_URL !== undefined && value.DATABASE_URL === undefined) {
    const message = 'goes past the pooler that DATABASE_URL leads to, which is missing';
    check.addIssue({ code: 'custom', path: ['DATABASE_DIRECT_URL'], message });
  }
  if (value.DATABASE_OWNER_URL !== undefined && value.DATABASE_URL === undefined) {
    const message = 'migrates for the role of DATABASE_URL, which is missing';
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
  const needsBucket = value.DOCUMENTS === 's3' || Object.keys(value).some((name) => name.startsWith('S3_'));
  if (needsBucket && value.S3_BUCKET === undefined) {
    check.addIssue({ code: 'custom', path: ['S3_BUCKET'], message: 'an object store needs its bucket' });
  }
  if ((value.S3_ACCESS_KEY_ID === undefined) !== (value.S3_SECRET_ACCESS_KEY === undefined)) {
    const message = 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together';
    check.addIssue({ code: 'custom', path: ['S3_ACCESS_KEY_ID'], message });
  }
});

/**
 * Puts what `<NAME>_FILE` holds in the place of a secret `<NAME>`: orchestrators hand secrets over as files, which no
 * list of processes shows. The line end that editors leave is not part of it.
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
      set[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (set[name] === '') faults.push(`${name}_FILE: ${file} is empty`);
    } catch (error) {
      faults.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  return set;
}

/**
 * Of OpenTelemetry's standard variables only what says whether traces are kept at all; its SDK reads them itself. With
 * nothing said of where they go none are, although the standard would then send them to a collector on this machine.
 */
function readTracing(variables: Record<string, string | undefined>): Config['tracing'] {
  const exporter = variables['OTEL_TRACES_EXPORTER']?.trim();
  const goesSomewhere =
    exporter !== undefined ||
    variables['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined ||
    variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] !== undefined;
  const disabled = variables['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true';
  if (disabled || exporter === 'none' || !goesSomewhere) return null;
  const attributes = variables['OTEL_RESOURCE_ATTRIBUTES'] ?? '';
  return { named: variables['OTEL_SERVICE_NAME'] !== undefined || /(^|,)\s*service\.name=/.test(attributes) };
}

function configOf(env: z.output<typeof environment>): Omit<Config, 'tracing'> {
  const dataDir = resolve(env.DATA_DIR);
  return {
    port: env.PORT,
    host: env.HOST,
    metricsPort: env.METRICS_PORT ?? null,
    baseUrl: (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    graphql: {
      // A production installation shows no tools to whoever comes by.
      graphiql: (env.GRAPHIQL ?? (env.AGENCY === 'production' ? 'off' : 'on')) === 'on',
      introspection: env.GRAPHQL_INTROSPECTION,
    },
    dataDir,
    databaseUrl: env.DATABASE_URL ?? null,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? null,
    databaseOwnerUrl: env.DATABASE_OWNER_URL ?? null,
    databaseReadUrl: env.DATABASE_READ_URL ?? null,
    databaseConnections: env.DATABASE_CONNECTIONS,
    logLevel: env.LOG_LEVEL,
    runsJobs: env.JOBS === 'inside',
    linkSecret:
      env.LINK_SECRET === undefined ? secretFile(dataDir, 'link-secret') : Buffer.from(env.LINK_SECRET),
    checkpointSeed:
      env.CHECKPOINT_KEY === undefined
        ? secretFile(dataDir, 'checkpoint-key')
        : createHash('sha256').update(env.CHECKPOINT_KEY).digest(),
    checkpointDir: resolve(env.CHECKPOINT_DIR ?? join(dataDir, 'checkpoints')),
    eventsKeptDays: env.EVENTS_KEPT_DAYS,
    webhooksAllowPrivate:
      env.WEBHOOK_ALLOW_PRIVATE === undefined
        ? env.DATABASE_URL === undefined && env.AGENCY === 'simulator'
        : env.WEBHOOK_ALLOW_PRIVATE === 'true',
    mail: readMail(env, dataDir),
    certificateKeys: env.CERTIFICATE_KEYS ?? [generatedKey(dataDir)],
    drainSeconds: env.DRAIN_SECONDS,
    validationsPerMinute: env.VALIDATIONS_PER_MINUTE,
    agency: {
      endpoint: env.AGENCY,
      certificate:
        env.AGENCY_CERTIFICATE_FILE === undefined
          ? null
          : {
              kind: env.AGENCY_CERTIFICATE_KIND ?? null,
              content: readFileSync(env.AGENCY_CERTIFICATE_FILE),
              passphrase: env.AGENCY_CERTIFICATE_PASSPHRASE,
            },
      collaboratorNif: env.COLLABORATOR_NIF ?? env.SOFTWARE_PRODUCER_NIF,
    },
    simulator:
      env.SIMULATOR_URL && env.SIMULATOR_TLS_URL && env.SIMULATOR_TLS_DIR
        ? { url: env.SIMULATOR_URL, tlsUrl: env.SIMULATOR_TLS_URL, tlsDir: env.SIMULATOR_TLS_DIR }
        : null,
    agencySchemas: env.AEAT_SCHEMAS ?? null,
    publicSolution: env.PUBLIC_SOLUTION === 'simulator' ? 'simulator' : 'off',
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

/** Stores that are not Amazon's seldom have a host for each bucket, and take any region. */
function readObjectStore(env: z.output<typeof environment>): ObjectStoreConfig | null {
  if (env.S3_BUCKET === undefined) return null;
  const ownEndpoint = env.S3_ENDPOINT !== undefined;
  return {
    takesNew: env.DOCUMENTS === 's3',
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

/** The demo's sender: nobody can have an address under this domain (RFC 6761, section 6.4). */
const DEMO_SENDER = 'facturas@lacre.invalid';

function readMail(env: z.output<typeof environment>, dataDir: string): MailConfig | null {
  const { SMTP_URL: server, EMAIL_FROM: from } = env;
  if (server === undefined || from === undefined) {
    // A demo shows what it would send; a service that companies rely on must not seem to have sent it.
    return env.DATABASE_URL === undefined && env.AGENCY === 'simulator'
      ? { way: 'folder', from: DEMO_SENDER, folder: join(dataDir, 'mail') }
      : null;
  }
  const isHere = /^(localhost|127\.[\d.]+|::1)$/.test(server.host);
  const requireTls = !isHere && (env.AGENCY === 'production' || server.login !== null);
  return { way: 'smtp', from, server, requireTls, bounces: env.EMAIL_BOUNCES ?? null };
}

function packageVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** The key that is made without CERTIFICATE_KEYS; its name tells one such key from another's. */
function generatedKey(dataDir: string): EncryptionKey {
  const key = secretFile(dataDir, 'certificate-key');
  return { name: `generated-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`, key };
}

const SECRET_BYTES = 32;

/**
 * A secret of 32 bytes that is made at the first start and kept, so that what it protects outlives a restart. An empty file,
 * which a full disk can leave, protects nothing yet and is made anew; one that is damaged is not gone on with.
 */
function secretFile(dataDir: string, name: string): Buffer {
  const file = join(dataDir, name);
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (kept === '') {
    const made = randomBytes(SECRET_BYTES);
    writeWhole(file, made.toString('hex'));
    return made;
  }
  const secret = Buffer.from(kept, 'hex');
  if (secret.length === SECRET_BYTES) return secret;
  throw new Error(`${file} is damaged: put back the one from the backup of ${dataDir}`);
}
