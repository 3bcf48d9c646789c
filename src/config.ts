import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** The process's settings. This file alone reads the environment; everything else is handed what it needs. */
export type Config = {
  readonly port: number;
  readonly host: string;
  /** Where callers reach the service; links in answers start with it. No trailing slash. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Null: the service brings its own Postgres under `dataDir`, and a demo company. */
  readonly databaseUrl: string | null;
  readonly databaseConnections: number;
  readonly logLevel: string;
  /** Whether this process also runs the jobs (otherwise `npm run worker` does). */
  readonly runsJobs: boolean;
  /** Signs download links. Processes that share a database must share it. */
  readonly linkSecret: Buffer;
  /** Lock stored client certificates: the first locks, all of them open. Processes that share a database must share them. */
  readonly certificateKeys: readonly CertificateKey[];
  readonly validationsPerMinute: number;
  readonly agency: AgencyConfig;
  /** Null: the service starts a simulator of its own. */
  readonly simulator: { readonly url: string; readonly tlsUrl: string; readonly tlsDir: string } | null;
  /** A folder with the agency's schema files, by which its own simulator then checks what it is sent. */
  readonly agencySchemas: string | null;
  readonly software: SoftwareConfig;
  readonly declaration: DeclarationConfig;
};

/** A key of 256 bits, and the name under which rows remember it. */
export type CertificateKey = { readonly name: string; readonly key: Buffer };

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

const text = (limit: number) => z.string().trim().min(1).max(limit);

const environment = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    HOST: text(255).default('0.0.0.0'),
    BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    DATA_DIR: text(4_096).default('.data'),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    DATABASE_CONNECTIONS: z.coerce.number().int().min(4).max(200).default(12),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    JOBS: z.enum(['inside', 'outside']).default('inside'),
    LINK_SECRET: z.string().min(32).optional(),
    CERTIFICATE_KEYS: z.string().transform(readCertificateKeys).optional(),
    VALIDATIONS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(60),
    AGENCY: z.enum(['simulator', 'preproduction', 'production']).default('simulator'),
    AGENCY_CERTIFICATE_FILE: text(4_096).optional(),
    AGENCY_CERTIFICATE_PASSPHRASE: z.string().default(''),
    AGENCY_CERTIFICATE_KIND: z.enum(['person', 'seal']).optional(),
    COLLABORATOR_NIF: z.string().length(9).toUpperCase().optional(),
    SIMULATOR_URL: z.url({ protocol: /^https?$/ }).optional(),
    SIMULATOR_TLS_URL: z.url({ protocol: /^https$/ }).optional(),
    SIMULATOR_TLS_DIR: text(4_096).optional(),
    AEAT_SCHEMAS: text(4_096).optional(),
    SOFTWARE_PRODUCER_NAME: text(120).default('Lacre Software SL'),
    // A well-formed NIF that belongs to nobody: the demo's producer. Going live means setting one's own.
    SOFTWARE_PRODUCER_NIF: z.string().length(9).default('B00000000'),
    SOFTWARE_NAME: text(30).default('Lacre'),
    SOFTWARE_ID: z
      .string()
      .regex(/^[A-Z0-9]{2}$/)
      .default('LC'),
    SOFTWARE_PRODUCER_ADDRESS: text(300).default('Calle de Ejemplo 1, 28001 Madrid, España'),
    SOFTWARE_DECLARATION_PLACE: text(120).default('Madrid, España'),
    SOFTWARE_PRODUCER_CONTACT: text(300).optional(),
  })
  .superRefine((value, check) => {
    const simulator = [value.SIMULATOR_URL, value.SIMULATOR_TLS_URL, value.SIMULATOR_TLS_DIR];
    if (new Set(simulator.map((setting) => setting === undefined)).size > 1) {
      check.addIssue({
        code: 'custom',
        path: ['SIMULATOR_URL'],
        message: 'SIMULATOR_URL, SIMULATOR_TLS_URL and SIMULATOR_TLS_DIR go together',
      });
    }
  });

/** Reads the settings. Throws one error that names every faulty one. */
export function readConfig(variables: Record<string, string | undefined> = process.env): Config {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The configuration is faulty:\n${faults.join('\n')}`);
  }
  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  return {
    port: env.PORT,
    host: env.HOST,
    baseUrl: (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    dataDir,
    databaseUrl: env.DATABASE_URL ?? null,
    databaseConnections: env.DATABASE_CONNECTIONS,
    logLevel: env.LOG_LEVEL,
    runsJobs: env.JOBS === 'inside',
    linkSecret:
      env.LINK_SECRET === undefined ? secretFile(dataDir, 'link-secret') : Buffer.from(env.LINK_SECRET),
    certificateKeys: env.CERTIFICATE_KEYS ?? [generatedKey(dataDir)],
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
  };
}

function packageVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** `name:base64,name:base64`: keys of 32 bytes, the one that locks first. */
function readCertificateKeys(text: string, check: z.RefinementCtx): CertificateKey[] {
  const keys = text.split(',').map((entry) => {
    const [, name = '', encoded = ''] =
      /^\s*([A-Za-z0-9_.-]{1,64}):([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(entry) ?? [];
    return { name, key: Buffer.from(encoded, 'base64') };
  });
  const names = new Set(keys.map(({ name }) => name));
  if (names.has('') || names.size < keys.length) {
    // Of the value nothing may be repeated: it is secret.
    const message = 'must be name:key,… with different names and keys of 32 bytes in base64';
    check.addIssue({ code: 'custom', message });
  }
  return keys;
}

/** The key that is made without CERTIFICATE_KEYS; its name tells one such key from another's. */
function generatedKey(dataDir: string): CertificateKey {
  const key = secretFile(dataDir, 'certificate-key');
  return { name: `generated-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`, key };
}

/** A secret of 32 bytes that is made at the first start and kept, so that what it protects outlives a restart. */
function secretFile(dataDir: string, name: string): Buffer {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  }
  return Buffer.from(readFileSync(file, 'utf8'), 'hex');
}
